// A page of React that sets all that it can set of a figure, before React has put it into the page.

import 'attention-live';
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

function Page() {
  const [step, setStep] = useState('scores');
  const [told, setTold] = useState([]);
  return h('main', null,
    h('attention-live', {
      id: 'one', load: 'eager', state: 'example=counting&query=2', 'key-index': 1, step,
      onstepchange: (event) => setTold((before) => [...before, event.detail.step]),
    }),
    h('button', { onClick: () => setStep('softmax') }, 'Softmax'),
    h('output', null, told.join()));
}

createRoot(document.querySelector('#root')).render(h(StrictMode, null, h(Page)));
