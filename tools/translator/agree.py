#!/usr/bin/python3
"""Holds translations against PyTorch: the same rounded weights, held-out sentences, greedy decoding.

    tools/python torch tools/translator/agree.py build/native/attention-live spa-eng.tsv

Of the first 500 held-out sentences at least 99.5 % of all tokens must be the same. Logits must agree to 2e-3 and
attention weights of all layers and heads to 1e-4, where PyTorch reads the tokens that the program made.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

from torch_translator import BEGIN, Greedy, load, load_translator

WEIGHTS = pathlib.Path(__file__).with_name('translator.safetensors')
LEAST_SAME, MOST_LOGITS, MOST_ATTENTION = 0.995, 2e-3, 1e-4


def hash_of(text):
    """As base::Random with seed 0: FNV-1a of four bytes of 0 and the text, then the first bits of SplitMix64."""
    bits = (1 << 64) - 1
    state = 0xcbf29ce484222325
    for byte in bytes(4) + text.encode():
        state = (state ^ byte) * 0x100000001b3 & bits
    z = state + 0x9e3779b97f4a7c15 & bits
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & bits
    z = (z ^ z >> 27) * 0x94d049bb133111eb & bits
    return z ^ z >> 31


def held_out(corpus, count):
    """The first sentences that the program does not learn from: in the order of a hash of their English."""
    with open(corpus, encoding='utf-8', newline='\n') as file:
        sentences = {line.split('\t')[0] for line in file if line.strip()}
    return sorted(sentences, key=lambda text: (hash_of(text), text))[:count]


def translated(program, sentences):
    made = subprocess.run([program, 'translate', '-', '--json'], input='\n'.join(sentences), capture_output=True,
                          check=True, encoding='utf-8')
    return [json.loads(line) for line in made.stdout.splitlines()]


def traced(program, sentence, folder):
    path = folder + '/trace.safetensors'
    subprocess.run([program, 'translate', sentence, '--trace', path], capture_output=True, check=True)
    return load(path)[0]


def largest_differences(translator, trace, source, target):
    """Of the logits and of the attention weights, where PyTorch reads the same tokens."""
    expected = translator.logits(torch.tensor([source]), torch.tensor([[BEGIN] + target]))
    logits = (trace['output.logits'] - expected).abs().max().item()
    attention = max((trace[name] - weights).abs().max().item() for name, weights in translator.attended.items())
    return logits, attention


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('corpus')
    parser.add_argument('--count', type=int, default=500, help='how many sentences')
    options = parser.parse_args()

    translator, pieces = load_translator(WEIGHTS)
    greedy = Greedy(translator)
    tokens = {piece: token for token, piece in enumerate(pieces)}
    sentences = held_out(options.corpus, options.count)
    same = count = differing = 0
    logits = attention = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for sentence, made in zip(sentences, translated(options.program, sentences)):
            source, ours = ([tokens[piece] for piece in made[side]] for side in ('source', 'target'))
            theirs = greedy(source)
            same += sum(a == b for a, b in zip(ours, theirs))
            count += max(len(ours), len(theirs))
            differing += ours != theirs
            ended = ours[:-1] if made['target'][-1] == '</s>' else ours
            differences = largest_differences(translator, traced(options.program, sentence, folder), source, ended)
            logits, attention = max(logits, differences[0]), max(attention, differences[1])

    print('%d sentences, %d tokens: %.2f %% of them the same; %d sentences differ' %
          (len(sentences), count, 100 * same / count, differing))
    print('largest difference of logits: %.1e; of attention weights: %.1e' % (logits, attention))
    return int(same < LEAST_SAME * count or logits > MOST_LOGITS or attention > MOST_ATTENTION)


if __name__ == '__main__':
    sys.exit(main())
