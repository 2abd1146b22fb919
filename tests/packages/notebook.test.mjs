// The notebook's Python: its HTML output in a browser, number by number, and what it says to bad input.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { Firefox } from '../support/firefox.mjs';
import { dist, inChromium, programState, repository, withHost } from './support.mjs';

let folder;
before(() => { folder = mkdtempSync(join(tmpdir(), 'attention-live-notebook-')); });
after(() => rmSync(folder, { recursive: true, force: true }));

/** What a Python program says that has attention_live from where a reader of the site finds it. */
function python(text) {
  const file = join(folder, 'cell.py');
  writeFileSync(file, `import json, sys\nimport numpy as np\nimport attention_live\n${text}`);
  return JSON.parse(execFileSync(join(repository, 'tools', 'python'), ['numpy', file], {
    encoding: 'utf8', maxBuffer: 2 ** 26,
    env: { ...process.env, PYTHONPATH: join(dist, 'notebook'), PYTHONDONTWRITEBYTECODE: '1' },
  }));
}

/** The output's HTML as Jupyter puts it into its page. */
function output(html) {
  const file = join(folder, 'notebook.html');
  writeFileSync(file, `<!doctype html><html lang="en"><meta charset="utf-8"><title>notebook</title>${html}</html>`);
  return pathToFileURL(file).href;
}

/** Waits for the figures of an output to run. What they complained of is in `complaints`. */
async function figureOf(page, html) {
  await page.addInitScript(() => {
    window.complaints = [];
    document.addEventListener('error', ({ detail }) => detail && window.complaints.push(detail.message));
  });
  await page.goto(output(html));
  return page.evaluate(async () => {
    const figure = document.querySelector('attention-live');
    await figure.ready;
    return figure.state;
  });
}
const tensorOf = (page) => (name) => page.evaluate(
  async (wanted) => [...(await document.querySelector('attention-live').tensor(wanted)).data], name,
);
const complaints = (page) => page.evaluate(() => window.complaints);

const arrays = `
random = np.random.default_rng(7)
x = (random.standard_normal((5, 6)) * [[1], [1e-4], [300], [1], [1]]).astype(np.float32)
w = {name: random.standard_normal((6, 6)) for name in attention_live.WEIGHTS}
mask = np.triu(np.ones((5, 5), dtype=bool), 1)
tokens = ["the", "größte", "cat", "sat", "down"]
figure = attention_live.show(x, heads=3, tokens=tokens, mask=mask, step="softmax", query=4, head=1, **w)
`;

