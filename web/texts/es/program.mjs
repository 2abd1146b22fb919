// What the program's frame says while it loads, and what is wrong where it cannot run. In Spanish.

export default {
  'program.canvas.label': 'attention-live: atención multicabeza, cada matriz y cada número, calculados mientras los cambias',
  'program.canvas.field': 'Texto del campo que se está editando',

  'program.loading.label': 'Cargando',
  'program.loading.again': 'Volver a intentarlo',
  'program.loading.begins': 'Cargando attention-live …',
  'program.loading.received': 'Cargando attention-live: {received}',
  'program.loading.part': 'Cargando attention-live: {received} de {total}',

  'program.stopped.removed': 'attention-live se quitó de la página.',
  'program.stopped.error': 'El programa se detuvo: {error}',
  'program.stopped.graphics': 'El navegador le quitó los gráficos a esta figura.',

  'program.browser.webgl':
    'Este navegador no tiene WebGL2, que attention-live necesita. Actualiza el navegador o activa la aceleración ' +
    'por hardware.',
  'program.browser.webassembly': 'Este navegador no tiene WebAssembly, que attention-live necesita.',
  'program.browser.simd':
    'Este navegador es demasiado antiguo para attention-live, que necesita WebAssembly SIMD. Actualiza el navegador.',

  'program.download.failed': 'No se pudo descargar el programa: {reason}.',
  'program.download.connection': 'falló la conexión',
  'program.download.not_allowed': '{host} no envía Access-Control-Allow-Origin con {file}',
  'program.download.not_reached': 'no se puede acceder a {host}, o no envía Access-Control-Allow-Origin',
  'program.download.policy': 'la Content-Security-Policy de la página lo prohíbe ({directive})',
  'program.download.status': 'el servidor respondió {status} al pedir {file}',
  'program.download.script': 'falta su script',
  'program.download.script_of': 'falta su script, o {host} no envía con él Access-Control-Allow-Origin',

  'program.part.missing':
    'No se pudo cargar {file}: falló la conexión o hay una versión nueva del sitio. Inténtalo de nuevo o vuelve a cargar la página.',
  'program.part.one': 'una parte de attention-live',

  'program.start.damaged': 'está dañado',
  'program.start.policy': 'una Content-Security-Policy estricta debe permitir wasm-unsafe-eval',
  'program.start.failed': 'No se pudo iniciar el programa: {reason}. ({error})',
  'program.start.incomplete': 'la descarga está incompleta o dañada',
  'program.start.other_type': 'el servidor envió otra cosa ({type})',
  'program.start.broke_off': 'la descarga se interrumpió',
  'program.start.stopped': 'El programa se detuvo al iniciarse: {what}',

  'program.translator.missing': 'El traductor no está incluido en esta copia de attention-live.',
  'program.translator.connection': 'No se pudo descargar el traductor: falló la conexión.',
  'program.translator.status': 'No se pudo descargar el traductor: el servidor respondió {status} al pedir {file}.',
  'program.translator.loading': 'Cargando los pesos del traductor, 3 MB: {percent} %',

  'program.picture.long': '{file} supera los 32 MiB; elige una imagen más pequeña.',
  'program.picture.pixels':
    '{file} tiene {width} × {height} píxeles; se leen como mucho 64 millones. Elige una imagen más pequeña.',
  'program.picture.unknown':
    '{file} no es ni una imagen que este navegador pueda leer (PNG, JPEG, WebP, GIF) ni un archivo .safetensors o .npy.',

  'program.code.heading': 'El programa en {library}, {lines} líneas',
  'program.code.explained':
    'Contiene los números de la pantalla, calcula con ellos la misma atención e imprime la salida y su mayor diferencia con la que se ve. Guárdalo y ejecútalo con: python3 {file}',
  'program.code.explained_with_data':
    'Lee los números dados de {data}, calcula con ellos la misma atención e imprime la salida y su mayor diferencia con la que se ve. Guarda los dos archivos en una carpeta y ejecútalo con: python3 {file}',
  'program.code.copy': 'Copiar de nuevo',
  'program.code.save': 'Guardar como archivo',
  'program.code.save_data': 'Guardar {data}',
  'program.code.close': 'Cerrar',
  'program.code.copied': 'Está en el portapapeles.',
  'program.code.not_copied': 'El navegador no permite que esta página copie. Selecciona el texto.',
  'program.language.own_layer':
    'La capa de tu archivo no está en la dirección: en el otro idioma tendrás que abrir el archivo de nuevo. ¿Continuar?',

  'program.wheel.hint': 'Ctrl + rueda amplía la figura',
  'program.wheel.hint_on_mac': '⌘ + rueda amplía la figura',

  'program.mirror.open': 'Leer como texto',

  'program.beginning.loading': 'Cargando el traductor {share}',
  'program.beginning.loading_short': 'traductor {share}',
  'program.beginning.soon': 'En diez segundos se abre aquí un traductor entrenado.',
  'program.beginning.soon_in': 'En {seconds} s se abre aquí un traductor entrenado',
  'program.beginning.soon_short': 'traductor en {seconds} s',
  'program.beginning.stay': 'Quedarse aquí',
  'program.beginning.stay_short': 'Quedarse',
  'program.beginning.show': 'Mostrar el traductor',
  'program.beginning.show_short': 'traductor',
  'program.beginning.went': 'Este Transformer ha aprendido a traducir.',
  'program.beginning.back': 'Volver al primer ejemplo',
};
