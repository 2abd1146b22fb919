// What is said while a reader opens a file of their own. In German.

export default {
  'own_layer.dialog.heading': 'Welche Attention aus {file}?',
  'own_layer.dialog.local': 'Nur die, die du wählst, wird gelesen. Nichts wird irgendwohin gesendet.',
  'own_layer.dialog.heads': 'Die Datei sagt nicht, wie viele Köpfe es sind: (?) steht bei einer üblichen Anzahl, die du ändern kannst.',
  'own_layer.dialog.filter': 'Nur die zeigen, deren Name das enthält',
  'own_layer.dialog.none': 'Kein Name enthält „{filter}“.',
  'own_layer.dialog.incomplete': '{count} weitere sind nicht vollständig: Liegt ein Modell in mehreren Dateien, öffne sie alle zusammen.',
  'own_layer.dialog.close': 'Schließen',
  'own_layer.row.self': 'Self-Attention',
  'own_layer.row.causal': 'kausale Self-Attention',
  'own_layer.row.cross': 'Cross-Attention',
  'own_layer.row.sizes': 'embed_dim {embed_dim}, {heads} Köpfe{guess}, {size}',
  'own_layer.row.guess': ' (?)',
  'own_layer.row.one_head': 'embed_dim {embed_dim}, 1 Kopf{guess}, {size}',
  'own_layer.files.heading': 'Eine eigene Schicht öffnen',
  'own_layer.files.weights':
    'Wähle eine .safetensors-Datei mit den Gewichten eines Modells: PyTorchs MultiheadAttention und Transformer-Schichten, GPT-2, BERT, BART, T5 und Llama werden an den Namen ihrer Tensoren erkannt. Hat die Datei mehrere Attentions, wählst du danach eine aus.',
  'own_layer.files.save': 'So speichert PyTorch eine:',
  'own_layer.files.beside':
    'Wähle dazu, falls vorhanden: config.json; den Tokenizer (tokenizer.json; oder vocab.txt, oder vocab.json mit merges.txt, mit seiner tokenizer_config.json), um einen Text einzugeben; oder die Token selbst als Array .npy der Form [L, E]: L Token mit je E Zahlen. Sonst sind die Token Zufallszahlen.',
  'own_layer.files.local': 'Die Dateien bleiben auf diesem Gerät. Du kannst sie auch auf das Bild ziehen.',
  'own_layer.files.choose': 'Dateien auswählen …',
  'own_layer.file.not_read': '{file} ließ sich nicht lesen: {reason}',
  'own_layer.file.beside': '{file} ist größer als 16 MiB; mehr wird neben einer Datei mit Gewichten nicht gelesen.',
  'own_layer.file.index': '{file} sagt nur, in welchen Dateien das Modell liegt: Öffne diese zusammen.',
  'own_layer.file.no_layer': '{file} hat keine Attention {layer}.',
  'own_layer.file.address': 'Die Datei ließ sich nicht laden: Der Server antwortete mit {status} auf {file}.',
  'own_layer.file.connection': 'Die Datei ließ sich nicht laden: Die Verbindung ist abgebrochen.',
  'own_layer.tokenizer.long': 'Die Datei eines Tokenizers darf höchstens 64 MiB groß sein.',
  'own_layer.tokenizer.no_file': 'Ein Tokenizer gehört zu einem Modell: öffne zuerst eine .safetensors-Datei oder beide zusammen.',
  'own_layer.words.no_file': 'Tokens gibt man für die Attention einer Datei ein: öffne zuerst eine .safetensors-Datei.',
};
