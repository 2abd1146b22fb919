// What is said about a lesson's file before the program reads it. In German.

export default {
  'lesson.file.connection': 'Die Lektion {file} ließ sich nicht holen. Prüfe die Verbindung, und ob ihr Server sie dieser Seite gibt.',
  'lesson.file.status': 'Die Lektion {file} ließ sich nicht holen: Der Server antwortete mit {status}.',
  'lesson.file.long': 'Die Lektion {file} hat mehr als {most} Bytes.',
  'lesson.file.wrong': '{file}, Zeile {line}, Spalte {column}: {sentence}',
  'lesson.file.given': 'Lektion',
};
