// None of the lines in the list compiles, and all else does.
export const wrong = [
  <attention-live step="sofmax" />,
  <attention-live qeury={2} />,
  <attention-live query={[2]} />,
  <attention-live onstepchange={(event) => event.detail.stage} />,
  <attention-live oncellhover="hover()" />,
  <attention-livly step="softmax" />,
];
