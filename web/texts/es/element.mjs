// What the element's buttons and the dialog with the embed code say. In Spanish.

export default {
  'element.start.label': 'Iniciar esta figura',

  'element.screen.full': 'Pantalla completa',
  'element.screen.leave': 'Salir de la pantalla completa',

  'element.embed.title': 'Código para insertar',
  'element.embed.label': 'Código para insertar: ponlo en tu propia página',
  'element.embed.heading': 'Pon esto en tu propia página',
  'element.embed.as': 'Como',
  'element.embed.as_element': 'un elemento con un script',
  'element.embed.as_frame': 'un marco, para sitios que no permiten scripts',
  'element.embed.with': 'Con',
  'element.embed.with_all': 'todo',
  'element.embed.with_steps': 'el texto y la barra de pasos',
  'element.embed.with_stage': 'solo el escenario',
  'element.embed.colours': 'Colores',
  'element.embed.colours_now': 'como ahora',
  'element.embed.colours_light': 'claros',
  'element.embed.colours_dark': 'oscuros',
  'element.embed.language': 'Idioma',
  'element.embed.local': 'La dirección del código es de este dispositivo: nadie más puede abrirla. Pon antes el sitio en un servidor y copia el código allí.',
  'element.embed.code': 'Código',
  'element.embed.copy': 'Copiar',
  'element.embed.copied': 'Copiado.',
  'element.embed.close': 'Cerrar',
  'element.embed.preview': 'Vista previa',
  'element.embed.preview_of': 'Vista previa: {title}',
  'element.embed.figure': '{example}: {step}',
};
