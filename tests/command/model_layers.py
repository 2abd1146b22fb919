#!/usr/bin/env python3
"""Compares `attention-live trace --layer` with each family of models, written again in NumPy and in double.

model_layers.py PROGRAM FOLDER [FAMILY…]: writes a file of a model for each family into the folder, at the sizes of a known model
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


def frequencies(base, dims):
    return base ** (-np.arange(dims // 2) * 2 / dims)


def rotated(x, turns, factor=1.0):
    """modeling_llama.py: apply_rotary_pos_emb, with rotate_half, of the first numbers of each head; `turns` are the
    radians of each pair per position."""
    half = len(turns)
    first, second, rest = x[..., :half], x[..., half:2 * half], x[..., 2 * half:]
    angles = np.outer(np.arange(x.shape[-2]), turns)
    cos, sin = np.cos(angles) * factor, np.sin(angles) * factor
    return np.concatenate([first * cos - second * sin, second * cos + first * sin, rest], -1)


def rms_norm(x, weight):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * weight


def attention(q, k, v, heads, groups=None, scaled=True, causal=False, turn=None, norms=None, bias=0.0, sees=None, sinks=None):
    """`turn` is what rotary positions do; `bias` [H, L, L] is added to scores; `sees` [L, L] says which keys are seen."""
    q, k, v = heads_of(q, heads), heads_of(k, groups or heads), heads_of(v, groups or heads)
    if norms:
        q, k = rms_norm(q, norms[0]), rms_norm(k, norms[1])
    if turn:
        q, k = turn(q), turn(k)
    if groups:
        k, v = np.repeat(k, heads // groups, 0), np.repeat(v, heads // groups, 0)
    scores = q @ k.transpose(0, 2, 1) / (np.sqrt(q.shape[-1]) if scaled else 1.0) + bias
    if causal:
        scores = np.where(np.tri(scores.shape[1], scores.shape[2], dtype=bool), scores, -np.inf)
    if sees is not None:
        scores = np.where(sees, scores, -np.inf)
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - largest)
    weights /= weights.sum(-1, keepdims=True) + (0.0 if sinks is None else np.exp(sinks[:, None, None] - largest))
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


def t5_buckets(length, both_ways, buckets=32, longest=128):
    """modeling_t5.py: T5Attention._relative_position_bucket."""
    distance = np.arange(length)[None] - np.arange(length)[:, None]
    first = 0
    if both_ways:
        buckets //= 2
        first, distance = (distance > 0) * buckets, np.abs(distance)
    else:
        distance = -np.minimum(distance, 0)
    exact = buckets // 2
    with np.errstate(divide='ignore'):
        far = exact + (np.log(distance / exact) / np.log(longest / exact) * (buckets - exact)).clip(0).astype(int)
    return first + np.where(distance < exact, distance, np.minimum(far, buckets - 1))


def t5(stack, width, heads):
    """T5-small, and Flan-T5-small, whose 6 heads are together 384 wide: no scale; one table for each stack."""
    tensors = {}
    for each in ('encoder', 'decoder'):
        tensors[f'{each}.block.0.layer.0.SelfAttention.relative_attention_bias.weight'] = normal(32, heads) * 5
        for layer in range(2):
            name = f'{each}.block.{layer}.layer.0.SelfAttention.'
            tensors |= {f'{name}{part}.weight': normal(64 * heads, width) for part in 'qkv'}
            tensors[name + 'o.weight'] = normal(width, 64 * heads)
    name = f'{stack}.block.1.layer.0.SelfAttention'

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}') for part in 'qkv')
        table = tensors[f'{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight'].astype(np.float64)
        bias = table[t5_buckets(len(x), stack == 'encoder')].transpose(2, 0, 1)
        weights, merged = attention(q, k, v, heads, scaled=False, causal=stack == 'decoder', bias=bias)
        return weights, linear(merged, tensors, name + '.o')
    return tensors, name, [], compute, 'F32'


def swin(width, heads, side):
    """Swin-T, modeling_swin.py: SwinSelfAttention, and the dense layer of SwinSelfOutput."""
    name = 'swin.encoder.layers.0.blocks.0.attention'
    tensors = {f'{name}.self.relative_position_bias_table': normal((2 * side - 1) ** 2, heads)}
    for part in ('self.query', 'self.key', 'self.value', 'output.dense'):
        tensors |= {f'{name}.{part}.weight': normal(width, width), f'{name}.{part}.bias': normal(width)}
    rows, columns = np.divmod(np.arange(side * side), side)
    index = (rows[:, None] - rows + side - 1) * (2 * side - 1) + columns[:, None] - columns + side - 1

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.self.{part}') for part in ('query', 'key', 'value'))
        table = tensors[f'{name}.self.relative_position_bias_table'].astype(np.float64)
        weights, merged = attention(q, k, v, heads, bias=table[index].transpose(2, 0, 1))
        return weights, linear(merged, tensors, name + '.output.dense')
    return tensors, name, [], compute, 'F32', {'model_type': 'swin', 'embed_dim': width, 'num_heads': [heads, 2 * heads]}


def llama(width, heads, groups, head_dim, base, norms=False, options=(), dtype='F32'):
    """modeling_llama.py; with norms as modeling_qwen3.py has them."""
    name = 'model.layers.0.self_attn'
    tensors = llama_tensors(name, width, heads, groups, head_dim)
    if norms:
        tensors |= {name + '.q_norm.weight': 1 + normal(head_dim), name + '.k_norm.weight': 1 + normal(head_dim)}

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}_proj') for part in 'qkv')
        given = [tensors[f'{name}.{which}_norm.weight'].astype(np.float64) for which in 'qk'] if norms else None
        weights, merged = attention(q, k, v, heads, groups, causal=True, norms=given,
                                    turn=lambda z: rotated(z, frequencies(base, head_dim)))
        return weights, linear(merged, tensors, name + '.o_proj')
    return tensors, name, list(options), compute, dtype


def llama_tensors(name, width, heads, groups, head_dim, bias=False):
    tensors = {}
    for part, rows in (('q', heads), ('k', groups), ('v', groups)):
        tensors[f'{name}.{part}_proj.weight'] = normal(rows * head_dim, width)
        if bias:
            tensors[f'{name}.{part}_proj.bias'] = normal(rows * head_dim)
    tensors[name + '.o_proj.weight'] = normal(width, heads * head_dim)
    if bias:
        tensors[name + '.o_proj.bias'] = normal(width)
    return tensors


def llama31():
    """Llama 3.2 1B: the angles of _compute_llama3_parameters in modeling_rope_utils.py."""
    name = 'model.layers.0.self_attn'
    tensors = llama_tensors(name, 2048, 32, 8, 64)
    scaling = {'factor': 32.0, 'high_freq_factor': 4.0, 'low_freq_factor': 1.0,
               'original_max_position_embeddings': 8192, 'rope_type': 'llama3'}
    turns = frequencies(5e5, 64)
    lengths = 2 * np.pi / turns
    smooth = (8192 / lengths - 1) / 3
    between = (1 - smooth) * turns / 32 + smooth * turns
    turns = np.where(lengths > 8192, turns / 32, np.where(lengths < 2048, turns, between))

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}_proj') for part in 'qkv')
        weights, merged = attention(q, k, v, 32, 8, causal=True, turn=lambda z: rotated(z, turns))
        return weights, linear(merged, tensors, name + '.o_proj')
    config = {'model_type': 'llama', 'num_attention_heads': 32, 'num_key_value_heads': 8, 'head_dim': 64,
              'rope_theta': 500000.0, 'rope_scaling': scaling, 'max_position_embeddings': 131072}
    return tensors, name, [], compute, 'BF16', config


def phi3():
    """Phi-3-mini-128k: q, k and v in one; _compute_longrope_parameters."""
    name = 'model.layers.0.self_attn'
    tensors = {name + '.qkv_proj.weight': normal(9216, 3072), name + '.o_proj.weight': normal(3072, 3072)}
    short, long = 1 + np.arange(48) / 50, 1 + np.arange(48)
    factor = np.sqrt(1 + np.log(32) / np.log(4096))

    def compute(x, _):
        q, k, v = np.split(linear(x, tensors, name + '.qkv_proj'), 3, -1)
        weights, merged = attention(q, k, v, 32, causal=True,
                                    turn=lambda z: rotated(z, frequencies(1e4, 96) / short, factor))
        return weights, linear(merged, tensors, name + '.o_proj')
    config = {'model_type': 'phi3', 'num_attention_heads': 32, 'num_key_value_heads': 32, 'rope_theta': 10000.0,
              'max_position_embeddings': 131072, 'original_max_position_embeddings': 4096,
              'rope_scaling': {'type': 'longrope', 'short_factor': short.tolist(), 'long_factor': long.tolist()}}
    return tensors, name, [], compute, 'BF16', config


def neox():
    """Pythia 410M, modeling_gpt_neox.py: q, k and v of a head side by side; a quarter of it is turned."""
    name = 'gpt_neox.layers.0.attention'
    tensors = {name + '.query_key_value.weight': normal(3072, 1024), name + '.query_key_value.bias': normal(3072),
               name + '.dense.weight': normal(1024, 1024), name + '.dense.bias': normal(1024)}

    def compute(x, _):
        q, k, v = linear(x, tensors, name + '.query_key_value').reshape(len(x), 16, 3, 64).transpose(2, 0, 1, 3).reshape(3, len(x), 1024)
        weights, merged = attention(q, k, v, 16, causal=True, turn=lambda z: rotated(z, frequencies(1e4, 16)))
        return weights, linear(merged, tensors, name + '.dense')
    return tensors, name, [], compute, 'F16', {'model_type': 'gpt_neox', 'num_attention_heads': 16, 'rotary_pct': 0.25,
                                               'rotary_emb_base': 10000}


def falcon():
    """Falcon 7B, modeling_falcon.py: 71 heads of queries and one of keys."""
    name = 'transformer.h.0.self_attention'
    tensors = {name + '.query_key_value.weight': normal(73 * 64, 4544), name + '.dense.weight': normal(4544, 4544)}

    def compute(x, _):
        packed = linear(x, tensors, name + '.query_key_value')
        q, k, v = packed[:, :4544], packed[:, 4544:4608], packed[:, 4608:]
        weights, merged = attention(q, k, v, 71, 1, causal=True, turn=lambda z: rotated(z, frequencies(1e4, 64)))
        return weights, linear(merged, tensors, name + '.dense')
    return tensors, name, [], compute, 'BF16', {'model_type': 'falcon', 'num_attention_heads': 71, 'num_kv_heads': 71,
                                                'multi_query': True, 'new_decoder_architecture': False, 'alibi': False}


def olmo2():
    """OLMo 2 1B, modeling_olmo2.py: norms over all heads together, before they are split."""
    name = 'model.layers.0.self_attn'
    tensors = llama_tensors(name, 2048, 16, 16, 128)
    tensors |= {name + '.q_norm.weight': 1 + normal(2048), name + '.k_norm.weight': 1 + normal(2048)}

    def compute(x, _):
        q, k = (rms_norm(linear(x, tensors, f'{name}.{part}_proj'), tensors[f'{name}.{part}_norm.weight'].astype(np.float64)) for part in 'qk')
        weights, merged = attention(q, k, linear(x, tensors, name + '.v_proj'), 16, causal=True,
                                    turn=lambda z: rotated(z, frequencies(5e5, 128)))
        return weights, linear(merged, tensors, name + '.o_proj')
    return tensors, name, [], compute, 'BF16', {'model_type': 'olmo2', 'num_attention_heads': 16, 'num_key_value_heads': 16,
                                                'rope_theta': 500000, 'rms_norm_eps': 1e-6}


def modernbert(layer):
    """ModernBERT-base, modeling_modernbert.py: each third layer sees everything, the others 64 tokens on both sides."""
    name = f'model.layers.{layer}.attn'
    tensors = {name + '.Wqkv.weight': normal(2304, 768), name + '.Wo.weight': normal(768, 768)}
    is_local = layer % 3 != 0

    def compute(x, _):
        q, k, v = np.split(linear(x, tensors, name + '.Wqkv'), 3, -1)
        places = np.arange(len(x))
        sees = np.abs(places[:, None] - places) <= 64 if is_local else None
        weights, merged = attention(q, k, v, 12, sees=sees, turn=lambda z: rotated(z, frequencies(1e4 if is_local else 1.6e5, 64)))
        return weights, linear(merged, tensors, name + '.Wo')
    return tensors, name, [], compute, 'F32', {
        'model_type': 'modernbert', 'num_attention_heads': 12, 'global_attn_every_n_layers': 3, 'local_attention': 128,
        'global_rope_theta': 160000.0, 'local_rope_theta': 10000.0}


def gpt_oss():
    """gpt-oss-20b, modeling_gpt_oss.py: sinks, a window in every second layer, and yarn with bounds that are not rounded."""
    name = 'model.layers.0.self_attn'
    tensors = llama_tensors(name, 2880, 64, 8, 64, bias=True) | {name + '.sinks': normal(64) * 8}
    dims, base, factor, original = 64, 150000.0, 32.0, 4096
    first, last = (dims * np.log(original / (times * 2 * np.pi)) / (2 * np.log(base)) for times in (32.0, 1.0))
    ramp = np.clip((np.arange(dims // 2) - first) / (last - first), 0, 1)
    turns = frequencies(base, dims) / factor * ramp + frequencies(base, dims) * (1 - ramp)

    def compute(x, _):
        q, k, v = (linear(x, tensors, f'{name}.{part}_proj') for part in 'qkv')
        places = np.arange(len(x))
        weights, merged = attention(
            q, k, v, 64, 8, causal=True, sees=places[:, None] - places < 128, sinks=tensors[name + '.sinks'].astype(np.float64),
            turn=lambda z: rotated(z, turns, 0.1 * np.log(factor) + 1))
        return weights, linear(merged, tensors, name + '.o_proj')
    config = {'model_type': 'gpt_oss', 'num_attention_heads': 64, 'num_key_value_heads': 8, 'head_dim': 64, 'sliding_window': 128,
              'layer_types': ['sliding_attention', 'full_attention'], 'rope_theta': 150000, 'max_position_embeddings': 131072,
              'rope_scaling': {'rope_type': 'yarn', 'factor': 32.0, 'beta_fast': 32.0, 'beta_slow': 1.0, 'truncate': False,
                               'original_max_position_embeddings': 4096}}
    return tensors, name, [], compute, 'BF16', config


def largest(a, b):
    assert a.shape == b.shape, (a.shape, b.shape)
    return float(np.abs(a - b).max())


def main():
    program, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    families = {'PyTorch': pytorch(False), 'PyTorch, cross': pytorch(True), 'PyTorch, widths': pytorch_widths(),
                'GPT-2': gpt2(), 'BERT': bert(), 'BART': bart(), 'T5': t5('encoder', 512, 8),
                'T5, narrow heads': t5('decoder', 512, 6),
                'Llama': llama(2048, 32, 4, 64, 1e4, dtype='BF16'),  # TinyLlama
                'Qwen3': llama(2048, 16, 2, 128, 1e6, norms=True, options=['--rope', '1e6']),
                'Qwen3, wide heads': llama(1024, 16, 8, 128, 1e6, norms=True, options=['--rope', '1e6']),  # Qwen3 0.6B
                'Gemma': llama(3072, 16, 16, 256, 1e4, options=['--heads', '16']),  # Gemma 7B
                'Llama 3': llama31(), 'Phi-3': phi3(), 'GPT-NeoX': neox(), 'Falcon': falcon(), 'OLMo 2': olmo2(),
                'Swin': swin(96, 3, 7), 'ModernBERT': modernbert(0), 'ModernBERT, local': modernbert(1), 'gpt-oss': gpt_oss()}
    lengths = {'T5': 150, 'T5, narrow heads': 150, 'Swin': 49, 'ModernBERT, local': 150, 'gpt-oss': 140}
    for family in sys.argv[3:] and set(families) - set(sys.argv[3:]):
        del families[family]
    said = {}
    for family, (tensors, name, options, compute, dtype, *config) in families.items():
        own = folder / family
        own.mkdir()
        path, made, inputs = (own / f'model.{end}' for end in ('safetensors', 'out', 'inputs'))
        write(path, tensors, dtype)
        if config:
            (own / 'config.json').write_text(json.dumps(config[0]))
        width = {'PyTorch, widths': 64, 'PyTorch': 512, 'PyTorch, cross': 512, 'T5': 512, 'T5, narrow heads': 512, 'BART': 1024,
                 'Llama': 2048, 'Qwen3': 2048, 'Qwen3, wide heads': 1024, 'Gemma': 3072, 'Llama 3': 2048, 'Phi-3': 3072,
                 'GPT-NeoX': 1024, 'Falcon': 4544, 'OLMo 2': 2048, 'Swin': 96, 'gpt-oss': 2880}.get(family, 768)
        of_query = random.standard_normal((lengths.get(family, 11), width)).astype(np.float32)
        given = {'query': of_query}
        if 'widths' in family:
            given |= {'key': random.standard_normal((9, 48)).astype(np.float32),
                      'value': random.standard_normal((9, 80)).astype(np.float32)}
        elif 'cross' in family or family == 'BART':
            given['key'] = random.standard_normal((9, width)).astype(np.float32)
        if len(given) == 1:
            inputs = own / 'inputs.npy'
            np.save(inputs, of_query)
        else:
            write(inputs, given)
        arguments = [program, 'trace', str(path), '--layer', name, '--input', str(inputs), *options, '-o', str(made)]
        ended = subprocess.run(arguments, capture_output=True, text=True, check=False)
        assert ended.returncode == 0, ended.stderr
        traced = read(made)
        arrays = [array.astype(np.float64) for array in given.values()]
        weights, output = compute(*(arrays if len(arrays) > 1 else [arrays[0], None]))
        path.unlink()
        made.unlink()
        said[family] = {'said': ended.stderr, 'size': float(np.abs(output).mean()),
                        'worst': {'attention_weights': largest(weights, traced['attention_weights'][0]),
                                  'output': largest(output, traced['output'][0])}}
    print(json.dumps(said))


main()
