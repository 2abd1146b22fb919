#!/usr/bin/python3
"""Records what the translator's heads do over 500 held-out sentences, beside its weights:

    tools/translator/heads.py build/native/attention-live spa-eng.tsv > tools/translator/heads.json

The program measures (translate --measure-heads), in the way in which the page measures one sentence: the mean share of
a query's weight that goes to each place. To be run again when the weights change; tests/command compares the hash.
"""
import hashlib
import json
import pathlib
import subprocess
import sys

WEIGHTS = pathlib.Path(__file__).with_name('translator.safetensors')
PLACES = ['previous token', 'same token', 'next token', 'first token', 'last token', 'largest weight']


def main(program, corpus):
    made = subprocess.run([program, 'translate', '--measure-heads', corpus, '--weights', str(WEIGHTS)],
                          stdout=subprocess.PIPE, check=True)
    measured = json.loads(made.stdout)
    about = {
        'command': 'attention-live translate --measure-heads spa-eng.tsv',
        'weights_sha256': hashlib.sha256(WEIGHTS.read_bytes()).hexdigest(),
        'sentences': measured['sentences'],
        'shares_of': PLACES,
    }
    lines = ['  %s: %s,' % (json.dumps(name), json.dumps(value)) for name, value in about.items()]
    attentions = ['    %s: [\n%s\n    ]' % (json.dumps(name), ',\n'.join('      ' + row(shares) for shares in heads))
                  for name, heads in measured['heads'].items()]
    print('\n'.join(['{', *lines, '  "heads": {', ',\n'.join(attentions), '  }', '}']))


def row(shares):
    return '[%s]' % ', '.join('%.3g' % round(share, 3) for share in shares)


if __name__ == '__main__':
    main(*sys.argv[1:])
