"""The translator in PyTorch: its file of weights, and the Transformer of "Attention Is All You Need" from PyTorch's
functions. What the program computes is compared with this."""
import json
import math
import struct

import torch
import torch.nn.functional as F

WIDTH, HEADS, LAYERS = 128, 8, 4
PAD, BEGIN, END, UNKNOWN = range(4)
NO_TEXT = ['<pad>', '<s>', '</s>', '<unk>']
DTYPES = {'F32': torch.float32, 'I8': torch.int8}


def load(path):
    """The tensors of a .safetensors file, and its metadata."""
    with open(path, 'rb') as file:
        data = file.read()
    length = struct.unpack('<Q', data[:8])[0]
    header = json.loads(data[8:8 + length])
    metadata = header.pop('__metadata__', {})
    tensors = {}
    for name, entry in header.items():
        begin, end = (8 + length + offset for offset in entry['data_offsets'])
        numbers = torch.frombuffer(bytearray(data[begin:end]), dtype=DTYPES[entry['dtype']])
        tensors[name] = numbers.reshape(entry['shape'])
    return tensors, metadata


def load_translator(path):
    """The translator of a file of rounded weights, and its pieces: the place of each is its token."""
    tensors, metadata = load(path)
    weights = {}
    for name, tensor in tensors.items():
        if not name.endswith('.scale'):
            weights[name] = tensor.float() * tensors[name + '.scale'][:, None] if tensor.dtype == torch.int8 else tensor
    return Translator(weights), NO_TEXT + metadata['pieces'].split('\n')


def longest_translation(source):
    """As the program: a model that was not trained never says its end."""
    return 2 * len(source) + 10


def positions(length, width=WIDTH):
    places = torch.arange(length, dtype=torch.float64)[:, None]
    even = torch.arange(0, width, 2, dtype=torch.float64)
    angles = places / 10000 ** (even / width)
    return torch.stack([angles.sin(), angles.cos()], -1).reshape(length, width).float()


def heads(x):
    """[B,L,E] -> [B,H,L,D]"""
    return x.reshape(x.shape[0], x.shape[1], HEADS, WIDTH // HEADS).transpose(1, 2)


class Translator:
    def __init__(self, weights):
        self.weights = weights
        self.attended = {}  # the attention weights of the last call, by the names that the program gives them

    def linear(self, x, name):
        return F.linear(x, self.weights[name + 'weight'], self.weights[name + 'bias'])

    def embed(self, tokens):
        return F.embedding(tokens, self.weights['embedding.weight']) * math.sqrt(WIDTH) + positions(tokens.shape[1])

    def attention(self, query, key, hidden, name):
        q = heads(self.linear(query, name + '.q_proj_'))
        k = heads(self.linear(key, name + '.k_proj_'))
        v = heads(self.linear(key, name + '.v_proj_'))
        scores = q @ k.transpose(2, 3) / math.sqrt(WIDTH // HEADS)
        weights = torch.softmax(scores.masked_fill(hidden, -math.inf), -1)
        self.attended[name + '.attention_weights'] = weights
        return self.linear((weights @ v).transpose(1, 2).reshape(query.shape), name + '.out_proj_')

    def norm(self, x, name):
        return F.layer_norm(x, (WIDTH,), self.weights[name + '.weight'], self.weights[name + '.bias'])

    def feed_forward(self, x, name):
        return self.linear(F.relu(self.linear(x, name + '.linear1.')), name + '.linear2.')

    def encode(self, source):
        padding = (source == PAD)[:, None, None, :]
        x = self.embed(source)
        for i in range(LAYERS):
            name = 'encoder.%d' % i
            x = self.norm(x + self.attention(x, x, padding, name + '.self_attention'), name + '.norm1')
            x = self.norm(x + self.feed_forward(x, name), name + '.norm2')
        return x

    def logits(self, source, target):
        """[B,L,V] of what comes after each token of the target, all computed at once."""
        padding = (source == PAD)[:, None, None, :]
        memory = self.encode(source)
        later = torch.ones(target.shape[1], target.shape[1], dtype=torch.bool).triu(1)
        x = self.embed(target)
        for i in range(LAYERS):
            name = 'decoder.%d' % i
            x = self.norm(x + self.attention(x, x, later, name + '.self_attention'), name + '.norm1')
            x = self.norm(x + self.attention(x, memory, padding, name + '.cross_attention'), name + '.norm2')
            x = self.norm(x + self.feed_forward(x, name), name + '.norm3')
        return F.linear(x, self.weights['embedding.weight'])


class Greedy:
    """Greedy decoding of one sentence, with the keys and values of earlier tokens kept."""

    def __init__(self, translator):
        self.translator = translator
        weights = translator.weights
        self.places = positions(512)
        # One product for queries, keys and values, as torch.nn.MultiheadAttention does it.
        self.packed = {}
        for i in range(LAYERS):
            for attention, parts in (('self_attention', 'qkv'), ('cross_attention', 'kv')):
                name = 'decoder.%d.%s' % (i, attention)
                self.packed[name] = tuple(torch.cat([weights['%s.%s_proj_%s' % (name, part, kind)] for part in parts])
                                          for kind in ('weight', 'bias'))

    def attend(self, q, k, v, name):
        weights = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(WIDTH // HEADS), -1)
        return self.translator.linear((weights @ v).transpose(1, 2).reshape(1, 1, WIDTH), name + '.out_proj_')

    def __call__(self, source):
        """The tokens of the translation, with their end, of those of a sentence, with theirs."""
        t = self.translator
        memory = t.encode(torch.tensor([source]))
        of_source = [[heads(x) for x in F.linear(memory, *self.packed['decoder.%d.cross_attention' % i]).chunk(2, -1)]
                     for i in range(LAYERS)]
        kept = [None] * LAYERS
        made = []
        while len(made) < longest_translation(source):
            token = made[-1] if made else BEGIN
            x = t.weights['embedding.weight'][token] * math.sqrt(WIDTH) + self.places[len(made)]
            x = x[None, None]
            for i in range(LAYERS):
                name = 'decoder.%d' % i
                q, k, v = (heads(part) for part in F.linear(x, *self.packed[name + '.self_attention']).chunk(3, -1))
                if kept[i] is not None:
                    k, v = torch.cat([kept[i][0], k], 2), torch.cat([kept[i][1], v], 2)
                kept[i] = k, v
                x = t.norm(x + self.attend(q, k, v, name + '.self_attention'), name + '.norm1')
                q = heads(t.linear(x, name + '.cross_attention.q_proj_'))
                x = t.norm(x + self.attend(q, *of_source[i], name + '.cross_attention'), name + '.norm2')
                x = t.norm(x + t.feed_forward(x, name), name + '.norm3')
            logits = F.linear(x, t.weights['embedding.weight'])[0, 0]
            logits[[PAD, BEGIN, UNKNOWN]] = -math.inf  # no token that is no text but the end
            made.append(int(logits.argmax()))
            if made[-1] == END:
                break
        return made


def blas():
    """The library that PyTorch's matrix products come from: which one it is decides how fast they are.
    NumPy may have loaded another one."""
    if torch.backends.mkl.is_available():
        return 'MKL'
    with open('/proc/self/maps') as maps:
        loaded = {line.split('/')[-1].strip() for line in maps if 'blas' in line}
    return max(loaded, default='its own BLAS')
