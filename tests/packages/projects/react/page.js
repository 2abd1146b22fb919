// A page of React, made on the server and taken over in the browser. Without JSX, which would need a plugin more.

import { createElement as h, StrictMode, useEffect, useRef, useState } from 'react';

function Figure() {
  const figure = useRef(null);
  const [step, setStep] = useState('split');
  useEffect(() => {
    const there = figure.current;
    const changed = (event) => setStep(event.detail.step);
    there.addEventListener('stepchange', changed);
    return () => there.removeEventListener('stepchange', changed);
  }, []);
  return h('section', null,
    h('attention-live', {
      ref: figure, example: 'counting', step: 'split', load: 'eager',
    }),
    h('button', { onClick: () => figure.current.setState({ step: 'scores' }) }, 'Scores'),
    h('output', null, step));
}

export const Page = () => h(StrictMode, null, h('main', null, h('h1', null, 'Week 3'), h(Figure)));
