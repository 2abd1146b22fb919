/** Puts text on the clipboard, and says whether that was possible. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages without https, where there is no clipboard to write to. */
function copyBySelection(text) {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('aria-hidden', 'true');
  field.className = 'unseen';
  const focused = document.activeElement;
  (focused?.closest('dialog') ?? document.body).append(field); // beside an open dialog nothing can be selected
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  focused?.focus();
  return done;
}
