#!/usr/bin/python3
"""Measures `attention-live translate` beside PyTorch: the same weights, greedy decoding with keys and values kept.

    tools/python torch tests/bench/translate.py build/native/attention-live [--rounds 7]

100 sentences that were not learned from (sentences.txt: tatoeba.org, CC-BY 2.0), one after another, on one thread each.
They take turns; ratios are taken within a round, of processor time, which other work on the machine changes little. Ours
counts the whole process, PyTorch only translating: not its start, not reading weights, not cutting text into tokens.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

os.environ['OPENBLAS_NUM_THREADS'] = os.environ['OMP_NUM_THREADS'] = '1'
import torch  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TRANSLATOR = HERE.parents[1] / 'tools/translator'
sys.path.insert(0, str(TRANSLATOR))
from torch_translator import Greedy, blas, load_translator  # noqa: E402


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(program, text, *options):
    return subprocess.run([program, 'translate', '-', *options], input=text, capture_output=True, check=True,
                          encoding='utf-8').stdout


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--rounds', type=int, default=7)
    options = parser.parse_args()
    torch.set_num_threads(1)

    translator, pieces = load_translator(TRANSLATOR / 'translator.safetensors')
    greedy = Greedy(translator)
    tokens = {piece: token for token, piece in enumerate(pieces)}
    text = (HERE / 'sentences.txt').read_text(encoding='utf-8')
    made = [json.loads(line) for line in run(options.program, text, '--json').splitlines()]
    sources = [[tokens[piece] for piece in each['source']] for each in made]
    ours = [[tokens[piece] for piece in each['target']] for each in made]
    different = sum(greedy(source) != target for source, target in zip(sources, ours))
    if different > 2:
        sys.exit('attention-live: %d of %d translations are not those of PyTorch.' % (different, len(ours)))

    times = []
    for _ in range(options.rounds):
        before = children_seconds()
        run(options.program, text)
        own = children_seconds() - before
        before = time.process_time()
        for source in sources:
            greedy(source)
        times.append((own, time.process_time() - before))
    print('translate: %d sentences, %d tokens, one thread, medians of %d rounds; PyTorch %s with %s' %
          (len(sources), sum(map(len, ours)), options.rounds, torch.__version__, blas()))
    print('ours %.3f s, PyTorch %.3f s: %.2f times as fast' % (
        *(statistics.median(column) for column in zip(*times)),
        statistics.median(theirs / own for own, theirs in times)))


if __name__ == '__main__':
    main()
