// What is said about a lesson's file before the program reads it. In Spanish.

export default {
  'lesson.file.connection': 'No se pudo obtener la lección {file}. Revisa la conexión, y que su servidor la entregue a esta página.',
  'lesson.file.status': 'No se pudo obtener la lección {file}: el servidor respondió {status}.',
  'lesson.file.long': 'La lección {file} tiene más de {most} bytes.',
  'lesson.file.wrong': '{file}, línea {line}, columna {column}: {sentence}',
  'lesson.file.given': 'lección',
};
