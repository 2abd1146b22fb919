// What is said while a reader opens a file of their own. In Spanish.

export default {
  'own_layer.dialog.heading': '¿Qué atención de {file}?',
  'own_layer.dialog.local': 'Solo se lee la que elijas. No se envía nada a ninguna parte.',
  'own_layer.dialog.heads': 'El archivo no dice cuántas cabezas hay: (?) marca un número habitual, que puedes cambiar.',
  'own_layer.dialog.filter': 'Mostrar las que tengan en el nombre',
  'own_layer.dialog.none': 'Ningún nombre contiene «{filter}».',
  'own_layer.dialog.incomplete': 'Otras {count} no están completas en este archivo.',
  'own_layer.dialog.close': 'Cerrar',
  'own_layer.row.self': 'autoatención',
  'own_layer.row.causal': 'autoatención causal',
  'own_layer.row.cross': 'atención cruzada',
  'own_layer.row.sizes': 'embed_dim {embed_dim}, {heads} cabezas{guess}, {size}',
  'own_layer.row.guess': ' (?)',
  'own_layer.row.one_head': 'embed_dim {embed_dim}, 1 cabeza{guess}, {size}',
  'own_layer.file.header': '{file} no es un archivo .safetensors, o su cabecera ocupa más de 16 MiB.',
  'own_layer.file.not_read': 'No se pudo leer {file}: {reason}',
  'own_layer.file.beside': '{file} supera los 16 MiB, lo máximo que se lee junto a un archivo de pesos.',
  'own_layer.file.no_layer': '{file} no tiene ninguna atención {layer}.',
  'own_layer.file.address': 'No se pudo descargar el archivo: el servidor respondió {status} al pedir {file}.',
  'own_layer.file.connection': 'No se pudo descargar el archivo: falló la conexión.',
};
