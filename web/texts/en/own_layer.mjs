// What is said while a reader opens a file of their own. In English.

export default {
  'own_layer.dialog.heading': 'Which attention of {file}?',
  'own_layer.dialog.local': 'Only the one that you choose is read. Nothing is sent anywhere.',
  'own_layer.dialog.heads': 'The file does not say how many heads there are: (?) marks a usual number, which you can change.',
  'own_layer.dialog.filter': 'Show those whose name has',
  'own_layer.dialog.none': 'No name has “{filter}”.',
  'own_layer.dialog.incomplete': '{count} more are not whole in this file.',
  'own_layer.dialog.close': 'Close',
  'own_layer.row.self': 'self-attention',
  'own_layer.row.causal': 'causal self-attention',
  'own_layer.row.cross': 'cross-attention',
  'own_layer.row.sizes': 'embed_dim {embed_dim}, {heads} heads{guess}, {size}',
  'own_layer.row.guess': ' (?)',
  'own_layer.row.one_head': 'embed_dim {embed_dim}, 1 head{guess}, {size}',
  'own_layer.file.header': '{file} is no .safetensors file, or its header is longer than 16 MiB.',
  'own_layer.file.not_read': '{file} could not be read: {reason}',
  'own_layer.file.beside': '{file} is larger than 16 MiB, the most that is read beside a file of weights.',
  'own_layer.file.no_layer': '{file} has no attention {layer}.',
  'own_layer.file.address': 'The file could not be downloaded: the server answered {status} for {file}.',
  'own_layer.file.connection': 'The file could not be downloaded: the connection failed.',
};
