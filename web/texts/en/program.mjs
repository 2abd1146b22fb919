// What the program's frame says while it loads, and what is wrong where it cannot run. In English.

export default {
  'program.canvas.label': 'attention-live: multi-head attention, every matrix and number, computed as you change them',
  'program.canvas.field': 'Text for the field that is being edited',

  'program.loading.label': 'Loading',
  'program.loading.again': 'Try again',
  'program.loading.begins': 'Loading attention-live …',
  'program.loading.received': 'Loading attention-live: {received}',
  'program.loading.part': 'Loading attention-live: {received} of {total}',

  'program.stopped.removed': 'attention-live was taken out of the page.',
  'program.stopped.error': 'The program stopped: {error}',
  'program.stopped.graphics': 'The browser took the graphics of this figure away.',

  'program.browser.webgl':
    'This browser has no WebGL2, which attention-live needs. Update the browser, or switch on hardware ' +
    'acceleration.',
  'program.browser.webassembly': 'This browser has no WebAssembly, which attention-live needs.',
  'program.browser.simd':
    'This browser is too old for attention-live, which needs WebAssembly SIMD. Update the browser.',

  'program.download.failed': 'The program could not be downloaded: {reason}.',
  'program.download.connection': 'the connection failed',
  'program.download.not_allowed': '{host} does not send Access-Control-Allow-Origin with {file}',
  'program.download.not_reached': '{host} cannot be reached, or does not send Access-Control-Allow-Origin',
  'program.download.policy': 'the Content-Security-Policy of the page forbids it ({directive})',
  'program.download.status': 'the server answered {status} for {file}',
  'program.download.script': 'its script is missing',
  'program.download.script_of': 'its script is missing, or {host} does not send Access-Control-Allow-Origin with it',

  'program.part.missing':
    '{file} could not be loaded: the connection failed, or the site has a new version. Try again, or load the page again.',
  'program.part.one': 'A part of attention-live',

  'program.start.damaged': 'it is damaged',
  'program.start.policy': 'a strict Content-Security-Policy must allow wasm-unsafe-eval',
  'program.start.failed': 'The program could not be started: {reason}. ({error})',
  'program.start.incomplete': 'the download is incomplete or damaged',
  'program.start.other_type': 'the server sent something else ({type})',
  'program.start.broke_off': 'the download broke off',
  'program.start.stopped': 'The program stopped while starting: {what}',

  'program.translator.missing': 'The translator is not included in this copy of attention-live.',
  'program.translator.connection': 'The translator could not be downloaded: the connection failed.',
  'program.translator.status': 'The translator could not be downloaded: the server answered {status} for {file}.',
  'program.translator.loading': 'The translator’s weights are loading, 3 MB: {percent} %',

  'program.picture.long': '{file} is larger than 32 MiB; take a smaller picture.',
  'program.picture.pixels':
    '{file} has {width} × {height} pixels; at most 64 million are read. Take a smaller picture.',
  'program.picture.unknown':
    '{file} is neither a picture that this browser can read (PNG, JPEG, WebP, GIF) nor a .safetensors or .npy file.',

  'program.code.heading': 'The program in {library}, {lines} lines',
  'program.code.explained':
    'It has the numbers on screen written out, computes the same attention from them, and prints the output and its largest difference from the one on screen. Save it, then run: python3 {file}',
  'program.code.explained_with_data':
    'It reads the numbers that are given from {data}, computes the same attention from them, and prints the output and its largest difference from the one on screen. Save both files into one folder, then run: python3 {file}',
  'program.code.copy': 'Copy again',
  'program.code.save': 'Save as a file',
  'program.code.save_data': 'Save {data}',
  'program.code.close': 'Close',
  'program.code.copied': 'It is on the clipboard.',
  'program.code.not_copied': 'The browser does not allow this page to copy. Select the text instead.',
  'program.language.own_layer':
    'The layer from your file is not in the address: in the other language you have to open the file again. Go on?',

  'program.wheel.hint': 'Ctrl + wheel zooms the figure',
  'program.wheel.hint_on_mac': '⌘ + wheel zooms the figure',

  'program.mirror.open': 'Read as text',

  'program.beginning.loading': 'Loading the translator {share}',
  'program.beginning.loading_short': 'translator {share}',
  'program.beginning.soon': 'A trained translator opens here in ten seconds.',
  'program.beginning.soon_in': 'A trained translator opens here in {seconds} s',
  'program.beginning.soon_short': 'translator in {seconds} s',
  'program.beginning.stay': 'Stay here',
  'program.beginning.stay_short': 'Stay',
  'program.beginning.show': 'Show the translator',
  'program.beginning.show_short': 'translator',
  'program.beginning.went': 'This Transformer has learned to translate.',
  'program.beginning.back': 'Back to the first example',
};
