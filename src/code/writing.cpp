#include "code/writing.hpp"

namespace code {
namespace {

// The linear layer, x · Wᵀ + b, and einsums are written by row_writer.cpp, as are views: what they
// look like follows from the letters.
constexpr Writing all_writings[] = {
    {"same", "{0}"},
    {"detach", "{0}"},
    {"product", "{product}{+2}"},
    {"weighted_sum", "weighted_sum({letters}, {*})", "weighted_sum"},
    {"multiply", "{~0} * {~1}"},
    {"reshape", "{0}.reshape({shape})"},
    {"permute", "{spread}"},
    {"divide", "{0} / {divisor}"},
    {"add", "{~0} + {~1}{+2}"},
    {"subtract", "{~0} - {~1}"},
    {"negative", "-{0}"},
    {"sum", "{sum}"},
    {"average", "{0}.mean(1)"},  // over the heads
    {"softmax", "softmax({*})", "softmax"},
    {"softmax_gradient", "softmax_gradient({*})", "softmax_gradient"},
    {"softmax_with_sinks", "softmax_with_sinks({*})", "softmax_with_sinks"},
    {"sink_gradient", "sink_gradient({*})", "sink_gradient"},
    {"half_squares", "0.5 * ({0} ** 2).sum()"},
    {"rms_norm", "rms_norm({*}{eps})", "rms_norm"},
    {"rms_norm_gradient", "rms_norm_gradient({*}{eps})", "rms_norm_gradient"},
    {"rms_norm_weight_gradient", "{xp}.einsum({letters}, rms_norm({0}{eps}), {1})", "rms_norm"},
    {"rotate", "rotate({0}, {rope})", "rotate"},
    {"rotate_back", "rotate({0}, {rope}, way=-1)", "rotate"},
    {"relative_bias", "relative_bias({0}, Lq, Lk, {biases})", "relative_bias"},
    {"relative_bias_gradient", "relative_bias_gradient({0}, N, {biases})",
     "relative_bias_gradient"},
    {"alibi", "alibi({shape})", "alibi"},
    {"soft_cap", "{softcap} * {xp}.tanh({0} / {softcap})"},
    {"soft_cap_gradient", "{1} * (1 - {xp}.tanh({0} / {softcap}) ** 2)"},
    // Mistakes on purpose.
    {"product_untransposed", "{misread}"},
    {"gradient_of_misread_keys", "{misread_result}"},
    {"mask_with_zero", "where_seen({~0} + {~1}, {~1})", "where_seen"},
    {"add_finite", "{~0} + where_seen({~1}, {~1})", "where_seen"},
    {"scores_as_weights", "where_seen({*})", "where_seen"},
    {"gradient_where_seen", "where_seen({*})", "where_seen"},
    {"softmax_over_queries", "softmax_over_queries({*})", "softmax_over_queries"},
    {"gradient_over_queries", "gradient_over_queries({*})", "gradient_over_queries"},
    {"softmax_then_mask", "softmax_then_mask({*})", "softmax_then_mask"},
    {"gradient_then_mask", "gradient_then_mask({*})", "gradient_then_mask"},
    {"softmax_unshifted", "softmax_unshifted({*})", "softmax_unshifted"},
};

constexpr Helper all_helpers[] = {
    {"additive",
     R"(def additive(mask):
    """What is added to the scores: −∞ where a mask of booleans is True, else the numbers of the mask."""
    return np.where(mask, HIDDEN, 0).astype(np.float32) if mask.dtype == bool else mask
)",
     R"(def additive(mask):
    """What is added to the scores: −∞ where a mask of booleans is True, else the numbers of the mask."""
    return torch.zeros(mask.shape).masked_fill(mask, HIDDEN) if mask.dtype == torch.bool else mask
)"},
    {"sees_none",
     R"(def sees_none(mask):
    """True for queries from which every key is hidden: [B, H, Lq, 1]."""
    return (mask == HIDDEN).all(-1, keepdims=True)
)",
     R"(def sees_none(mask):
    """True for queries from which every key is hidden: [B, H, Lq, 1]."""
    return (mask == HIDDEN).all(-1, keepdim=True)
)"},
    {"softmax",
     R"(def softmax(scores, mask=None):
    """Weights that add up to 1 along the keys; 0 for a query that sees no key."""
    largest = scores.max(-1, keepdims=True)
    weights = np.exp(scores - np.where(largest > HIDDEN, largest, np.float32(0)))
    total = weights.sum(-1, keepdims=True)
    weights = weights / np.where(total == 0, np.float32(1), total)
    return weights if mask is None else np.where(sees_none(mask), np.float32(0), weights)
)",
     R"(def softmax(scores, mask=None):
    """Weights that add up to 1 along the keys; 0 for a query that sees no key."""
    weights = torch.softmax(scores, -1)
    return weights if mask is None else weights.masked_fill(sees_none(mask), 0.0)
)",
     "sees_none"},
    {"softmax_with_sinks",
     R"(def softmax_with_sinks(scores, sinks, mask=None):
    """Weights of the keys beside one of the head's sink [H], which is dropped; 0 for a query that sees no key."""
    sinks = np.broadcast_to(sinks[:, None, None], (*scores.shape[:-1], 1))
    every = np.concatenate((scores, sinks), -1)
    weights = np.exp(every - every.max(-1, keepdims=True))
    weights = (weights / weights.sum(-1, keepdims=True))[..., :-1]
    return weights if mask is None else np.where(sees_none(mask), np.float32(0), weights)
)",
     R"(def softmax_with_sinks(scores, sinks, mask=None):
    """Weights of the keys beside one of the head's sink [H], which is dropped; 0 for a query that sees no key."""
    sinks = sinks[:, None, None].expand(*scores.shape[:-1], 1)
    weights = torch.softmax(torch.cat((scores, sinks), -1), -1)[..., :-1]
    return weights if mask is None else weights.masked_fill(sees_none(mask), 0.0)
)",
     "sees_none"},
    {"sink_gradient",
     R"(def sink_gradient(weights, d_weights):
    """The gradient of the sinks [H]: what a sink got has no value, so no gradient of its own."""
    return -((1 - weights.sum(-1)) * (weights * d_weights).sum(-1)).sum((0, 2))
)",
     R"(def sink_gradient(weights, d_weights):
    """The gradient of the sinks [H]: what a sink got has no value, so no gradient of its own."""
    return -((1 - weights.sum(-1)) * (weights * d_weights).sum(-1)).sum((0, 2))
)"},
    {"softmax_gradient",
     R"(def softmax_gradient(weights, d_weights, mask=None):
    """The gradient of the scores; 0 for a query that sees no key."""
    d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdims=True))
    return d_scores if mask is None else np.where(sees_none(mask), np.float32(0), d_scores)
)",
     R"(def softmax_gradient(weights, d_weights, mask=None):
    """The gradient of the scores; 0 for a query that sees no key."""
    d_scores = weights * (d_weights - (weights * d_weights).sum(-1, keepdim=True))
    return d_scores if mask is None else d_scores.masked_fill(sees_none(mask), 0.0)
)",
     "sees_none"},
    {"weighted_sum",
     R"(def weighted_sum(letters, weights, values, mask=None):
    """Each query's sum of the values; 0 for a query that sees no key and has no weights."""
    sums = np.einsum(letters, weights, values, optimize=True)
    if mask is None:
        return sums
    return np.where(sees_none(mask) & (weights == 0).all(-1, keepdims=True), np.float32(0), sums)
)",
     R"(def weighted_sum(letters, weights, values, mask=None):
    """Each query's sum of the values; 0 for a query that sees no key and has no weights."""
    sums = torch.einsum(letters, weights, values)
    if mask is None:
        return sums
    return sums.masked_fill(sees_none(mask) & (weights == 0).all(-1, keepdim=True), 0.0)
)",
     "sees_none"},
    {"rms_norm",
     R"(def rms_norm(x, weight=1, eps=1e-6):
    """Divided by the root mean square of the last axis."""
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + np.float32(eps)) * weight
)",
     R"(def rms_norm(x, weight=1, eps=1e-6):
    """Divided by the root mean square of the last axis."""
    return x / torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps) * weight
)"},
    {"rms_norm_gradient",
     R"(def rms_norm_gradient(x, d_normed, weight=1, eps=1e-6):
    """The gradient of x where rms_norm(x, weight) has the gradient d_normed."""
    root = np.sqrt((x ** 2).mean(-1, keepdims=True) + np.float32(eps))
    normed, d_normed = x / root, d_normed * weight
    return (d_normed - normed * (d_normed * normed).mean(-1, keepdims=True)) / root
)",
     R"(def rms_norm_gradient(x, d_normed, weight=1, eps=1e-6):
    """The gradient of x where rms_norm(x, weight) has the gradient d_normed."""
    root = torch.sqrt((x ** 2).mean(-1, keepdim=True) + eps)
    normed, d_normed = x / root, d_normed * weight
    return (d_normed - normed * (d_normed * normed).mean(-1, keepdim=True)) / root
)"},
    {"rotate",
     R"(def rotate(x, base, dims=None, neighbours=False, frequencies=None, factor=1, way=1):
    """Rotary positions: each pair of a token's first numbers turned by position * frequency, or back if way is -1."""
    dims = dims or x.shape[-1]
    if frequencies is None:
        frequencies = float(base) ** (-np.arange(0, dims, 2) / dims)
    angles = way * np.arange(x.shape[-2])[:, None] * frequencies
    cos, sin = (factor * np.cos(angles)).astype(np.float32), (factor * np.sin(angles)).astype(np.float32)
    first, second = (x[..., :dims:2], x[..., 1:dims:2]) if neighbours else (x[..., :dims // 2], x[..., dims // 2:dims])
    pair = first * cos - second * sin, second * cos + first * sin
    turned = np.stack(pair, -1).reshape(*x.shape[:-1], dims) if neighbours else np.concatenate(pair, -1)
    return np.concatenate((turned, x[..., dims:]), -1)
)",
     R"(def rotate(x, base, dims=None, neighbours=False, frequencies=None, factor=1, way=1):
    """Rotary positions: each pair of a token's first numbers turned by position * frequency, or back if way is -1."""
    dims = dims or x.shape[-1]
    if frequencies is None:
        frequencies = float(base) ** (-torch.arange(0, dims, 2).double() / dims)
    angles = way * torch.arange(x.shape[-2])[:, None] * frequencies.double()
    cos, sin = (factor * angles.cos()).float(), (factor * angles.sin()).float()
    first, second = (x[..., :dims:2], x[..., 1:dims:2]) if neighbours else (x[..., :dims // 2], x[..., dims // 2:dims])
    pair = first * cos - second * sin, second * cos + first * sin
    turned = torch.stack(pair, -1).flatten(-2) if neighbours else torch.cat(pair, -1)
    return torch.cat((turned, x[..., dims:]), -1)
)"},
    {"bias_rows",
     R"(def bias_rows(queries, keys, rows, kind, farthest=128):
    """Which row of a table each pair of places reads its bias from: [Lq, Lk]."""
    query, key = np.arange(queries)[:, None], np.arange(keys)
    if kind == "window":  # of side * side places: how far down, then how far to the right
        side = round(keys ** 0.5)
        return (query // side - key // side + side - 1) * (2 * side - 1) + query % side - key % side + side - 1
    both = kind == "t5"
    buckets = rows // 2 if both else rows
    distance = np.abs(query - key) if both else np.maximum(query - key, 0)
    exact = buckets // 2
    steps = np.log(np.maximum(distance, exact).astype(np.float32) / exact) / np.float32(np.log(farthest / exact))
    far = np.minimum(exact + (steps * (buckets - exact)).astype(int), buckets - 1)
    return np.where(distance < exact, distance, far) + both * buckets * (key > query)
)",
     R"(def bias_rows(queries, keys, rows, kind, farthest=128):
    """Which row of a table each pair of places reads its bias from: [Lq, Lk]."""
    query, key = torch.arange(queries)[:, None], torch.arange(keys)
    if kind == "window":  # of side * side places: how far down, then how far to the right
        side = round(keys ** 0.5)
        return (query // side - key // side + side - 1) * (2 * side - 1) + query % side - key % side + side - 1
    both = kind == "t5"
    buckets = rows // 2 if both else rows
    distance = (query - key).abs() if both else (query - key).clamp(min=0)
    exact = buckets // 2
    steps = torch.log(distance.clamp(min=exact) / exact) / torch.tensor(farthest / exact).log()
    far = (exact + (steps * (buckets - exact)).long()).clamp(max=buckets - 1)
    return torch.where(distance < exact, distance, far) + both * buckets * (key > query)
)"},
    {"relative_bias",
     R"(def relative_bias(table, queries, keys, kind, farthest=128):
    """The row of a table [N, H] that the places of query and key say: [H, Lq, Lk]."""
    return table[bias_rows(queries, keys, len(table), kind, farthest)].transpose(2, 0, 1)
)",
     R"(def relative_bias(table, queries, keys, kind, farthest=128):
    """The row of a table [N, H] that the places of query and key say: [H, Lq, Lk]."""
    return table[bias_rows(queries, keys, len(table), kind, farthest)].permute(2, 0, 1)
)",
     "bias_rows"},
    {"relative_bias_gradient",
     R"(def relative_bias_gradient(d_bias, rows, kind, farthest=128):
    """The gradient of the table: each number gets those of all biases that it is."""
    d_table = np.zeros((rows, len(d_bias)), np.float32)
    np.add.at(d_table, bias_rows(*d_bias.shape[1:], rows, kind, farthest), d_bias.transpose(1, 2, 0))
    return d_table
)",
     R"(def relative_bias_gradient(d_bias, rows, kind, farthest=128):
    """The gradient of the table: each number gets those of all biases that it is."""
    places = bias_rows(*d_bias.shape[1:], rows, kind, farthest).flatten()
    return torch.zeros(rows, len(d_bias)).index_add(0, places, d_bias.flatten(1).T)
)",
     "bias_rows"},
    {"slopes",
     R"(def slopes(heads):
    """The slope of each head: those of a power of two; where heads are more, every other one of twice as many."""
    power = 2 ** (heads.bit_length() - 1)
    first = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    return first + [2 ** (-8 * (2 * head + 1) / (2 * power)) for head in range(heads - power)]
)",
     R"(def slopes(heads):
    """The slope of each head: those of a power of two; where heads are more, every other one of twice as many."""
    power = 2 ** (heads.bit_length() - 1)
    first = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    return first + [2 ** (-8 * (2 * head + 1) / (2 * power)) for head in range(heads - power)]
)"},
    {"alibi",
     R"(def alibi(heads, queries, keys):
    """Linear biases: minus the slope of the head times the distance of query and key."""
    distance = np.abs(np.arange(queries)[:, None] - np.arange(keys))
    return (-np.array(slopes(heads))[:, None, None] * distance).astype(np.float32)
)",
     R"(def alibi(heads, queries, keys):
    """Linear biases: minus the slope of the head times the distance of query and key."""
    distance = (torch.arange(queries)[:, None] - torch.arange(keys)).abs()
    return -torch.tensor(slopes(heads))[:, None, None] * distance
)",
     "slopes"},
    {"put",
     R"(def put(x, place, numbers):
    """x with other numbers at a place."""
    x = x.copy()
    x[place] = numbers
    return x
)",
     R"(def put(x, place, numbers):
    """x with other numbers at a place."""
    x = x.clone()
    x[place] = numbers
    return x
)"},
    {"where_seen",
     R"(def where_seen(x, mask=None):
    """x with 0 where the mask hides a key."""
    return x if mask is None else np.where(mask == HIDDEN, np.float32(0), x)
)",
     R"(def where_seen(x, mask=None):
    """x with 0 where the mask hides a key."""
    return x if mask is None else x.masked_fill(mask == HIDDEN, 0.0)
)"},
    {"softmax_over_queries",
     R"(def softmax_over_queries(scores, mask=None):
    """The mistake: columns add up to 1, not rows; 0 for a query that sees no key."""
    largest = scores.max(-2, keepdims=True)
    weights = np.exp(scores - np.where(largest == float("-inf"), np.float32(0), largest))
    total = weights.sum(-2, keepdims=True)
    weights = weights / np.where(total == 0, np.float32(1), total)
    return weights if mask is None else np.where(sees_none(mask), np.float32(0), weights)
)",
     R"(def softmax_over_queries(scores, mask=None):
    """The mistake: columns add up to 1, not rows; 0 for a query that sees no key."""
    weights = torch.softmax(scores, -2).masked_fill((scores == float("-inf")).all(-2, keepdim=True), 0.0)
    return weights if mask is None else weights.masked_fill(sees_none(mask), 0.0)
)",
     "sees_none"},
    {"gradient_over_queries",
     R"(def gradient_over_queries(scores, d_weights, mask=None):
    """The gradient of the scores before a softmax over queries."""
    d_weights = d_weights if mask is None else np.where(sees_none(mask), np.float32(0), d_weights)
    weights = softmax_over_queries(scores)
    return weights * (d_weights - (weights * d_weights).sum(-2, keepdims=True))
)",
     R"(def gradient_over_queries(scores, d_weights, mask=None):
    """The gradient of the scores before a softmax over queries."""
    d_weights = d_weights if mask is None else d_weights.masked_fill(sees_none(mask), 0.0)
    weights = softmax_over_queries(scores)
    return weights * (d_weights - (weights * d_weights).sum(-2, keepdim=True))
)",
     "softmax_over_queries"},
    {"softmax_then_mask",
     R"(def softmax_then_mask(scores, mask=None):
    """The mistake: masked too late, so that rows add up to less than 1."""
    return where_seen(softmax(scores), mask)
)",
     R"(def softmax_then_mask(scores, mask=None):
    """The mistake: masked too late, so that rows add up to less than 1."""
    return where_seen(softmax(scores), mask)
)",
     "softmax where_seen"},
    {"gradient_then_mask",
     R"(def gradient_then_mask(scores, d_weights, mask=None):
    """The gradient of the scores before a softmax whose weights are masked."""
    return softmax_gradient(softmax(scores), where_seen(d_weights, mask))
)",
     R"(def gradient_then_mask(scores, d_weights, mask=None):
    """The gradient of the scores before a softmax whose weights are masked."""
    return softmax_gradient(softmax(scores), where_seen(d_weights, mask))
)",
     "softmax softmax_gradient where_seen"},
    {"softmax_unshifted",
     R"(def softmax_unshifted(scores, mask=None):
    """The mistake: the largest score is not subtracted, so that powers may be too large."""
    powers = np.exp(scores)
    total = powers.sum(-1, keepdims=True)
    weights = powers / np.where(total == 0, np.float32(1), total)
    return weights if mask is None else np.where(sees_none(mask), np.float32(0), weights)
)",
     R"(def softmax_unshifted(scores, mask=None):
    """The mistake: the largest score is not subtracted, so that powers may be too large."""
    powers = scores.exp()
    total = powers.sum(-1, keepdim=True)
    weights = powers / total.masked_fill(total == 0, 1.0)
    return weights if mask is None else weights.masked_fill(sees_none(mask), 0.0)
)",
     "sees_none"},
};

}  // namespace

std::span<const Writing> writings() { return all_writings; }
std::span<const Helper> helpers() { return all_helpers; }

}  // namespace code
