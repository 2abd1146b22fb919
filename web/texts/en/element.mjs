// What the element's buttons and the dialog with the embed code say. In English.

export default {
  'element.start.label': 'Start this figure',

  'element.screen.full': 'Full screen',
  'element.screen.leave': 'Leave full screen',

  'element.embed.title': 'Embed code',
  'element.embed.label': 'Embed code: put this into your own page',
  'element.embed.heading': 'Put this into your own page',
  'element.embed.as': 'As',
  'element.embed.as_element': 'an element with a script',
  'element.embed.as_frame': 'a frame, for sites that allow no scripts',
  'element.embed.with': 'With',
  'element.embed.with_all': 'everything',
  'element.embed.with_steps': 'text and step bar',
  'element.embed.with_stage': 'the stage alone',
  'element.embed.colours': 'Colours',
  'element.embed.colours_now': 'as they are now',
  'element.embed.colours_light': 'light',
  'element.embed.colours_dark': 'dark',
  'element.embed.language': 'Language',
  'element.embed.local': 'The code contains an address on this computer, which nobody else can open. Put the site on a server first and copy the code from there.',
  'element.embed.code': 'Code',
  'element.embed.copy': 'Copy',
  'element.embed.copied': 'Copied.',
  'element.embed.close': 'Close',
  'element.embed.preview': 'Preview',
  'element.embed.preview_of': 'Preview: {title}',
  'element.embed.figure': '{example}: {step}',
};
