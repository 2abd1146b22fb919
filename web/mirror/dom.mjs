// Small helpers that make and update elements of the mirror. Nothing is written as HTML: labels may hold any text.

/**
 * @param {string} tag
 * @param {Record<string, unknown>} attributes `text` is its text, `on…` a listener, false leaves an attribute out
 * @param {(Node | string)[]} children
 */
export function make(tag, attributes = {}, children = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') element.textContent = value;
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** Writes a text where it is another one: a screen reader is told of what changes. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

let made = 0;
/** An id that no other mirror of the page has. */
export const newId = () => `attention-live-mirror-${(made += 1)}`;

/** "attention_weights" as it is said. */
export const words = (name) => name.replaceAll('_', ' ');

/**
 * A named choice of one among several.
 * @returns {{element: HTMLElement, update: (options: {id: string, label: string}[], value: string) => void}}
 */
export function selection(label, choose) {
  const id = newId();
  const select = make('select', { id, onchange: () => choose(select.value) });
  const element = make('div', { class: 'field' }, [make('label', { for: id, text: label }), select]);
  let offered = '';
  return {
    element,
    update(options, value) {
      const now = JSON.stringify(options);
      if (now !== offered) {
        offered = now;
        select.replaceChildren(...options.map((option) => make('option', { value: option.id, text: option.label })));
      }
      element.hidden = options.length < 2;
      // What is none of them (a divisor that was typed) leaves the field empty.
      select.value = value;
    },
  };
}
