#!/usr/bin/env node
// Splits the linked program into what draws the first frame and the rest, which a page loads after that.
//
//   split.mjs WASM_SPLIT LINKED.wasm FIRST.wasm REST.wasm
//
// LINKED has the names of its functions. Any division gives a right program: in the first part, a function of the rest
// is a call that web/program/program.mjs answers by loading the rest and starting over. A good one lets the first frame
// come without that, which tests/packages/dist.test.mjs looks at.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { readable, takeApart } from './wasm_module.mjs';

/** What can wait, by the names of functions without parameters. Nothing of it is called before the first frame is drawn. */
const later = [
  // Rooms that are used only when a reader asks for them, but not the list of what there is to be learned.
  /\btraining::(?!(task|reverse|look_back|agree)$)/, /\btranslation::(?!(is_installed|the_one)$)|\bfiles::/,
  // Gradients, and learning from them.
  /[Gg]radient|\bBackward|\bdocument::learn|\bLearner|\b(document|lesson)::.*[Tt]raining|::training_(settings|words)/,
  // Operations of other examples.
  /\bops::.*(erf|gelu|norm|rotat|turned|alibi|cap\b)/i,
  // Figures of other steps, and motion between steps.
  /\bstage::put_(reweight|run|picture|ribbon|by_head|output|scores|softmax|scale|mask|matrix|cards|attentions|arcs|card)/,
  /\bstage::(reweight::|crossing|token_cards|zoom|subtract|changed_cells|head_contributions|arrow_plane|begin_table|split_table)/,
  // Panels that are closed at first, and pictures to save.
  /\bdraw::(svg_of|settings|(sizes|learn|break|picture)_panel|copy_controls|Widgets::(field|open_list|answer))/,
  /\bTrainingPanel::/,
  // Fields, lists and keys.
  /\bImGui::(InputText|TabBar|Selectable|Separator|RenderMouseCursor|ScrollTo|Arrow|FindBestWindowPos)|^InputText|^ImGuiInputText/,
  // Edits, and what a page or a reader asks of the program.
  /\bdocument::(read_(row|edit|cell)|edits_|given_behind|tensor_behind|with_cells|check_finite|updates|canonical_edit)/,
  /\bapp::(App::(copy_text|begin_guessing|go_to|paste|drag_to|press_at|refuses|save_picture)|MaskStroke|edits_of)/,
  /\blesson::(tokenize|spoken|picture_from|landscape|say|sequence_of|place_of|place_after|with_target|text_of|shown)/,
  /\bdocument::as_far_as_said/,
];

/** The name of a function without parameters and what templates are given: the last word is the function's own. */
function ownName(name) {
  let own = name.replaceAll('(anonymous namespace)::', '').replace(/\boperator(<=>|<<|>>|<=|>=|->|<|>|\(\))/g, 'operator');
  for (let before = ''; own !== before;) {
    before = own;
    own = own.replace(/<[^<>]*>|\([^()]*\)/g, '');
  }
  return own.trim();
}

/** A name as wasm-split reads it in a list: as in the text format of WebAssembly, where \xx is a byte. */
function escaped(name) {
  const plain = /[0-9A-Za-z!#$%&'*+\-./:<=>?@\\^_`|~]/;
  return Array.from(Buffer.from(name), (byte) => {
    const letter = String.fromCharCode(byte);
    return byte < 128 && plain.test(letter) ? letter : `\\${byte.toString(16).padStart(2, '0')}`;
  }).join('');
}

const [wasmSplit, linked, first, rest] = process.argv.slice(2);
const names = takeApart(readFileSync(linked)).functions.map(({ name }) => name);
const told = readable(names);
const waiting = names.filter((name, i) => later.some((pattern) => pattern.test(ownName(told[i]))));
if (waiting.length === 0) throw new Error(`${linked} has no function that can wait: were the names of functions kept?`);

const folder = mkdtempSync(join(tmpdir(), 'attention-live-split-'));
try {
  const list = join(folder, 'functions');
  writeFileSync(list, waiting.map((name) => `${escaped(name)}\n`).join(''));
  const { status, error, stderr } = spawnSync(wasmSplit, [
    linked, '--all-features', `--split-funcs=@${list}`, '-o1', first, '-o2', rest,
  ], { encoding: 'utf8' });
  if (error) throw error;
  // It says of a name it does not know that it keeps going, and then the function is in the first part.
  if (stderr) process.stderr.write(`${stderr.split('\n').slice(0, 5).join('\n')}\n`);
  if (status !== 0) throw new Error(`${wasmSplit} ended with ${status}.`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
