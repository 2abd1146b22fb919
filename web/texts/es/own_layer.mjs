// What is said while a reader opens a file of their own. In Spanish.

export default {
  'own_layer.dialog.heading': '¿Qué atención de {file}?',
  'own_layer.dialog.local': 'Solo se lee la que elijas. No se envía nada a ninguna parte.',
  'own_layer.dialog.heads': 'El archivo no dice cuántas cabezas hay: (?) marca un número habitual, que puedes cambiar.',
  'own_layer.dialog.filter': 'Mostrar las que tengan en el nombre',
  'own_layer.dialog.none': 'Ningún nombre contiene «{filter}».',
  'own_layer.dialog.incomplete': 'Otras {count} no están completas: si un modelo está en varios archivos, ábrelos todos a la vez.',
  'own_layer.dialog.close': 'Cerrar',
  'own_layer.row.self': 'autoatención',
  'own_layer.row.causal': 'autoatención causal',
  'own_layer.row.cross': 'atención cruzada',
  'own_layer.row.sizes': 'embed_dim {embed_dim}, {heads} cabezas{guess}, {size}',
  'own_layer.row.guess': ' (?)',
  'own_layer.row.one_head': 'embed_dim {embed_dim}, 1 cabeza{guess}, {size}',
  'own_layer.files.heading': 'Abrir una capa propia',
  'own_layer.files.weights':
    'Elige un archivo .safetensors con los pesos de un modelo: MultiheadAttention y las capas Transformer de PyTorch, GPT-2, BERT, BART, T5 y Llama se reconocen por los nombres de sus tensores. Si tiene varias atenciones, después eliges una.',
  'own_layer.files.save': 'PyTorch lo guarda así:',
  'own_layer.files.beside':
    'Elige con él, si los tienes: config.json; el tokenizador (tokenizer.json; o vocab.txt, o vocab.json con merges.txt, con su tokenizer_config.json), para escribir un texto; o los propios tokens como un array .npy de forma [L, E]: L tokens de E números cada uno. Si no, los tokens son números al azar.',
  'own_layer.files.local': 'Los archivos no salen de este dispositivo. También puedes soltarlos sobre la imagen.',
  'own_layer.files.choose': 'Elegir archivos…',
  'own_layer.file.not_read': 'No se pudo leer {file}: {reason}',
  'own_layer.file.beside': '{file} supera los 16 MiB, lo máximo que se lee junto a un archivo de pesos.',
  'own_layer.file.index': '{file} solo dice en qué archivos está el modelo: abre esos archivos a la vez.',
  'own_layer.file.no_layer': '{file} no tiene ninguna atención {layer}.',
  'own_layer.file.address': 'No se pudo descargar el archivo: el servidor respondió {status} al pedir {file}.',
  'own_layer.file.connection': 'No se pudo descargar el archivo: falló la conexión.',
  'own_layer.tokenizer.long': 'Se lee un archivo de tokenizador de 64 MiB como máximo.',
  'own_layer.tokenizer.no_file': 'Un tokenizador pertenece a un modelo: abre antes un archivo .safetensors, o los dos juntos.',
  'own_layer.words.no_file': 'Los tokens se escriben para la atención de un archivo: abre antes un archivo .safetensors.',
};
