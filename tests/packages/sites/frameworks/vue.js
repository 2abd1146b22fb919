// A page of Vue that sets all that it can set of a figure, before Vue has put it into the page, and keeps it alive while
// another component has its place.

import 'attention-live';
import { createApp, h, KeepAlive, ref, shallowRef } from 'vue';

const step = ref('scores');
const query = ref(2);
const told = ref([]);

const Figure = {
  name: 'Figure',
  render: () => h('attention-live', {
    id: 'one', load: 'eager', state: 'example=counting&head=1', 'key-index': 1, step: step.value, query: query.value,
    onStepchange: (event) => told.value.push(event.detail.step),
  }),
};
const Other = { name: 'Other', render: () => h('p', 'Another page.') };
const shown = shallowRef(Figure);

const button = (name, onClick) => h('button', { onClick }, name);
createApp({
  render: () => h('main', [
    h(KeepAlive, () => h(shown.value)),
    button('Softmax', () => { step.value = 'softmax'; query.value = 0; }),
    button('Leave', () => { shown.value = Other; }),
    button('Return', () => { shown.value = Figure; }),
    h('output', told.value.join()),
  ]),
}).mount('#root');
