// What the element's buttons and the dialog with the embed code say. In German.

export default {
  'element.start.label': 'Diese Abbildung starten',

  'element.screen.full': 'Vollbild',
  'element.screen.leave': 'Vollbild verlassen',

  'element.embed.title': 'Code zum Einbetten',
  'element.embed.label': 'Code zum Einbetten: Setze das in deine eigene Seite',
  'element.embed.heading': 'Setze das in deine eigene Seite',
  'element.embed.as': 'Als',
  'element.embed.as_element': 'Element mit einem Skript',
  'element.embed.as_frame': 'Frame, für Seiten, die keine Skripte erlauben',
  'element.embed.with': 'Mit',
  'element.embed.with_all': 'allem',
  'element.embed.with_steps': 'Text und Schrittleiste',
  'element.embed.with_stage': 'der Bühne allein',
  'element.embed.colours': 'Farben',
  'element.embed.colours_now': 'wie jetzt',
  'element.embed.colours_light': 'hell',
  'element.embed.colours_dark': 'dunkel',
  'element.embed.language': 'Sprache',
  'element.embed.local': 'Die Adresse im Code ist eine dieses Geräts: Andere können sie nicht öffnen. Stelle die Seite erst auf einen Server und kopiere den Code dort.',
  'element.embed.code': 'Code',
  'element.embed.copy': 'Kopieren',
  'element.embed.copied': 'Kopiert.',
  'element.embed.close': 'Schließen',
  'element.embed.preview': 'Vorschau',
  'element.embed.preview_of': 'Vorschau: {title}',
  'element.embed.figure': '{example}: {step}',
};
