// What the lesson and the page for authors say in answer to what a reader does. In Spanish.

export default {
  'article.copy.label': 'Copiar',
  'article.copy.done': 'Copiado.',
  'article.copy.refused': 'El navegador no permite copiar a esta página.',

  'article.lesson.title': 'Una lección',
  'article.lesson.right': 'La lección se puede mostrar. Pasos: {steps}; preguntas: {questions}.',
  'article.lesson.wrong': 'Línea {line}, columna {column}: {sentence}',

  'article.code.library': 'Código para',
  'article.code.label': 'Código de la figura «{figure}»',
  'article.code.later': 'Aparece cuando la figura se ha iniciado.',

  'article.number.before': '{number} antes de tu cambio',

  'article.embed.title': 'Atención multicabeza',
  'article.embed.link': 'como en esta figura',

  'article.question.other_example': 'La figura muestra ahora otro ejemplo. Vuelve al del texto.',
  'article.question.right': 'Sí: {verdict}',
  'article.question.wrong': 'Todavía no: {verdict}',

  'article.training.few': 'Entrena al menos 100 pasos, para darle una oportunidad.',
  'article.training.stopped': 'La figura se detuvo antes de terminar. Vuelve a ella.',

  'article.beats.scores': 'pool tiene una puntuación de {beats} con beats y de {badminton} con badminton.',

  'article.cat.scores': 'cat tiene una puntuación de {own} consigo misma; la mayor con otra palabra es {highest}.',

  'article.divisor.divided':
    '{heads} cabezas de {width} números, y {tokens} tokens: las puntuaciones se dividen entre {divisor}.',
  'article.divisor.right': 'Con menos tokens, eso no cambia.',

  'article.only.differ': 'badminton tiene {weight} del peso de pool, y los dos vectores difieren como mucho en {difference}.',

  'article.king.gives': 'En la cabeza 0, she da {king} a king y {queen} a queen.',
  'article.king.queen_changed':
    'En la cabeza 0, she da {king} a king y {queen} a queen, pero la que debe cambiar es king.',

  'article.eleven.none': 'No hay ningún número de q_heads elegido: haz clic en uno.',
  'article.eleven.mistake': 'A la figura todavía le falta la transposición: arréglala primero.',
  'article.eleven.holds': 'Cabeza {head}, token {token}, columna {column}: ahí está {number}.',

  'article.pad.some': 'De la atención de Thanks, hasta un {share} va al primer token de relleno.',
  'article.pad.nothing': 'De la atención de Thanks, nada va al primer token de relleno.',

  'article.first.right': 'La primera palabra da ahora {share} a cat en la cabeza 0, así que sabe lo que viene después.',
  'article.first.closed': 'Ninguna palabra ve una posterior.',
  'article.first.open': 'Hay {count} celdas abiertas arriba a la derecha.',

  'article.forbid.right': 'You tiene ahora {you}; are, {are}: el peso de welcome se reparte en la misma proporción.',
  'article.forbid.wrong': 'De da {you} a You, {are} a are y {welcome} a welcome.',

  'article.descent.no_target': 'Ya no hay ningún objetivo. Reinicia la figura.',
  'article.descent.loss': 'La pérdida es ahora {loss}; era 0.0071.',
  'article.descent.right': 'El número que importa es el primero, en contra de su gradiente.',
  'article.descent.others': 'Pero la que debe cambiar es badminton.',

  'article.fail.reached': 'Tras {steps} pasos acierta el {share} de las letras de validación.',
  'article.fail.learned': 'Eso es haber aprendido.',
  'article.fail.positions': 'Sin posiciones no puede saber qué letra es la última.',
  'article.fail.rate': 'Con pasos así la pérdida no baja: cada uno se pasa de largo.',
  'article.fail.saturated': 'Sin √D las filas están saturadas y sus puntuaciones no reciben gradiente.',

  'article.order.positions': 'Las posiciones siguen ahí.',
  'article.order.reached':
    'Tras {steps} pasos acierta el {share} sin posiciones. La máscara causal revela el orden: la primera palabra ve una ' +
    'palabra, la segunda dos, y así sucesivamente, de modo que una mezcla de lo que ve dice dónde está una palabra.',
};
