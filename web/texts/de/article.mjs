// What the lesson and the page for authors say in answer to what a reader does. In German.

export default {
  'article.copy.label': 'Kopieren',
  'article.copy.done': 'Kopiert.',
  'article.copy.refused': 'Der Browser erlaubt dieser Seite nicht zu kopieren.',

  'article.lesson.title': 'Eine Lektion',
  'article.lesson.right': 'Die Lektion lässt sich zeigen. Schritte: {steps}; Fragen: {questions}.',
  'article.lesson.wrong': 'Zeile {line}, Spalte {column}: {sentence}',

  'article.code.library': 'Code für',
  'article.code.label': 'Code der Abbildung „{figure}“',
  'article.code.later': 'Erscheint, sobald die Abbildung läuft.',

  'article.number.before': '{number} vor deiner Änderung',

  'article.embed.title': 'Multi-Head-Attention',
  'article.embed.link': 'wie in dieser Abbildung',

  'article.question.other_example': 'Die Abbildung zeigt jetzt ein anderes Beispiel. Geh zu dem im Text zurück.',
  'article.question.right': 'Ja: {verdict}',
  'article.question.wrong': 'Noch nicht: {verdict}',

  'article.training.few': 'Trainiere mindestens 100 Schritte, damit es eine Chance hatte.',
  'article.training.stopped': 'Die Abbildung wurde angehalten, bevor sie fertig war. Geh zu ihr zurück.',

  'article.beats.scores': 'pool hat mit beats den Score {beats} und mit badminton {badminton}.',

  'article.cat.scores': 'cat hat mit sich selbst den Score {own}; der höchste mit einem anderen Wort ist {highest}.',

  'article.divisor.divided':
    '{heads} Köpfe mit {width} Zahlen und {tokens} Tokens: Die Scores werden durch {divisor} geteilt.',
  'article.divisor.right': 'Weniger Tokens ändern daran nichts.',

  'article.only.differ': 'badminton hat {weight} von pools Gewicht, und die beiden Vektoren unterscheiden sich um bis zu {difference}.',

  'article.king.gives': 'In Kopf 0 gibt she {king} an king und {queen} an queen.',
  'article.king.queen_changed':
    'In Kopf 0 gibt she {king} an king und {queen} an queen, aber ändern sollst du king.',

  'article.eleven.none': 'Keine Zahl von q_heads ist ausgewählt: Klicke eine an.',
  'article.eleven.mistake': 'Der Abbildung fehlt noch der Tausch der Achsen: Repariere sie zuerst.',
  'article.eleven.holds': 'Kopf {head}, Token {token}, Spalte {column} enthält {number}.',

  'article.pad.some': 'Von der Attention von Thanks gehen bis zu {share} an das erste Padding-Token.',
  'article.pad.nothing': 'Von der Attention von Thanks geht nichts an das erste Padding-Token.',

  'article.first.right': 'Das erste Wort gibt jetzt in Kopf 0 {share} an cat; es weiß also, was als Nächstes kommt.',
  'article.first.closed': 'Kein Wort sieht ein späteres.',
  'article.first.open': '{count} Zellen rechts oben sind offen.',

  'article.forbid.right': 'You hat jetzt {you}, are {are}: Das Gewicht von welcome verteilt sich im gleichen Verhältnis.',
  'article.forbid.wrong': 'De gibt {you} an You, {are} an are und {welcome} an welcome.',

  'article.descent.no_target': 'Es gibt kein Ziel mehr. Setze die Abbildung zurück.',
  'article.descent.loss': 'Der Verlust ist jetzt {loss}; er war 0.0071.',
  'article.descent.right': 'Auf die erste Zahl kommt es an, gegen ihren Gradienten.',
  'article.descent.others': 'Ändern sollst du aber badminton.',

  'article.fail.reached': 'Nach {steps} Schritten sind {share} der Buchstaben aus den Testsequenzen richtig.',
  'article.fail.learned': 'Das ist gelernt.',
  'article.fail.positions': 'Ohne Positionen kann es nicht wissen, welcher Buchstabe der letzte ist.',
  'article.fail.rate': 'Mit solchen Schritten fällt der Verlust nicht: Jeder schießt übers Ziel hinaus.',
  'article.fail.saturated': 'Ohne √D sind die Zeilen gesättigt, ihre Scores bekommen also keinen Gradienten.',

  'article.order.positions': 'Die Positionen sind noch da.',
  'article.order.reached':
    'Nach {steps} Schritten sind ohne Positionen {share} richtig. Die Look-ahead-Maske verrät die Reihenfolge: Das erste ' +
    'Wort sieht ein Wort, das zweite zwei und so weiter. So sagt eine Mischung dessen, was ein Wort sieht, wo es steht.',
};
