// What is said while a reader opens a file of their own. In English.

export default {
  'own_layer.dialog.heading': 'Which attention of {file}?',
  'own_layer.dialog.local': 'Only the one that you choose is read. Nothing is sent anywhere.',
  'own_layer.dialog.heads': 'The file does not say how many heads there are: (?) marks a usual number, which you can change.',
  'own_layer.dialog.filter': 'Show those whose name has',
  'own_layer.dialog.none': 'No name has “{filter}”.',
  'own_layer.dialog.incomplete': '{count} more are not whole: where a model lies in several files, open all of them together.',
  'own_layer.dialog.close': 'Close',
  'own_layer.row.self': 'self-attention',
  'own_layer.row.causal': 'causal self-attention',
  'own_layer.row.cross': 'cross-attention',
  'own_layer.row.sizes': 'embed_dim {embed_dim}, {heads} heads{guess}, {size}',
  'own_layer.row.guess': ' (?)',
  'own_layer.row.one_head': 'embed_dim {embed_dim}, 1 head{guess}, {size}',
  'own_layer.files.heading': 'Open a layer of your own',
  'own_layer.files.weights':
    'Choose a .safetensors file with the weights of a model: PyTorch’s MultiheadAttention and Transformer layers, GPT-2, BERT, BART, T5 and Llama are known by the names of their tensors. Where it has several attentions, you choose one of them next.',
  'own_layer.files.save': 'This is how PyTorch saves one:',
  'own_layer.files.beside':
    'Choose with it, if you have them: config.json; the tokenizer (tokenizer.json; or vocab.txt, or vocab.json with merges.txt, with its tokenizer_config.json), to type a text; or the tokens themselves as an array .npy of shape [L, E]: L tokens of E numbers each. Otherwise the tokens are random numbers.',
  'own_layer.files.local': 'The files stay on this device. They can be dropped on the picture, too.',
  'own_layer.files.choose': 'Choose files…',
  'own_layer.file.not_read': '{file} could not be read: {reason}',
  'own_layer.file.beside': '{file} is larger than 16 MiB, the most that is read beside a file of weights.',
  'own_layer.file.index': '{file} only says which files the model lies in: open those together.',
  'own_layer.file.no_layer': '{file} has no attention {layer}.',
  'own_layer.file.address': 'The file could not be downloaded: the server answered {status} for {file}.',
  'own_layer.file.connection': 'The file could not be downloaded: the connection failed.',
  'own_layer.tokenizer.long': 'A tokenizer’s file of at most 64 MiB is read.',
  'own_layer.tokenizer.no_file': 'A tokenizer belongs to a model: open a .safetensors file first, or both together.',
  'own_layer.words.no_file': 'Tokens are typed for the attention of a file: open a .safetensors file first.',
};
