// Saves files as downloads, and pictures to the clipboard too.

/** Downloads a file. */
export function save(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the download has begun by then
}

/**
 * Saves a picture as PNG, and copies it to the clipboard if the browser allows it.
 * @param {Uint8Array} rgba opaque, row after row from the top
 */
export async function savePicture(name, width, height, rgba) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  canvas.getContext('2d').putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer), width, height), 0, 0);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  save(name, blob);
  if (!navigator.clipboard?.write || typeof ClipboardItem === 'undefined') return;
  // Refused in a frame, or too long after the click. There is still the download.
  navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]).catch(() => {});
}
