#!/usr/bin/env python3
"""Compares `attention-live trace --layer` with each family of models, written again in NumPy and in double.

model_layers.py PROGRAM FOLDER: writes a file of a model for each family into the folder, at the sizes of a known model
and with random numbers, traces one of its attentions, and prints the largest differences as JSON:
{"GPT-2": {"name": …, "worst": {"output": 1e-7, …}}}. Nothing here is taken from the program: formulas are those of the
model's own code, named below.
"""
import json
import pathlib
import subprocess
import sys

import numpy as np

random = np.random.default_rng(20)


def normal(*shape):
    """Numbers that keep the size of what they are multiplied with."""
    return (random.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32)


def encoded(array, dtype):
    """The bytes in a file, and the numbers that they stand for."""
    if dtype == 'BF16':
        bits = array.view(np.uint32) >> 16
        return bits.astype('<u2').tobytes(), (bits << 16).astype(np.uint32).view(np.float32)
    stored = array.astype({'F32': '<f4', 'F16': '<f2', 'F64': '<f8'}[dtype])
    return stored.tobytes(), stored.astype(np.float32)


def write(path, tensors, dtype='F32', metadata=None):
    """Writes the tensors; they become what was written."""
    header, data, end = {}, [], 0
    if metadata:
        header['__metadata__'] = metadata
    for name in sorted(tensors):
        as_stored, tensors[name] = encoded(tensors[name], dtype)
        header[name] = {'dtype': dtype, 'shape': list(tensors[name].shape), 'data_offsets': [end, end + len(as_stored)]}
        end += len(as_stored)
        data.append(as_stored)
    text = json.dumps(header).encode()
    path.write_bytes(len(text).to_bytes(8, 'little') + text + b''.join(data))


def read(path):
    file = path.read_bytes()
    length = int.from_bytes(file[:8], 'little')
    tensors = {}
    for name, entry in json.loads(file[8:8 + length]).items():
        if name == '__metadata__':
            continue
        begin, end = entry['data_offsets']
        tensors[name] = np.frombuffer(file[8 + length + begin:8 + length + end], '<f4').reshape(entry['shape'])
    return tensors


def heads_of(x, heads):
    return x.reshape(len(x), heads, -1).transpose(1, 0, 2)


def rotated(x, base):
    """modeling_llama.py: apply_rotary_pos_emb, with rotate_half."""
    half = x.shape[-1] // 2
    angles = np.outer(np.arange(x.shape[-2]), base ** (-np.arange(half) / half))
    cos, sin = np.cos(angles), np.sin(angles)
    return np.concatenate([x[..., :half] * cos - x[..., half:] * sin, x[..., half:] * cos + x[..., :half] * sin], -1)


