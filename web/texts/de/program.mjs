// What the program's frame says while it loads, and what is wrong where it cannot run. In German.

export default {
  'program.canvas.label': 'attention-live: Multi-Head-Attention, jede Matrix und jede Zahl, berechnet, während du sie änderst',
  'program.canvas.field': 'Text des Feldes, das gerade bearbeitet wird',

  'program.loading.label': 'Lädt',
  'program.loading.again': 'Noch einmal versuchen',
  'program.loading.begins': 'attention-live wird geladen …',
  'program.loading.received': 'attention-live wird geladen: {received}',
  'program.loading.part': 'attention-live wird geladen: {received} von {total}',

  'program.stopped.removed': 'attention-live wurde aus der Seite entfernt.',
  'program.stopped.error': 'Das Programm ist stehen geblieben: {error}',
  'program.stopped.graphics': 'Der Browser hat dieser Abbildung die Grafik entzogen.',

  'program.browser.webgl':
    'Dieser Browser hat kein WebGL2, das attention-live braucht. Aktualisiere den Browser oder schalte die ' +
    'Hardwarebeschleunigung ein.',
  'program.browser.webassembly': 'Dieser Browser hat kein WebAssembly, das attention-live braucht.',
  'program.browser.simd':
    'Dieser Browser ist zu alt für attention-live, das WebAssembly-SIMD braucht. Aktualisiere den Browser.',

  'program.download.failed': 'Das Programm ließ sich nicht laden: {reason}.',
  'program.download.connection': 'Die Verbindung ist abgebrochen',
  'program.download.not_allowed': '{host} sendet bei {file} kein Access-Control-Allow-Origin',
  'program.download.not_reached': '{host} ist nicht erreichbar oder sendet kein Access-Control-Allow-Origin',
  'program.download.policy': 'Die Content-Security-Policy der Seite verbietet es ({directive})',
  'program.download.status': 'Der Server antwortete mit {status} auf {file}',
  'program.download.script': 'Sein Skript fehlt',
  'program.download.script_of': 'Sein Skript fehlt, oder {host} sendet dabei kein Access-Control-Allow-Origin',

  'program.part.missing':
    '{file} konnte nicht geladen werden: Die Verbindung ist abgebrochen, oder es gibt eine neue Version der Website. Versuche es noch einmal oder lade die Seite neu.',
  'program.part.one': 'Ein Teil von attention-live',

  'program.start.damaged': 'Es ist beschädigt',
  'program.start.policy': 'Eine strenge Content-Security-Policy muss wasm-unsafe-eval erlauben',
  'program.start.failed': 'Das Programm ließ sich nicht starten: {reason}. ({error})',
  'program.start.incomplete': 'Der Download ist unvollständig oder beschädigt',
  'program.start.other_type': 'Der Server hat etwas anderes gesendet ({type})',
  'program.start.broke_off': 'Der Download ist abgebrochen',
  'program.start.stopped': 'Das Programm blieb beim Starten stehen: {what}',

  'program.translator.missing': 'Der Übersetzer gehört nicht zu dieser Kopie von attention-live.',
  'program.translator.connection': 'Der Übersetzer ließ sich nicht laden: Die Verbindung ist abgebrochen.',
  'program.translator.status': 'Der Übersetzer ließ sich nicht laden: Der Server antwortete mit {status} auf {file}.',
  'program.translator.loading': 'Die Gewichte des Übersetzers werden geladen, 3 MB: {percent} %',

  'program.picture.long': '{file} ist größer als 32 MiB; nimm ein kleineres Bild.',
  'program.picture.pixels':
    '{file} hat {width} × {height} Pixel; höchstens 64 Millionen werden gelesen. Nimm ein kleineres Bild.',
  'program.picture.unknown':
    '{file} ist weder ein Bild, das dieser Browser lesen kann (PNG, JPEG, WebP, GIF), noch eine .safetensors- oder .npy-Datei.',

  'program.code.heading': 'Das Programm in {library}, {lines} Zeilen',
  'program.code.explained':
    'Es enthält die Zahlen der Ansicht, berechnet daraus dieselbe Attention und gibt die Ausgabe aus sowie deren größte Abweichung von der gezeigten. Speichere es und starte es mit: python3 {file}',
  'program.code.explained_with_data':
    'Es liest die gegebenen Zahlen aus {data}, berechnet daraus dieselbe Attention und gibt die Ausgabe aus sowie deren größte Abweichung von der gezeigten. Speichere beide Dateien in einem Ordner und starte es mit: python3 {file}',
  'program.code.copy': 'Noch einmal kopieren',
  'program.code.save': 'Als Datei speichern',
  'program.code.save_data': '{data} speichern',
  'program.code.close': 'Schließen',
  'program.code.copied': 'Es ist in der Zwischenablage.',
  'program.code.not_copied':
    'Der Browser erlaubt dieser Seite nicht zu kopieren. Markiere stattdessen den Text.',
  'program.language.own_layer':
    'Die Schicht aus deiner Datei steht nicht in der Adresse: In der anderen Sprache musst du die Datei noch einmal öffnen. Fortfahren?',

  'program.wheel.hint': 'Strg + Mausrad zoomt die Abbildung',
  'program.wheel.hint_on_mac': '⌘ + Mausrad zoomt die Abbildung',

  'program.mirror.open': 'Als Text lesen',

  'program.beginning.loading': 'Der Übersetzer wird geladen {share}',
  'program.beginning.loading_short': 'Übersetzer {share}',
  'program.beginning.soon': 'In zehn Sekunden öffnet sich hier ein trainierter Übersetzer.',
  'program.beginning.soon_in': 'In {seconds} s öffnet sich hier ein trainierter Übersetzer',
  'program.beginning.soon_short': 'Übersetzer in {seconds} s',
  'program.beginning.stay': 'Hier bleiben',
  'program.beginning.stay_short': 'Bleiben',
  'program.beginning.show': 'Übersetzer zeigen',
  'program.beginning.show_short': 'Übersetzer',
  'program.beginning.went': 'Dieser Transformer hat übersetzen gelernt.',
  'program.beginning.back': 'Zurück zum ersten Beispiel',
};
