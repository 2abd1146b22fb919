#!/usr/bin/env python3
"""Random layers, what `attention-live trace` says about them, and what the programs say that `attention-live code` prints.

    tests/command/code_layers.py PROGRAM LIBRARY COUNT FOLDER

All in one process, since starting Python and a library takes longer than the rest. Prints JSON: how many layers and
tensors were compared, how often each option was chosen, the largest difference relative to a tensor's largest number,
and what was wrong.
"""
import collections
import json
import os
import runpy
import struct
import subprocess
import sys

import numpy as np

TOLERANCE = 1e-5


def write(path, tensors):
    """{name: (dtype, array)}."""
    header, data, end = {}, [], 0
    for name, (dtype, array) in tensors.items():
        array = np.asarray(array)
        if dtype == 'BF16':
            raw = (array.astype('<f4').view('<u4') >> 16).astype('<u2').tobytes()
        else:
            raw = array.astype({'F32': '<f4', 'F16': '<f2', 'F64': '<f8', 'BOOL': '?'}[dtype]).tobytes()
        header[name] = {'dtype': dtype, 'shape': list(array.shape), 'data_offsets': [end, end + len(raw)]}
        data.append(raw)
        end += len(raw)
    text = json.dumps(header).encode()
    with open(path, 'wb') as file:
        file.write(struct.pack('<Q', len(text)) + text + b''.join(data))


def read(path):
    with open(path, 'rb') as file:
        data = file.read()
    first = 8 + struct.unpack('<Q', data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:first]).items():
        if name != '__metadata__':
            begin, end = entry['data_offsets']
            tensors[name] = np.frombuffer(data[first + begin:first + end], '<f4').reshape(entry['shape'])
    return tensors


def random_layer(random):
    """The tensors of a file, and options."""
    def one_of(*choices):
        return choices[random.integers(len(choices))]

    def chance(probability):
        return bool(random.random() < probability)

    def numbers(*shape):
        return random.standard_normal(shape)

    options = []
    rope = chance(0.4)
    heads = one_of(1, 1, 2, 3, 4, 5, 6)
    shared = one_of(*[count for count in range(1, heads + 1) if heads % count == 0])
    head_dim = one_of(2, 4, 6) if rope else one_of(1, 2, 3, 4, 5)
    batch, query_len, width = one_of(1, 2, 3), one_of(1, 2, 3, 5, 8), heads * head_dim
    kv_width = shared * head_dim
    crossed, projected = chance(0.4), chance(0.8)
    if shared != heads and not projected:
        crossed = True
    inner = width  # of all heads of queries together
    other_width = projected and chance(0.25)
    if other_width:
        width = one_of(3, 7, 16)
    key_len = one_of(1, 2, 4, 7) if crossed else query_len
    dtype = one_of('F32', 'F32', 'F32', 'F64', 'F16', 'BF16')
    file = {'query': (dtype, numbers(batch, query_len, width))}
    key_width = value_width = width
    if crossed:
        separate = projected and chance(0.5)
        key_width = one_of(3, 8) if separate else width if projected else kv_width
        value_width = one_of(2, 5) if separate else key_width
        file['key'] = (dtype, numbers(batch, key_len, key_width))
        if separate or chance(0.6):
            file['value'] = (dtype, numbers(batch, key_len, value_width))
        else:
            value_width = key_width
    if projected:
        def weight(rows, columns):
            return dtype, numbers(rows, columns) / np.sqrt(columns)

        if key_width != width or value_width != width or chance(0.3):
            file['q_proj_weight'] = weight(inner, width)
            file['k_proj_weight'] = weight(kv_width, key_width)
            file['v_proj_weight'] = weight(kv_width, value_width)
        else:
            file['in_proj_weight'] = weight(inner + 2 * kv_width, width)
        if chance(0.6):
            file['in_proj_bias'] = (dtype, 0.3 * numbers(inner + 2 * kv_width))
        if other_width or chance(0.8):
            file['out_proj.weight'] = weight(width, inner)
            if chance(0.6):
                file['out_proj.bias'] = (dtype, 0.3 * numbers(width))
    if chance(0.5):
        shape = one_of((query_len, key_len), (batch * heads, query_len, key_len), (batch, query_len, key_len),
                       (batch, heads, query_len, key_len), (1, heads, query_len, key_len))
        file['attn_mask'] = ('BOOL', random.random(shape) < 0.3) if chance(0.6) else ('F32', numbers(*shape))
    if chance(0.3):
        file['key_padding_mask'] = ('BOOL', random.random((batch, key_len)) < 0.3)
    if chance(0.3):
        options += ['--causal']
    if chance(0.4):
        options += ['--scale', one_of('none', 'sqrt-keys', '3.7', '-0.9')]
    if rope:
        options += ['--rope'] + one_of([], ['100'], ['500000'])
    if chance(0.3):
        options += ['--alibi']
    if chance(0.3):
        options += ['--window', str(one_of(1, 2, 3, 100))]
    if chance(0.3):
        options += ['--softcap', one_of('1.5', '4', '50')]
    # A norm of one number is its sign, and its gradient nothing but rounding.
    if head_dim > 1 and chance(0.4):
        options += ['--qk-norm']
        for name in ('q_norm_weight', 'k_norm_weight'):
            if chance(0.5):
                file[name] = (dtype, 1 + 0.3 * numbers(head_dim))
    if chance(0.5):
        options += ['--gradients']
        file['target'] = (dtype, numbers(batch, query_len, width))
    if batch == 1 and chance(0.5):  # no batch axis
        for name in ('query', 'key', 'value', 'key_padding_mask', 'target'):
            if name in file:
                file[name] = (file[name][0], file[name][1][0])
    if chance(0.3):
        options += ['--sink', one_of('0', '1.5', '-3')]
        if chance(0.5):
            file['sinks'] = (dtype, numbers(heads))
    return file, ['--heads', str(heads), '--kv-heads', str(shared), *options]