def rms_norm(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weight


def attention(q, k, v, heads, groups=None, scaled=True, causal=False, rope=None, norms=None):
    q, k, v = heads_of(q, heads), heads_of(k, groups or heads), heads_of(v, groups or heads)
    if norms:
        q, k = rms_norm(q, norms[0]), rms_norm(k, norms[1])
    if rope:
        q, k = rotated(q, rope), rotated(k, rope)
    if groups:
        k, v = np.repeat(k, heads // groups, 0), np.repeat(v, heads // groups, 0)
    scores = q @ k.transpose(0, 2, 1) / (np.sqrt(q.shape[-1]) if scaled else 1.0)
    if causal:
        scores = np.where(np.tri(scores.shape[1], scores.shape[2], dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    weights /= weights.sum(-1, keepdims=True)
    return weights, (weights @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)


def linear(x, tensors, name):
    y = x @ tensors[name + '.weight'].astype(np.float64).T
    return y + tensors[name + '.bias'] if name + '.bias' in tensors else y


# Each family: the tensors of a file, the attention that is traced with its options, and how its model computes
# output and weights from the inputs x, and y for keys of another sequence.

def pytorch(cross):
    """torch.nn.TransformerDecoderLayer with d_model 512, nhead 8."""
    tensors = {}
    for layer in range(2):
        for part in ('self_attn', 'multihead_attn'):
            name = f'transformer.decoder.layers.{layer}.{part}.'
            tensors |= {name + 'in_proj_weight': normal(1536, 512), name + 'in_proj_bias': normal(1536),
                        name + 'out_proj.weight': normal(512, 512), name + 'out_proj.bias': normal(512)}
    name = 'transformer.decoder.layers.1.' + ('multihead_attn' if cross else 'self_attn')

    def compute(x, y):
        y = y if cross else x
        w, b = tensors[name + '.in_proj_weight'].astype(np.float64), tensors[name + '.in_proj_bias']
        q, k, v = (z @ w[512 * i:512 * i + 512].T + b[512 * i:512 * i + 512] for i, z in enumerate((x, y, y)))
        weights, merged = attention(q, k, v, 8, causal=not cross)
        return weights, linear(merged, tensors, name + '.out_proj')
    return tensors, name, [], compute, 'F32'


def pytorch_widths():
    """torch.nn.MultiheadAttention(64, 4, kdim=48, vdim=80): its separate weights, and the biases in one."""
    tensors = {'attn.q_proj_weight': normal(64, 64), 'attn.k_proj_weight': normal(64, 48),
               'attn.v_proj_weight': normal(64, 80), 'attn.in_proj_bias': normal(192),
               'attn.out_proj.weight': normal(64, 64), 'attn.out_proj.bias': normal(64)}

    def compute(x, y, z):
        b = tensors['attn.in_proj_bias']
        q, k, v = (of @ tensors[f'attn.{which}_proj_weight'].astype(np.float64).T + b[64 * i:64 * i + 64]
                   for i, (which, of) in enumerate((('q', x), ('k', y), ('v', z))))
        weights, merged = attention(q, k, v, 4)
        return weights, linear(merged, tensors, 'attn.out_proj')
    return tensors, 'attn', ['--heads', '4'], compute, 'F64'


def gpt2():
    """GPT-2 small, modeling_gpt2.py: Conv1D is x @ weight + bias; split in three; causal."""
    tensors = {'wte.weight': normal(100, 768)}
    for layer in (0, 1, 2, 10):
        name = f'h.{layer}.attn.'
        tensors |= {name + 'c_attn.weight': normal(768, 2304), name + 'c_attn.bias': normal(2304),
                    name + 'c_proj.weight': normal(768, 768), name + 'c_proj.bias': normal(768),
                    name + 'bias': np.tri(64, dtype=np.float32).reshape(1, 1, 64, 64)}
    # The numbers of Conv1D are stored [in, out], so what keeps the size is the first axis.
    name = 'h.10.attn.'

    def compute(x, _):
        qkv = x @ tensors[name + 'c_attn.weight'].astype(np.float64) + tensors[name + 'c_attn.bias']
        weights, merged = attention(*np.split(qkv, 3, -1), 12, causal=True)
        return weights, merged @ tensors[name + 'c_proj.weight'].astype(np.float64) + tensors[name + 'c_proj.bias']
    return tensors, 'h.10.attn', [], compute, 'F32'


def bert():
    """BERT-base, modeling_bert.py: BertSelfAttention and the dense layer of BertSelfOutput."""
    tensors = {}
    for layer in range(2):
        name = f'bert.encoder.layer.{layer}.attention.'
        for part in ('self.query', 'self.key', 'self.value', 'output.dense'):
            tensors |= {f'{name}{part}.weight': normal(768, 768), f'{name}{part}.bias': normal(768)}
        tensors |= {name + 'output.LayerNorm.weight': normal(768), name + 'output.LayerNorm.bias': normal(768)}
    name = 'bert.encoder.layer.1.attention'

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.self.{part}') for part in ('query', 'key', 'value'))
        weights, merged = attention(q, k, v, 12)
        return weights, linear(merged, tensors, name + '.output.dense')
    return tensors, name, [], compute, 'F32'


def bart():
    """BART-large, modeling_bart.py: the attention of a decoder to the encoder."""
    tensors = {}
    for part in ('self_attn', 'encoder_attn'):
        for projection in ('q_proj', 'k_proj', 'v_proj', 'out_proj'):
            name = f'model.decoder.layers.0.{part}.{projection}'
            tensors |= {name + '.weight': normal(1024, 1024), name + '.bias': normal(1024)}
    name = 'model.decoder.layers.0.encoder_attn'

    def compute(x, y):
        q, k, v = linear(x, tensors, name + '.q_proj'), linear(y, tensors, name + '.k_proj'), linear(y, tensors, name + '.v_proj')
        weights, merged = attention(q, k, v, 16)
        return weights, linear(merged, tensors, name + '.out_proj')
    return tensors, name, [], compute, 'F16'


def t5():
    """T5-small, modeling_t5.py, without its bias of relative positions: no scale, no bias."""
    tensors = {'encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight': normal(32, 8)}
    for layer in range(2):
        for part in 'qkvo':
            tensors[f'encoder.block.{layer}.layer.0.SelfAttention.{part}.weight'] = normal(512, 512)
    name = 'encoder.block.1.layer.0.SelfAttention'

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}') for part in 'qkv')
        weights, merged = attention(q, k, v, 8, scaled=False)
        return weights, linear(merged, tensors, name + '.o')
    return tensors, name, [], compute, 'F32'


def t5_narrow():
    """Flan-T5-small: its 6 heads are together 384 wide, the model 512."""
    tensors = {f'decoder.block.0.layer.0.SelfAttention.{part}.weight': normal(384, 512) for part in 'qkv'}
    name = 'decoder.block.0.layer.0.SelfAttention'
    tensors[name + '.o.weight'] = normal(512, 384)

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}') for part in 'qkv')
        weights, merged = attention(q, k, v, 6, scaled=False, causal=True)
        return weights, linear(merged, tensors, name + '.o')
    return tensors, name, [], compute, 'F32'


def llama(width, heads, groups, head_dim, base, norms=False, options=(), dtype='F32'):
    """modeling_llama.py; with norms as modeling_qwen3.py has them."""
    tensors = {}
    name = 'model.layers.0.self_attn'
    tensors |= {name + '.q_proj.weight': normal(heads * head_dim, width), name + '.k_proj.weight': normal(groups * head_dim, width),
                name + '.v_proj.weight': normal(groups * head_dim, width), name + '.o_proj.weight': normal(width, heads * head_dim)}
    if norms:
        tensors |= {name + '.q_norm.weight': 1 + normal(head_dim), name + '.k_norm.weight': 1 + normal(head_dim)}

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}_proj') for part in 'qkv')
        given = [tensors[f'{name}.{which}_norm.weight'].astype(np.float64) for which in 'qk'] if norms else None
        weights, merged = attention(q, k, v, heads, groups, causal=True, rope=base, norms=given)
        return weights, linear(merged, tensors, name + '.o_proj')
    return tensors, name, list(options), compute, dtype


def largest(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    return float(np.abs(a - b).max())


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    families = {'PyTorch': pytorch(False), 'PyTorch, cross': pytorch(True), 'PyTorch, widths': pytorch_widths(),
                'GPT-2': gpt2(), 'BERT': bert(), 'BART': bart(), 'T5': t5(),
                'T5, narrow heads': t5_narrow(),
                'Llama': llama(2048, 32, 4, 64, 1e4, dtype='BF16'),  # TinyLlama
                'Qwen3': llama(2048, 16, 2, 128, 1e6, norms=True, options=['--rope', '1e6']),
                'Qwen3, wide heads': llama(1024, 16, 8, 128, 1e6, norms=True, options=['--rope', '1e6']),  # Qwen3 0.6B
                'Gemma': llama(3072, 16, 16, 256, 1e4, options=['--heads', '16'])}  # Gemma 7B
    said = {}
    for family, (tensors, name, options, compute, dtype) in families.items():
        path, made, inputs = (folder / f'{family}.{end}' for end in ('safetensors', 'out', 'inputs'))
        write(path, tensors, dtype)
        width = {'PyTorch, widths': 64, 'PyTorch': 512, 'PyTorch, cross': 512, 'T5': 512, 'T5, narrow heads': 512, 'BART': 1024,
                 'Llama': 2048, 'Qwen3': 2048, 'Qwen3, wide heads': 1024, 'Gemma': 3072}.get(family, 768)
        of_query = random.standard_normal((11, width)).astype(np.float32)
        given = {'query': of_query}
        if 'widths' in family:
            given |= {'key': random.standard_normal((9, 48)).astype(np.float32),
                      'value': random.standard_normal((9, 80)).astype(np.float32)}
        elif 'cross' in family or family == 'BART':
            given['key'] = random.standard_normal((9, width)).astype(np.float32)
        if len(given) == 1:
            inputs = folder / f'{family}.npy'
            np.save(inputs, of_query)
        else:
            write(inputs, given)
        arguments = [program, 'trace', str(path), '--layer', name, '--input', str(inputs), *options, '-o', str(made)]
        ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        traced = read(made)
        arrays = [array.astype(np.float64) for array in given.values()]
        weights, output = compute(*(arrays if len(arrays) > 1 else [arrays[0], None]))
        said[family] = {'said': ended.stderr, 'size': float(np.abs(output).mean()),
                        'worst': {'attention_weights': largest(weights, traced['attention_weights'][0]),
                                  'output': largest(output, traced['output'][0])}}
    print(json.dumps(said))


main()
