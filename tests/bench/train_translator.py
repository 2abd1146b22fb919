#!/usr/bin/python3
"""Measures steps of `attention-live train --task translate` beside PyTorch: the same batches of 128 sentence pairs, the
same first weights, two threads each, without dropout.

    tools/python torch tests/bench/train_translator.py build/native/attention-live spa-eng.tsv [--rounds 3] [--steps 10]

They take turns; ratios are taken within a round. Of ours, the time of 2 steps is taken away from that of the others, as
both runs read the data and learn the vocabulary. PyTorch learns from whole batches, ours from a part for each core.
"""
import argparse
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

TRANSLATOR = pathlib.Path(__file__).resolve().parents[2] / 'tools/translator'
sys.path.insert(0, str(TRANSLATOR))
from check import Learner, shards_of  # noqa: E402
from torch_translator import blas, load  # noqa: E402

FEW = 2


def used():
    """Seconds: by the clock, and of the processor for the commands that ran."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), children.ru_utime + children.ru_stime


def own(program, data, steps, record):
    before = used()
    subprocess.run([program, 'train', '--task', 'translate', '--data', data, '--steps', str(steps),
                    '--record', record], capture_output=True, check=True)
    return [now - then for now, then in zip(used(), before)]


def whole(shards):
    """The parts of a batch as one, padded as each of them is: with 0, and with -1 what is not counted."""
    joined = {}
    for side, padding in (('source', 0), ('target', 0), ('right', -1)):
        longest = max(shard[side].shape[1] for shard in shards)
        joined[side] = torch.cat([F.pad(shard[side], (0, longest - shard[side].shape[1]), value=padding)
                                  for shard in shards])
    return joined


def learn(record, steps):
    learner = Learner({name[len('weight.'):]: tensor for name, tensor in record.items()
                       if name.startswith('weight.')})
    optimizer = torch.optim.Adam(learner.weights.values())
    batches = [whole(shards_of(record, step)) for step in range(FEW, steps)]
    before = time.perf_counter(), time.process_time()
    for batch in batches:
        loss = learner.loss(batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return time.perf_counter() - before[0], time.process_time() - before[1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('program')
    parser.add_argument('data')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--steps', type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(2)

    steps = options.steps + FEW
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.rounds):
            few = own(options.program, options.data, FEW, folder + '/few.safetensors')
            all_of_them = own(options.program, options.data, steps, folder + '/record.safetensors')
            ours = [more - less for more, less in zip(all_of_them, few)]
            theirs = learn(load(folder + '/record.safetensors')[0], steps)
            times.append([seconds / options.steps for seconds in (*ours, *theirs)])
            print('a step: ours %.2f s, %.2f s of the processor; PyTorch %.2f s, %.2f s' % tuple(times[-1]), flush=True)
    print('train translate: two threads, medians of %d rounds of %d steps of 128 pairs; PyTorch %s with %s' %
          (options.rounds, options.steps, torch.__version__, blas()))
    print('%.2f times as fast by the clock, %.2f times by the processor' % (
        statistics.median(theirs / ours for ours, _, theirs, _ in times),
        statistics.median(theirs / ours for _, ours, _, theirs in times)))


if __name__ == '__main__':
    main()
