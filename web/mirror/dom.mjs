// Helpers that make and update elements of the mirror. None of them parses HTML, because labels may be any text.

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

/** Sets a text only if it changes, since screen readers announce changes. */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** A button with a text. */
export const button = (text, onclick, attributes = {}) => make('button', { type: 'button', text, onclick, ...attributes });

/** A group of controls with a name that screen readers announce with each of them. */
export const group = (legend, children) => make('fieldset', {}, [make('legend', { text: legend }), ...children]);

let made = 0;
/** An id that no other mirror of the page has. */
export const newId = () => `attention-live-mirror-${(made += 1)}`;

/** "attention_weights" as words. */
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
      // A value that is not among them (a divisor that was typed) leaves the field empty.
      select.value = value;
    },
  };
}

/**
 * A named field for a text or a number. `choose` is called with Enter or when the field loses the focus. A value that is
 * refused can be corrected; if it is not, the field shows the last good value again.
 * @param {(text: string) => boolean} choose false if it refuses the value
 * @returns {{element: HTMLElement, update: (value: string, shown: boolean) => void}}
 */
export function entry(label, choose, attributes = {}) {
  const id = newId();
  let good = '';
  const mark = (wrong) => (wrong ? input.setAttribute('aria-invalid', 'true') : input.removeAttribute('aria-invalid'));
  const input = make('input', {
    id, type: 'text', onchange: () => mark(!choose(input.value)),
    onblur() {
      input.value = good;
      mark(false);
    },
    ...attributes,
  });
  const element = make('div', { class: 'field' }, [make('label', { for: id, text: label }), input]);
  return {
    element,
    update(value, shown = true) {
      element.hidden = !shown;
      good = value;
      // What is being typed stays.
      if (input.value !== value && input.getRootNode().activeElement !== input) input.value = value;
    },
  };
}

/**
 * A switch.
 * @returns {{element: HTMLElement, update: (on: boolean, shown: boolean) => void}}
 */
export function toggle(label, choose) {
  const id = newId();
  const input = make('input', { id, type: 'checkbox', onchange: () => choose(input.checked) });
  const element = make('div', { class: 'check' }, [input, make('label', { for: id, text: label })]);
  return {
    element,
    update(on, shown = true) {
      element.hidden = !shown;
      input.checked = on;
    },
  };
}

/**
 * A number on a line from 0 to 1.
 * @returns {{element: HTMLElement, update: (value: number, text: string) => void}}
 */
export function slider(label, choose) {
  const id = newId();
  const input = make('input', {
    id, type: 'range', min: '0', max: '1', step: '0.05', oninput: () => choose(Number(input.value)),
  });
  const element = make('div', { class: 'field' }, [make('label', { for: id, text: label }), input]);
  return {
    element,
    update(value, text) {
      if (Number(input.value) !== value) input.value = String(value);
      input.setAttribute('aria-valuetext', text);
    },
  };
}
