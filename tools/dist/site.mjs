// Makes the files of the static folder from a built site.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';

import {
  bundleModules, bundleStyle, digest, element, engineFiles, filesModule, hashedName, programFiles, untilStart, withImports,
} from './bundle.mjs';
import { compress, sizeOf, total } from './compress.mjs';
import { references, rewrite } from './pages.mjs';
import { serviceWorker } from './worker.mjs';

const offline = 'offline.mjs';
const worker = 'service-worker.js';

/** The names of all files of a folder, with their folders, in order. */
export function list(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1).split(sep).join('/'))
    .sort();
}

/** The pictures of a folder: name without extension → content. Empty without a folder. */
export function readPosters(folder) {
  const names = folder ? list(folder).filter((name) => name.endsWith('.webp')) : [];
  return new Map(names.map((name) => [name.slice(0, -'.webp'.length), readFileSync(join(folder, name))]));
}

/** Files that are copied unchanged: pictures, declarations, data; style sheets that scripts refer to. */
function copied(names, used, meant) {
  const modules = [...meant].filter((name) => /\.m?js$/.test(name) && name !== element && name !== worker);
  if (modules.length > 0) throw new Error(`${modules[0]} is asked for by its address; only \`import\` finds a module.`);
  return names.filter((name) => !/\.(mjs|js|html|wasm|safetensors)$/.test(name) && !used.has(name) &&
    (extname(name) !== '.css' || meant.has(name)));
}

/**
 * All files of the distribution but the compressed copies, name → content; and the files that each page needs first.
 * @param {Map<string, Buffer>} posters name, without its ending → picture
 */
export async function distribution(site, posters) {
  const present = list(site);
  const htmlNames = present.filter((name) => extname(name) === '.html');
  const html = new Map(htmlNames.map((name) => [name, readFileSync(join(site, name), 'utf8')]));
  for (const [page, text] of html) {
    if (dirname(page) !== '.') throw new Error(`${page}: pages lie in the top folder.`);
    const missing = references(text).find(({ name }) => !present.includes(name));
    if (missing) throw new Error(`${page} names ${missing.name}, which is not in the site.`);
  }
  const asked = [...html.values()].flatMap(references);
  const named = (kind) => asked.filter((each) => each.kind === kind).map(({ name }) => name);
  const entries = [...new Set([...named('module'), offline, element])].filter((name) => present.includes(name)).sort();

  const program = await programFiles(site);
  const bundled = await bundleModules(site, entries, filesModule(program.names, [...posters.keys()]));
  const files = new Map([...program.files, ...bundled.files, ...await engineFiles(site)]);
  const names = new Map(bundled.names);
  for (const name of new Set(named('style'))) {
    const text = Buffer.from(await bundleStyle(site, name));
    names.set(name, hashedName(name, text, 'css'));
    files.set(names.get(name), text);
  }
  for (const name of copied(present, names, bundled.meant)) files.set(name, readFileSync(join(site, name)));

  for (const [name, picture] of posters) files.set(`posters/${name}.webp`, picture);

  const first = {};
  const everything = (name) => untilStart(name, bundled);
  const { script, code } = program.names;
  for (const [page, text] of html) {
    const own = references(text);
    const modules = own.filter(({ kind }) => kind === 'module').map(({ name }) => names.get(name));
    const all = [...new Set(modules.flatMap((name) => withImports(name, bundled.imports)))];
    // Pages that run the program at once preload it, so that it is fetched in parallel with the modules.
    const atOnce = all.includes(bundled.start);
    const preload = [...all.filter((name) => !modules.includes(name)), ...(atOnce ? [script] : [])];
    const scripts = names.has(offline) ? [names.get(offline)] : [];
    files.set(page, Buffer.from(rewrite(text, names, { preload, code: atOnce ? [code] : [], scripts })));
    const others = own.filter(({ kind }) => kind === 'style' || kind === 'other')
      .map(({ name }) => names.get(name) ?? name);
    first[page] = [page, ...new Set([...others, ...modules.flatMap(everything), script, code])];
  }
  if (bundled.files.has(element)) first[element] = [...everything(element), script, code];
  return { files, first, htmlNames };
}

/** Writes the files, their compressed copies, and sizes.json. */
export async function write(site, out, { files, first, htmlNames }) {
  const onDemand = /^posters\/|^notebook\/|\.d\.ts$|^attention-live\.html$|^attention-live-whole\.js$|^engine\.js$|^files\/engine-|^files\/tokenizer-|\.safetensors$/;
  const needed = [...files.keys()].filter((name) => !onDemand.test(name));
  const version = digest([...files].map(([name, body]) => `${name} ${digest(body)}`).sort().join('\n'));
  const all = new Map(files);
  all.set(worker, await serviceWorker(site, { version, needed }));
  const sizes = {};
  for (const name of [...all.keys()].sort()) {
    const content = all.get(name);
    const smaller = await compress(name, content);
    sizes[name] = sizeOf(content, smaller);
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), content);
    for (const [ending, body] of Object.entries(smaller)) writeFileSync(join(out, `${name}.${ending}`), body);
  }
  const index = {
    version,
    pages: htmlNames,
    needed,
    first: Object.fromEntries(Object.entries(first).map(([name, wanted]) => [
      name, { ...total(wanted, sizes), files: wanted },
    ])),
    total: total(Object.keys(sizes), sizes),
    files: sizes,
  };
  writeFileSync(join(out, 'sizes.json'), `${JSON.stringify(index, null, 2)}\n`);
  return index;
}
