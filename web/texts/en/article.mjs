// What the lesson and the page for authors say in answer to what a reader does. In English.

export default {
  'article.copy.label': 'Copy',
  'article.copy.done': 'Copied.',
  'article.copy.refused': 'The browser does not allow this page to copy.',

  'article.lesson.title': 'A lesson',
  'article.lesson.right': 'The lesson can be shown. Steps: {steps}; questions: {questions}.',
  'article.lesson.wrong': 'Line {line}, column {column}: {sentence}',

  'article.code.library': 'Code for',
  'article.code.label': 'Code of the figure “{figure}”',
  'article.code.later': 'Appears when the figure has started.',

  'article.number.before': '{number} before your change',

  'article.embed.title': 'Multi-head attention',
  'article.embed.link': 'as in this figure',

  'article.question.other_example': 'The figure shows a different example now. Go back to the one in the text.',
  'article.question.right': 'Yes: {verdict}',
  'article.question.wrong': 'Not yet: {verdict}',

  'article.training.few': 'Train for at least 100 steps, so that it had a chance.',
  'article.training.stopped': 'The figure was stopped before it had finished. Go back to it.',

  'article.beats.scores': 'pool scores {beats} with beats and {badminton} with badminton.',

  'article.cat.scores': 'cat scores {own} with itself; its highest score with another word is {highest}.',

  'article.divisor.divided':
    '{heads} heads of {width} numbers, and {tokens} tokens: the scores are divided by {divisor}.',
  'article.divisor.right': 'Fewer tokens do not change that.',

  'article.only.differ': 'badminton has {weight} of pool’s weight, and the two vectors differ by up to {difference}.',

  'article.king.gives': 'In head 0, she gives king {king} and queen {queen}.',
  'article.king.queen_changed':
    'In head 0, she gives king {king} and queen {queen}, but it is king that should change.',

  'article.eleven.none': 'No number of q_heads is selected: click one.',
  'article.eleven.mistake': 'The figure still omits the transpose: repair it first.',
  'article.eleven.holds': 'Head {head}, token {token}, column {column} holds {number}.',

  'article.pad.some': 'Of Thanks’s attention, up to {share} goes to the first padding token.',
  'article.pad.nothing': 'Of Thanks’s attention, nothing goes to the first padding token.',

  'article.first.right': 'The first word now gives cat {share} in head 0, so it knows what comes next.',
  'article.first.closed': 'No word sees a later one.',
  'article.first.open': '{count} cells in the upper right are open.',

  'article.forbid.right': 'You has {you} now, are {are}: the weight of welcome is shared out in proportion.',
  'article.forbid.wrong': 'De gives You {you}, are {are} and welcome {welcome}.',

  'article.descent.no_target': 'There is no target any more. Reset the figure.',
  'article.descent.loss': 'The loss is {loss} now; it was 0.0071.',
  'article.descent.right': 'The number that matters is the first one, against its gradient.',
  'article.descent.others': 'But it is badminton that should change.',

  'article.fail.reached': 'After {steps} steps it has {share} of the held-out letters right.',
  'article.fail.learned': 'That is learned.',
  'article.fail.positions': 'Without positions it cannot know which letter is the last one.',
  'article.fail.rate': 'With such steps the loss does not fall: each one overshoots.',
  'article.fail.saturated': 'Without √D its rows are saturated, so their scores get no gradient.',

  'article.order.positions': 'The positions are still there.',
  'article.order.reached':
    'After {steps} steps it has {share} right without positions. The look-ahead mask tells the order: the first ' +
    'word sees one word, the second two, and so on, so a mixture over what it sees says where a word stands.',
};