describe('the notebook', () => {
  test('shows what was in the arrays, to the last bit of float32, and computes with it', async () => {
    const told = python(`${arrays}
as32 = lambda a: np.asarray(a, dtype=np.float32).astype(float).ravel().tolist()
q, k = (x.astype(float) @ w[n].astype(np.float32).astype(float).T for n in ("q_proj_weight", "k_proj_weight"))
heads = lambda a: a.reshape(5, 3, 2).transpose(1, 0, 2)
scores = np.where(mask, -np.inf, heads(q) @ heads(k).transpose(0, 2, 1) / np.sqrt(2))
e = np.exp(scores - scores.max(-1, keepdims=True))
print(json.dumps({"html": figure._repr_html_(), "x": as32(x), "w": {n: as32(a) for n, a in w.items()},
                  "weights": (e / e.sum(-1, keepdims=True)).ravel().tolist()}))`);
    await inChromium(async (page) => {
      const state = await figureOf(page, told.html);
      const { step, query, head, all_heads: all, num_heads: heads } = state;
      assert.deepEqual([step, query, head, all, heads], ['softmax', 4, 1, false, 3]);
      const tensor = tensorOf(page);
      assert.deepEqual(await tensor('query_input'), told.x);
      for (const [name, values] of Object.entries(told.w)) assert.deepEqual(await tensor(name), values, name);
      const weights = await tensor('attention_weights');
      assert.equal(weights.length, told.weights.length);
      weights.forEach((weight, index) => assert.ok(Math.abs(weight - told.weights[index]) < 2e-4, `weight ${index}`));
      assert.equal(weights[1], 0, 'masked');
      assert.deepEqual(page.heard.requests.filter((url) => !/^(file|data|about):/.test(url)), []);
      assert.deepEqual(page.heard.errors, []);
      assert.deepEqual(await complaints(page), []);
    });
  });

  test('in Firefox: the same numbers', async () => {
    const { html, x } = python(`${arrays}
print(json.dumps({"html": figure._repr_html_(), "x": x.astype(float).ravel().tolist()}))`);
    const firefox = await Firefox.launch();
    try {
      const { page } = firefox;
      await page.goto(output(html));
      const shown = await page.evaluate(async () => {
        const figure = document.querySelector('attention-live');
        await figure.ready;
        return { step: figure.state.step, x: [...(await figure.tensor('query_input')).data] };
      });
      assert.deepEqual(shown, { step: 'softmax', x });
      assert.deepEqual(page.heard.errors, []);
    } finally {
      await firefox.close();
    }
  });

  test('with the address of a site it is a small frame of it', async () => {
    await withHost(dist, { policy: null }, (host) => inChromium(async (page) => {
      const { html } = python(`
figure = attention_live.show([[1, 2], [3, 4.5]], program="${host.origin}/index.html", mask=[[0, -1.5], [-np.inf, 0]])
print(json.dumps({"html": figure.html}))`);
      assert.ok(html.length < 1500);
      await page.goto(output(html));
      const frame = page.frames().find((each) => each !== page.mainFrame());
      await programState(frame);
      const tensor = (name) => frame.evaluate((wanted) => [...window.attentionLive.tensor(wanted).data], name);
      assert.deepEqual(await tensor('query_input'), [1, 2, 3, 4.5]);
      assert.deepEqual(await tensor('mask'), [0, -1.5, -Infinity, 0]);
    }));
  });

  test('takes tokens as they are', async () => {
    const tokens = ['[CLS]', '##s', "don't", 'हिन्दी', '▁the', 'a&b=c+d%20', '<b>"', '#', '😀', 'ก็', '，', '🤦🏽‍♀️'];
    const { html } = python(`
figure = attention_live.show(np.ones((${tokens.length}, 2)), tokens=${JSON.stringify(tokens)})
print(json.dumps({"html": figure._repr_html_()}))`);
    await inChromium(async (page) => {
      const { sentence } = await figureOf(page, html);
      assert.equal(sentence, tokens.join(' '));
      const [rows] = await page.evaluate(async () => (await document.querySelector('attention-live').tensor('q')).shape.slice(1));
      assert.equal(rows, tokens.length);
      assert.deepEqual(await complaints(page), []);
    });
  });

  test('twenty figures: one copy of the program; six run, the others show their picture and come back', async () => {
    const htmls = python(`
print(json.dumps([attention_live.show([[i, 1], [2, 3]], step="scores", height=300)._repr_html_() for i in range(20)]))`);
    assert.equal(htmls.filter((html) => html.includes('<script>')).length, 1);
    assert.ok(htmls[0].includes('<script>'));
    assert.ok(htmls.slice(1).every((html) => html.length < 1500));
    await inChromium(async (page) => {
      await page.setViewportSize({ width: 900, height: 500 });
      await figureOf(page, htmls.join('\n'));
      const running = () => page.evaluate(() => [...document.querySelectorAll('attention-live')].map(({ running }) => running));
      const comeIntoSight = (place) => page.evaluate(async (at) => {
        const figure = document.querySelectorAll('attention-live')[at];
        figure.scrollIntoView({ block: 'center' });
        await figure.ready;
        return { first: (await figure.tensor('query_input')).data[0] };
      }, place);
      for (const place of [5, 12, 19]) assert.deepEqual(await comeIntoSight(place), { first: place });
      assert.ok((await running()).filter(Boolean).length <= 6);
      assert.equal((await running())[0], false);
      const hasPicture = () => page.evaluate(() => document.querySelector('attention-live').shadowRoot.querySelector('.still canvas') !== null);
      assert.ok(await hasPicture());
      assert.deepEqual(await comeIntoSight(0), { first: 0 });
      await page.waitForFunction(() => document.querySelector('attention-live').running);
      assert.deepEqual(await complaints(page), []);
      assert.deepEqual(page.heard.errors, []);
    });
  });

  test('only the output of one cell has the program; it keeps it where the cell runs again', () => {
    const carries = python(`
import types
shell = types.SimpleNamespace(parent_header={}, execution_count=0)
def runs(cell, count, figures=1, by_id=True):
    shell.execution_count = count
    shell.parent_header = {"metadata": {"cellId": cell}} if by_id else {"content": {"code": cell}}
    return ["<script>" in attention_live.show(np.eye(2))._repr_html_() for _ in range(figures)]
sys.modules["IPython"] = types.SimpleNamespace(get_ipython=lambda: shell)
said = [runs("a", 1, 2), runs("b", 2), runs("a", 3, 2), runs("b", 4), runs("show(x)", 5, by_id=False)]
attention_live._carrier = None
said += [runs("show(x)", 1, by_id=False), runs("show(y)", 2, by_id=False), runs("show(x)", 3, by_id=False)]
alone = "<script>" in attention_live.show(np.eye(2)).html
sys.modules["google.colab"] = types.ModuleType("google.colab")
print(json.dumps([said, alone, runs("c", 9)]))`);
    assert.deepEqual(carries, [
      [[true, false], [false], [true, false], [false], [false], [true], [false], [true]],
      true, // html is for anywhere
      [true], // Colab shows each output in a page of its own
    ]);
  });

  test('a figure whose program is not in the page says so', async () => {
    const html = python(`
attention_live.show(np.eye(2))._repr_html_()
print(json.dumps(attention_live.show(np.eye(2))._repr_html_()))`);
    await inChromium(async (page) => {
      await page.goto(output(html));
      assert.match(await page.locator('attention-live').innerText(), /Run the cell of the notebook's first figure again/);
    });
  });

  // PyTorch is a large thing to install for a test: these have of its classes what is used.
  const torch = `
class Tensor:
    def __init__(self, values, dtype="torch.float32", plain=False):
        self.values, self.dtype, self.is_plain = np.asarray(values), dtype, plain
    def detach(self): return self
    def cpu(self): return Tensor(self.values, self.dtype, True)
    def float(self): return Tensor(self.values, "torch.float32", True)
    def __array__(self, dtype=None, copy=None):
        if not self.is_plain: raise RuntimeError("Can't call numpy() on Tensor that requires grad.")
        if self.dtype == "torch.bfloat16": raise TypeError("Got unsupported ScalarType BFloat16")
        return self.values.astype(dtype or self.values.dtype)

class Layer:
    pass

def attention(E, heads, bias=True):
    random = np.random.default_rng(3)
    it = Layer()
    it.num_heads, it.embed_dim, it.kdim, it.vdim, it.batch_first = heads, E, E, E, False
    it.bias_k = it.bias_v = None
    it.add_zero_attn = False
    it.in_proj_weight = Tensor(random.standard_normal((3 * E, E)).astype(np.float32))
    it.in_proj_bias = Tensor(random.standard_normal(3 * E).astype(np.float32)) if bias else None
    it.out_proj = Layer()
    it.out_proj.weight = Tensor(random.standard_normal((E, E)).astype(np.float32), "torch.bfloat16")
    it.out_proj.bias = Tensor(random.standard_normal(E).astype(np.float32)) if bias else None
    return it
`;

  test('takes a whole MultiheadAttention, with tensors that need gradients and biases', async () => {
    const { html, output: wanted, bias } = python(`${torch}
mha = attention(4, 2)
x = np.random.default_rng(5).standard_normal((3, 1, 4)).astype(np.float32)
mask = Tensor(np.triu(np.ones((3, 3), dtype=bool), 1), "torch.bool")
figure = attention_live.show(Tensor(x), attention=mha, mask=mask, step="output")
w, b = mha.in_proj_weight.values.astype(float), mha.in_proj_bias.values.astype(float)
q, k, v = np.split(x[:, 0].astype(float) @ w.T + b, 3, axis=1)
heads = lambda a: a.reshape(3, 2, 2).transpose(1, 0, 2)
scores = np.where(mask.values, -np.inf, heads(q) @ heads(k).transpose(0, 2, 1) / np.sqrt(2))
e = np.exp(scores - scores.max(-1, keepdims=True))
merged = (e / e.sum(-1, keepdims=True) @ heads(v)).transpose(1, 0, 2).reshape(3, 4)
out = merged @ mha.out_proj.weight.values.astype(float).T + mha.out_proj.bias.values
print(json.dumps({"html": figure._repr_html_(), "output": out.ravel().tolist(),
                  "bias": mha.in_proj_bias.values[4:8].astype(float).tolist()}))`);
    await inChromium(async (page) => {
      assert.equal((await figureOf(page, html)).num_heads, 2);
      assert.deepEqual(await complaints(page), []);
      const tensor = tensorOf(page);
      assert.deepEqual(await tensor('k_proj_bias'), bias);
      (await tensor('output')).forEach((value, index) => assert.ok(Math.abs(value - wanted[index]) < 1e-4, `output ${index}`));
      assert.deepEqual(page.heard.errors, []);
    });
  });

  test('says which modules it cannot show', () => {
    const said = python(`${torch}
def refusal(change, x=np.zeros((2, 4))):
    mha = attention(4, 2, bias=False)
    change(mha)
    try:
        return attention_live.show(x, attention=mha).link
    except ValueError as problem:
        return str(problem)
print(json.dumps([
    refusal(lambda it: None)[:1],
    refusal(lambda it: setattr(it, "kdim", 6)),
    refusal(lambda it: setattr(it, "add_zero_attn", True)),
    refusal(lambda it: None, np.zeros((2, 6))),
]))`);
    assert.deepEqual(said, [
      '#',
      'attention has a kdim or vdim of its own; a self-attention has embed_dim for all.',
      'attention has add_bias_kv or add_zero_attn, which the figure does not show.',
      'q_proj_weight has the shape [4, 4]; [6, 6] is needed.',
    ]);
  });

  test('bad input gets one sentence that says what is allowed', () => {
    const calls = [
      ['np.zeros((3, 5))', 'query_input has 5 columns; embed_dim must be an even number from 2 to 512.'],
      ['np.zeros((65, 4))', 'query_input has 65 rows; 1 to 64 tokens are possible.'],
      ['np.zeros((2, 2, 4))', 'query_input has the shape [2, 2, 4]; [tokens, embed_dim] is needed.'],
      ['"abc"', 'query_input is no array of numbers.'],
      ['[[1, 2], [np.nan, 3]]', 'query_input[1, 0] is nan; numbers from -10000 to 10000 are possible.'],
      ['[[1, 2e4]]', 'query_input[0, 1] is 20000.0; numbers from -10000 to 10000 are possible.'],
      ['np.zeros((2, 6)), heads=4', '4 heads do not divide embed_dim 6.'],
      ['np.zeros((2, 6)), heads=2.5', 'heads is 2.5; a whole number from 1 to 6 is needed.'],
      ['np.zeros((2, 4)), tokens=["a"]', 'There are 1 tokens and 2 rows of query_input.'],
      ['np.zeros((2, 4)), tokens=["a b", "c"]',
        "The token 'a b' is not possible: a token is a text of 1 to 64 characters, without spaces."],
      ['np.zeros((2, 4)), tokens=["", "c"]',
        "The token '' is not possible: a token is a text of 1 to 64 characters, without spaces."],
      ['np.zeros((2, 4)), tokens=["a\\u2028", "c"]',
        "The token 'a\\u2028' is not possible: a token is a text of 1 to 64 characters, without spaces."],
      ['np.zeros((2, 4)), tokens=["a，", "c"]',
        "The token 'a，' is not possible: each letter of a script without spaces between words is a token."],
      ['np.zeros((2, 4)), q_proj_bias=np.zeros(3)', 'q_proj_bias has the shape [3]; [4] is needed.'],
      ['np.zeros((2, 4)), attention=3', 'attention is no torch.nn.MultiheadAttention.'],
      ['np.zeros((2, 4)), attention=3, heads=2', 'attention has heads, weights and biases of its own: give it, or give these.'],
      ['np.zeros((2, 4)), tokens=["你好", "世界"]',
        "The token '你好' is not possible: each letter of a script without spaces between words is a token."],
      ['np.zeros((2, 4)), mask=[[0, -1e10], [0, 0]]',
        'mask[0, 1] is -10000000000.0; numbers from -1000000000 to 1000000000 are possible.'],
      ['np.zeros((2, 4)), step="attend"', "step is 'attend'; allowed: sentence, input, project, split, transpose, " +
        'scores, scale, mask, softmax, reweight, merge, output, overview.'],
      ['np.zeros((2, 4)), mask=np.zeros((2, 3))', 'mask has the shape [2, 3]; [2, 2] is needed.'],
      ['np.zeros((2, 4)), mask=[["a", "b"], ["c", "d"]]', 'mask is no array of booleans or numbers.'],
      ['np.zeros((2, 4)), q_proj_weight=np.zeros((4, 2))', 'q_proj_weight has the shape [4, 2]; [4, 4] is needed.'],
      ['np.zeros((2, 4)), scale=0', 'scale is 0; a number from 0.000001 to 1000000 or one of sqrt-head-dim, ' +
        'sqrt-keys, none is needed.'],
      ['np.zeros((64, 512))', 'These are 32768 numbers; a figure takes up to 10000.'],
      ['np.random.default_rng(1).standard_normal((64, 150)), heads=1',
        /^These numbers take \d+ letters and a figure up to 65536: /],
      ['np.zeros((2, 4)), program="nowhere.html"',
        "program is 'nowhere.html': neither an http(s) address nor a file that exists."],
      [`np.zeros((2, 4)), program=${JSON.stringify(join(dist, 'attention-live.html'))}`,
        `program is '${join(dist, 'attention-live.html')}': attention-live-whole.js is needed, or the http(s) address of a page of a site.`],
    ];
    const said = python(`
said = []
for call in ${JSON.stringify(calls.map(([call]) => call))}:
    try:
        said.append(str(eval(f"attention_live.show({call})").link))
    except ValueError as problem:
        said.append(str(problem))
print(json.dumps(said))`);
    calls.forEach(([call, wanted], index) => {
      if (typeof wanted === 'string') assert.equal(said[index], wanted, call);
      else assert.match(said[index], wanted, call);
    });
  });

  test('what it takes as the largest is what the program takes', async () => {
    const source = readFileSync(join(repository, 'web', 'notebook', 'attention_live.py'), 'utf8');
    const number = (name) => Number(new RegExp(`^${name} = ([\\d_]+)$`, 'm').exec(source)[1].replaceAll('_', ''));
    const header = (path, name) => {
      const text = readFileSync(join(repository, 'src', path), 'utf8');
      return Number(new RegExp(`${name} = ([\\d'e]+)`).exec(text)[1].replaceAll("'", ''));
    };
    assert.equal(number('LARGEST'), header('document/edits/given.hpp', 'largest_value'));
    assert.equal(number('LARGEST_MASK'), header('document/edits/given.hpp', 'largest_mask_value'));
    assert.equal(number('MOST_EDITS'), header('document/edits/given.hpp', 'max_edits'));
    assert.equal(number('MOST_TOKENS'), header('lesson/input/tokenize.hpp', 'max_tokens'));
    assert.equal(number('MOST_HEADS'), header('lesson/examples/your_sentence.cpp', '.largest_num_heads'));
    assert.equal(number('WIDEST'), header('lesson/examples/your_sentence.cpp', '.largest_embed_dim'));
    assert.equal(number('LONGEST_TOKEN'), header('lesson/input/tokenize.hpp', 'max_token_length'));
    assert.equal(number('LONGEST_LINK'), 64 * 1024);
    const tokenize = readFileSync(join(repository, 'src', 'lesson/input/tokenize.cpp'), 'utf8');
    for (const name of ['WITHOUT_SPACES', 'JOINS_LEFT']) {
      const [, here] = new RegExp(`^${name} = """([^"]*)"""`, 'm').exec(source);
      const [, there] = new RegExp(`${name.toLowerCase()} = \\{([^;]*)\\};`).exec(tokenize);
      assert.deepEqual(here.trim().split(/\s+/), [...there.matchAll(/Range\{0x(\w+),\s*0x(\w+)\}/g)].map(([, a, b]) => `${a}-${b}`), name);
    }
  });
});
