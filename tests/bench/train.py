#!/usr/bin/python3
"""Measures steps of `attention-live train --task reverse` beside PyTorch: eight letters, 32 wide, 2 heads, one layer,
batches of 32, Adam.

    tools/python torch tests/bench/train.py build/native/attention-live [--rounds 5] [--steps 1000]

On one thread each. They take turns; ratios are taken within a round, of processor time, which other work on the machine
changes little. Ours counts the whole process, its measuring of held-out accuracy included; PyTorch only its steps, with
batches that are made before.
"""
import argparse
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

os.environ['OPENBLAS_NUM_THREADS'] = os.environ['OMP_NUM_THREADS'] = '1'
import torch  # noqa: E402
from torch import nn  # noqa: E402

TRANSLATOR = pathlib.Path(__file__).resolve().parents[2] / 'tools/translator'
sys.path.insert(0, str(TRANSLATOR))
from torch_translator import blas, positions  # noqa: E402

LETTERS, LENGTH, WIDTH, HEADS, FORWARD, BATCH = 10, 8, 32, 2, 64, 32


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(LETTERS, WIDTH)
        self.layer = nn.TransformerEncoderLayer(WIDTH, HEADS, FORWARD, dropout=0.0, batch_first=True)
        self.output = nn.Linear(WIDTH, LETTERS)
        self.positions = positions(LENGTH, WIDTH)

    def forward(self, tokens):
        return self.output(self.layer(self.embedding(tokens) + self.positions))


def learn(steps):
    """The seconds of the steps, and the share of right letters in the last batch."""
    torch.manual_seed(1)
    model = Model()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    batches = torch.randint(LETTERS, (steps, BATCH, LENGTH))
    before = time.process_time()
    for tokens in batches:
        right = tokens.flip(1)
        logits = model(tokens)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), right.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return time.process_time() - before, (logits.argmax(-1) == right).float().mean().item()


def own(program, steps, output):
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    made = subprocess.run([program, 'train', '--task', 'reverse', '--steps', str(steps), '-o', output],
                          capture_output=True, check=True, encoding='utf-8')
    now = resource.getrusage(resource.RUSAGE_CHILDREN)
    return now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime, float(made.stdout.split()[2])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('--rounds', type=int, default=5)
    parser.add_argument('--steps', type=int, default=1000)
    options = parser.parse_args()
    torch.set_num_threads(1)

    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            results = own(options.program, options.steps, folder + '/weights.safetensors'), learn(options.steps)
            if min(accuracy for _, accuracy in results) < 0.95:
                sys.exit('attention-live: it was not learned (%.3f and %.3f right).' % (results[0][1], results[1][1]))
            times.append([seconds for seconds, _ in results])
    print('train reverse: one thread, medians of %d rounds of %d steps; PyTorch %s with %s' %
          (options.rounds, options.steps, torch.__version__, blas()))
    print('ours %.0f steps a second, PyTorch %.0f: %.2f times as many' % (
        *(options.steps / statistics.median(column) for column in zip(*times)),
        statistics.median(theirs / ours for ours, theirs in times)))


if __name__ == '__main__':
    main()
