// Bundles and minifies the site's modules and style sheets. Files that browsers may cache for ever have a hash of their
// content in their names, in files/; attention-live.js keeps its name, because other pages include it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

import { build, transform } from 'esbuild';

const target = ['es2022', 'chrome94', 'firefox93', 'safari16.4'];
/** A placeholder for the path from a bundled file to the top folder, which is filled in when the file's folder is known. */
const root = '@attention-live-root@';
export const element = 'attention-live.js';

/** The first ten digits of a content's SHA-256. */
export function digest(content) {
  return createHash('sha256').update(content).digest('hex').slice(0, 10);
}

/** files/NAME-HASH.EXTENSION for a file NAME.EXTENSION. */
export function hashedName(name, content, extension) {
  return `files/${basename(name).replace(/\.\w+$/, '')}-${digest(content)}.${extension}`;
}

/** The compiled program: {names: {script, code, weights, tokenizer}, files: Map of name → content}. */
export async function programFiles(site) {
  const program = join(site, 'program', 'attention-live');
  const { code: script } = await transform(readFileSync(`${program}.mjs`, 'utf8'), {
    minify: true, format: 'esm', target, legalComments: 'none',
  });
  const code = readFileSync(`${program}.wasm`);
  const weights = readFileSync(join(site, 'program', 'translator.safetensors'));
  const tokenizer = readFileSync(join(site, 'program', 'tokenizer.wasm'));
  const names = {
    script: hashedName(`${program}.mjs`, script, 'js'),
    code: hashedName(`${program}.wasm`, code, 'wasm'),
    weights: hashedName('translator.safetensors', weights, 'safetensors'),
    tokenizer: hashedName('tokenizer.wasm', tokenizer, 'wasm'),
  };
  const files = new Map([[names.script, Buffer.from(script)], [names.code, code], [names.weights, weights], [names.tokenizer, tokenizer]]);
  return { names, files };
}

/** The engine by itself: engine.js, and its WebAssembly in files/. @returns {Promise<Map<string, Buffer>>} */
export async function engineFiles(site) {
  const code = readFileSync(join(site, 'engine.wasm'));
  const name = hashedName('engine.wasm', code, 'wasm');
  const source = readFileSync(join(site, 'engine.mjs'), 'utf8');
  if (!source.includes("'./engine.wasm'")) throw new Error('engine.mjs does not name engine.wasm.');
  const { code: script } = await transform(source.replace("'./engine.wasm'", `'./${name}'`), {
    minify: true, format: 'esm', target, charset: 'utf8', legalComments: 'none',
  });
  // Words to bundlers about Node's own module, which minifying takes away.
  const told = script.replace('import(', 'import(/* webpackIgnore: true *//* @vite-ignore */');
  return new Map([['engine.js', Buffer.from(told)], [name, code]]);
}

// As text, because webpack puts text in the place of a URL whose address has a name in it.
const postersOf = (posters) => `
  const posters = new Set('${posters.join(' ')}'.split(' '));
  export const posterAddress = (name) => (
    posters.has(name) ? String(new URL(\`${root}/posters/\${name}.webp\`, import.meta.url)) : null);
`;

/**
 * The module that replaces web/program/files.mjs in a distribution of many files.
 * @param {object} names of the compiled program
 * @param {string[]} posters names of the included pictures, without their extension
 */
export function filesModule(names, posters) {
  // Literal URLs, so that bundlers of other projects include each file.
  const address = (name) => `new URL('${root}/${name}', import.meta.url)`;
  return `
    export const home = new URL(/* @vite-ignore */ '${root}/', import.meta.url).href;
    export const codeAddress = () => ${address(names.code)};
    export function importScript(fresh) {
      const address = ${address(names.script)};
      if (fresh) address.searchParams.set('retry', Date.now());
      return import(address.href);
    }
    export const importAgain = (address) => import(address.replace(/\\?.*/s, '') + '?retry=' + Date.now());
    export const weightsAddress = () => ${address(names.weights)};
    export const tokenizerAddress = () => ${address(names.tokenizer)};
    export const requestCode = (address, options) => fetch(address, options);
    ${postersOf(posters)}
  `;
}

/**
 * The module that replaces web/program/files.mjs in the npm package. The script is imported like any other module: no
 * bundler could follow an address that is computed.
 * @param {object} names of the compiled program
 * @param {string[]} posters as above
 */
export function packageModule({ code, weights, tokenizer }, posters) {
  return `
    import factory from './attention-live.mjs';
    export const home = '';
    export const codeAddress = () => new URL('${root}/${code}', import.meta.url);
    export const weightsAddress = () => new URL('${root}/${weights}', import.meta.url);
    export const tokenizerAddress = () => new URL('${root}/${tokenizer}', import.meta.url);
    export const importScript = async () => ({ default: factory });
    export const importAgain = () => Promise.reject(); // the bundler's own loader knows how
    export const requestCode = (address, options) => fetch(address, options);
    ${postersOf(posters)}
  `;
}

/**
 * An esbuild plugin for bundles that have Emscripten's script in them. It computes the addresses of its files from its
 * own, but is given its only file by web/program/program.mjs.
 */
export const glue = {
  name: 'glue',
  setup(builder) {
    builder.onLoad({ filter: /program\/attention-live\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', '"file:"'), loader: 'js',
    }));
  },
};

