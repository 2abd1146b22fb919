// What is said about a lesson's file before the program reads it. In English.

export default {
  'lesson.file.connection': 'The lesson {file} could not be fetched. Check the connection, and that its server lets this page have it.',
  'lesson.file.status': 'The lesson {file} could not be fetched: the server answered {status}.',
  'lesson.file.long': 'The lesson {file} has more than {most} bytes.',
  'lesson.file.wrong': '{file}, line {line}, column {column}: {sentence}',
  'lesson.file.given': 'lesson',
};