def run(program, *arguments):
    ended = subprocess.run([program, *arguments], capture_output=True)
    if ended.returncode != 0:
        raise RuntimeError(ended.stderr.decode())
    return ended.stdout


def differences(ours, theirs):
    """(name, difference relative to the largest number) of each tensor."""
    assert list(ours) == list(theirs) or set(ours) == set(theirs), set(ours) ^ set(theirs)
    for name, expected in theirs.items():
        actual, expected = ours[name].astype(float), expected.astype(float)
        assert actual.shape == expected.shape, (name, actual.shape, expected.shape)
        finite = np.isfinite(expected)
        assert (actual[~finite] == expected[~finite]).all(), name
        # The parts of the gradient of the keys' bias cancel, or nearly so: it is small beside them.
        size = np.abs(theirs['d_k'] if name == 'd_k_proj_bias' else expected[finite]).max(initial=0)
        difference = np.abs(actual[finite] - expected[finite]).max(initial=0)
        yield name, difference / size if size > 0 else difference


def main():
    program, library, count, folder = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    chosen, wrong = collections.Counter(), []
    worst, compared = 0.0, 0
    source, traced, made = (os.path.join(folder, name + '.safetensors') for name in ('in', 'traced', 'made'))
    script = os.path.join(folder, 'layer.py')
    for seed in range(count):
        file, options = random_layer(np.random.default_rng(seed))
        chosen.update(option for option in options if option.startswith('--'))
        chosen.update(file.keys())
        try:
            write(source, file)
            run(program, 'trace', source, '-o', traced, *options)
            text = run(program, 'code', source, '--as', library, *options)
            with open(script, 'wb') as to:
                to.write(text)
            sys.argv = [script, made]
            runpy.run_path(script, run_name='__main__')
            for name, difference in differences(read(made), read(traced)):
                compared += 1
                worst = max(worst, float(difference))
                if not difference <= TOLERANCE:
                    wrong.append('layer %d: %s: %g %s' % (seed, name, difference, ' '.join(options)))
        except Exception as error:
            wrong.append('layer %d: %s: %s %s' % (seed, type(error).__name__, error, ' '.join(options)))
    print(json.dumps({'layers': count, 'tensors': compared, 'worst': worst, 'chosen': chosen, 'wrong': wrong}))


if __name__ == '__main__':
    main()