const relativeAddress = /new URL\(\s*(['"`])((?:(?!\1)[^\n])*)\1,\s*import\.meta\.url\s*,?\s*\)/g;

/**
 * An esbuild plugin that keeps `new URL('…', import.meta.url)` pointing to the same file and replaces program/files.mjs.
 * The names of the files that are referred to are added to `named`.
 */
export function addresses(site, filesSource, named = new Set()) {
  return {
    name: 'addresses',
    setup(builder) {
      builder.onLoad({ filter: /\.m?js$/ }, ({ path }) => {
        if (path === join(site, 'program', 'files.mjs')) return { contents: filesSource, loader: 'js' };
        const contents = readFileSync(path, 'utf8').replace(relativeAddress, (whole, quote, address) => {
          const [, up, rest] = /^((?:\.{1,2}\/)*(?:\.{1,2}$)?)(.*)$/.exec(address);
          const folder = relative(site, resolve(dirname(path), up)).split(sep).filter(Boolean);
          if (!rest.includes('${')) named.add([...folder, rest].join('/').replace(/[?#].*/, ''));
          return `new URL(${quote}${[root, ...folder, rest].join('/')}${quote}, import.meta.url)`;
        });
        if (contents.replace(relativeAddress, '').includes('import.meta')) {
          throw new Error(`${relative(site, path)}: import.meta.url is used in a way that cannot be bundled.`);
        }
        return { contents, loader: 'js' };
      });
    },
  };
}

/**
 * Bundles modules that share code.
 * @param {string} site the folder they lie in
 * @param {string[]} entries their names
 * @param {string} parts the folder for what they share and for what is loaded later
 * @returns {Promise<{files: Map<string, Buffer>, names: Map<string, string>, imports: Map<string, string[]>,
 *   later: Map<string, string[]>, meant: Set<string>, start: string}>}
 *   names: entry → its name in the distribution; imports: name → what it imports; later: name → what it loads when it
 *   is needed; meant: files of the site that are asked for by address; start: what runs the program
 */
export async function bundleModules(site, entries, filesSource, parts = 'files/') {
  const meant = new Set();
  const result = await build({
    absWorkingDir: site,
    entryPoints: entries.map((entry) => ({
      in: entry,
      out: entry === element ? 'attention-live' : `files/${entry.replace(/\.m?js$/, '').replaceAll('/', '-')}`,
    })),
    outdir: 'out',
    entryNames: '[dir]/[name]',
    chunkNames: `${parts}part-[hash]`,
    bundle: true, splitting: true, minify: true, format: 'esm', target,
    charset: 'utf8', legalComments: 'none', metafile: true, write: false, logLevel: 'silent',
    plugins: [glue, addresses(site, filesSource, meant)],
  });
  const short = (path) => relative('out', path).split(sep).join('/');
  const texts = new Map(result.outputFiles.map((file) => {
    const name = short(relative(site, file.path));
    return [name, file.text.replaceAll(root, name.includes('/') ? '..' : '.')];
  }));
  const named = new Map();
  const outputs = Object.entries(result.metafile.outputs)
    .map(([path, output]) => ({ name: short(path), ...output }));
  // esbuild calls a shared chunk an entry too.
  const isPage = ({ entryPoint }) => entryPoint !== element && entries.includes(entryPoint);
  for (const output of outputs) {
    const { name } = output;
    named.set(name, isPage(output) ? hashedName(name, texts.get(name), 'js') : name);
  }
  const files = new Map([...texts].map(([name, text]) => [named.get(name), Buffer.from(text)]));
  const [imports, later] = [new Map(), new Map()];
  const names = new Map();
  for (const { name, entryPoint, imports: wanted } of outputs) {
    const changed = wanted.map((each) => short(each.path)).find((each) => named.get(each) !== each);
    if (changed) {
      throw new Error(`${name} imports ${changed}, a page's own module: move what they share out of it.`);
    }
    const ofKind = (sort) => wanted
      .filter(({ kind, external }) => kind === sort && !external).map((each) => short(each.path));
    imports.set(named.get(name), ofKind('import-statement'));
    later.set(named.get(name), ofKind('dynamic-import'));
    if (entries.includes(entryPoint)) names.set(entryPoint, named.get(name));
  }
  const start = outputs.find(({ inputs }) => Object.keys(inputs).includes('program/boot.mjs'))?.name;
  return { files, names, imports, later, meant, start: named.get(start) };
}

/** A style sheet, with what it imports. @returns {Promise<string>} */
export async function bundleStyle(site, name) {
  const result = await build({
    absWorkingDir: site, entryPoints: [name], bundle: true, minify: true, write: false, target, charset: 'utf8',
    logLevel: 'silent', legalComments: 'none',
  });
  return result.outputFiles[0].text;
}

/** The files needed until the program runs: imports, and of those loaded later the one that runs the program. */
export function untilStart(name, { imports, later, start }, seen = []) {
  const own = withImports(name, imports);
  if (own.includes(start)) return own;
  const next = own.flatMap((each) => later.get(each) ?? []).filter((each) => !seen.includes(each));
  const more = next.map((each) => untilStart(each, { imports, later, start }, [...seen, ...next]));
  return [...new Set([...own, ...more.filter((each) => each.includes(start)).flat()])];
}

/** Everything a file imports, itself first. */
export function withImports(name, imports, found = []) {
  if (!found.includes(name)) {
    found.push(name);
    for (const next of imports.get(name) ?? []) withImports(next, imports, found);
  }
  return found;
}
