#!/usr/bin/python3
"""Holds the training of the translator against PyTorch: the same first weights, batches and learning rates.

    attention-live train --task translate --data spa-eng.tsv --steps 200 --record record.safetensors
    tools/python torch tools/translator/check.py record.safetensors

The gradients of the first step must agree to 1e-4 of the largest of their tensor, the loss of every step to 1 %.
Dropout is off in a record: PyTorch would drop other numbers.
"""
import sys

import torch
import torch.nn.functional as F

from torch_translator import Translator, load

SMOOTHING = 0.1


class Learner(Translator):
    def __init__(self, weights):
        super().__init__({name: weight.clone().requires_grad_(True) for name, weight in weights.items()})

    def loss(self, shard):
        logits = self.logits(shard['source'].long(), shard['target'].long())
        return F.cross_entropy(logits.flatten(0, 1), shard['right'].long().flatten(), ignore_index=-1,
                               label_smoothing=SMOOTHING)


def shards_of(record, step):
    shards = []
    while 'batch.%d.%d.source' % (step, len(shards)) in record:
        prefix = 'batch.%d.%d.' % (step, len(shards))
        shards.append({side: record[prefix + side] for side in ('source', 'target', 'right')})
    return shards


def main(path):
    record, _ = load(path)
    translator = Learner({name[len('weight.'):]: tensor for name, tensor in record.items()
                          if name.startswith('weight.')})
    failed = False

    worst = ('', 0.0)
    for place, shard in enumerate(shards_of(record, 0)):
        loss = translator.loss(shard)
        names = list(translator.weights)
        for name, theirs in zip(names, torch.autograd.grad(loss, [translator.weights[name] for name in names])):
            ours = record['gradient.%d.%s' % (place, name)]
            difference = (ours - theirs).abs().max().item()
            # The bias of keys adds the same to all scores of a query: its gradient is 0 but for rounding.
            largest = 1.0 if name.endswith('k_proj_bias') else theirs.abs().max().item()
            if difference / largest > worst[1]:
                worst = (name, difference / largest)
    print('gradients of the first step: at most %.1e of the largest (%s)' % (worst[1], worst[0]))
    failed |= worst[1] > 1e-4

    optimizer = torch.optim.Adam(translator.weights.values())
    worst = 0.0
    for step, (ours, rate) in enumerate(zip(record['losses'].tolist(), record['learning_rates'].tolist())):
        shards = shards_of(record, step)
        counts = [(shard['right'] >= 0).sum() for shard in shards]
        loss = sum(translator.loss(shard) * count / sum(counts) for shard, count in zip(shards, counts))
        for group in optimizer.param_groups:
            group['lr'] = rate
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        worst = max(worst, abs(ours - loss.item()) / loss.item())
        if step % 20 == 0:
            print('step %d: loss %.5f, in PyTorch %.5f' % (step + 1, ours, loss.item()))
    print('losses of %d steps: at most %.2f %% apart' % (len(record['losses']), 100 * worst))
    failed |= worst > 0.01
    return int(failed)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
