// How published models store the weights of an attention, each packed here by hand, row by row,
// from the same q, k, v and output: whatever the names, the weights that are read are these.
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "files/layers/attention_weights.hpp"

namespace files {
namespace {

constexpr std::size_t width = 8;
constexpr std::size_t heads = 4;
constexpr std::size_t head_dim = 2;

using Rows = std::vector<std::vector<float>>;  // [out][in]

Rows numbered_rows(float first, std::size_t rows) {
  Rows made(rows, std::vector<float>(width));
  for (std::vector<float>& row : made) {
    for (float& number : row) number = first++;
  }
  return made;
}
Rows q_rows() { return numbered_rows(100, width); }
Rows k_rows(std::size_t groups) { return numbered_rows(200, groups * head_dim); }
Rows v_rows(std::size_t groups) { return numbered_rows(300, groups * head_dim); }
Rows out_rows() { return numbered_rows(400, width); }

void append(Rows& to, const Rows& from, std::size_t first, std::size_t count) {
  for (std::size_t row = first; row < first + count; ++row) to.push_back(from[row]);
}

/// All of q, then all of k, then all of v.
Rows one_after_another(std::size_t groups) {
  Rows made = q_rows();
  append(made, k_rows(groups), 0, groups * head_dim);
  append(made, v_rows(groups), 0, groups * head_dim);
  return made;
}
/// For each head of keys: the queries that share it, its key, its value.
Rows head_by_head(std::size_t groups) {
  Rows made;
  const std::size_t shared = heads / groups * head_dim;
  for (std::size_t group = 0; group < groups; ++group) {
    append(made, q_rows(), group * shared, shared);
    append(made, k_rows(groups), group * head_dim, head_dim);
    append(made, v_rows(groups), group * head_dim, head_dim);
  }
  return made;
}

struct Stored {
  std::string name;
  tensor::Shape shape;
  std::vector<float> numbers;
};
Stored stored(std::string name, const Rows& rows) {
  Stored made{std::move(name), {rows.size(), rows[0].size()}, {}};
  for (const std::vector<float>& row : rows)
    made.numbers.insert(made.numbers.end(), row.begin(), row.end());
  return made;
}
/// [heads,E,D], as x · W wants it.
Stored by_heads(std::string name, const Rows& rows) {
  Stored made{std::move(name), {rows.size() / head_dim, width, head_dim}, {}};
  for (std::size_t head = 0; head < rows.size() / head_dim; ++head) {
    for (std::size_t in = 0; in < width; ++in) {
      for (std::size_t d = 0; d < head_dim; ++d)
        made.numbers.push_back(rows[head * head_dim + d][in]);
    }
  }
  return made;
}
/// [heads,D,E]: the output layer in the same way.
Stored output_by_heads(std::string name, const Rows& rows) {
  Stored made{std::move(name), {heads, head_dim, width}, {}};
  for (std::size_t in = 0; in < width; ++in) {
    for (std::size_t out = 0; out < width; ++out) made.numbers.push_back(rows[out][in]);
  }
  return made;
}

struct Model {
  std::string family;
  std::size_t groups;
  std::vector<Stored> tensors;
};

std::vector<Stored> apart(const std::string& prefix, std::array<std::string, 4> names,
                          std::size_t groups) {
  return {stored(prefix + names[0], q_rows()), stored(prefix + names[1], k_rows(groups)),
          stored(prefix + names[2], v_rows(groups)), stored(prefix + names[3], out_rows())};
}
std::vector<Stored> packed(const std::string& prefix, const std::string& name, const Rows& rows,
                           const std::string& out) {
  return {stored(prefix + name, rows), stored(prefix + out, out_rows())};
}

std::vector<Model> models() {
  return {
      {"GPT-NeoX", heads,
       packed("gpt_neox.layers.0.attention.", "query_key_value.weight", head_by_head(heads),
              "dense.weight")},
      {"BLOOM", heads,
       packed("h.0.self_attention.", "query_key_value.weight", head_by_head(heads),
              "dense.weight")},
      {"Falcon, groups", 2,
       packed("transformer.h.0.self_attention.", "query_key_value.weight", head_by_head(2),
              "dense.weight")},
      {"Falcon, one head of keys", 1,
       packed("transformer.h.0.self_attention.", "query_key_value.weight", head_by_head(1),
              "dense.weight")},
      {"Phi-3", 2,
       packed("model.layers.0.self_attn.", "qkv_proj.weight", one_after_another(2),
              "o_proj.weight")},
      {"GPT-BigCode", 1,
       packed("transformer.h.0.attn.", "c_attn.weight", one_after_another(1), "c_proj.weight")},
      {"MPT", heads,
       packed("transformer.blocks.0.attn.", "Wqkv.weight", one_after_another(heads),
              "out_proj.weight")},
      {"ModernBERT", heads,
       packed("model.layers.0.attn.", "Wqkv.weight", one_after_another(heads), "Wo.weight")},
      {"timm", heads,
       packed("blocks.0.attn.", "qkv.weight", one_after_another(heads), "proj.weight")},
      {"Meta", 2,
       apart("layers.0.attention.", {"wq.weight", "wk.weight", "wv.weight", "wo.weight"}, 2)},
      {"Whisper", heads,
       apart("decoder.blocks.0.attn.", {"query.weight", "key.weight", "value.weight", "out.weight"},
             heads)},
      {"diffusers", heads,
       apart("blocks.0.attn1.", {"to_q.weight", "to_k.weight", "to_v.weight", "to_out.0.weight"},
             heads)},
      {"GPT-J", heads,
       apart("transformer.h.0.attn.",
             {"q_proj.weight", "k_proj.weight", "v_proj.weight", "out_proj.weight"}, heads)},
      {"Phi", heads,
       apart("model.layers.0.self_attn.",
             {"q_proj.weight", "k_proj.weight", "v_proj.weight", "dense.weight"}, heads)},
      {"TransformerLens",
       2,
       {by_heads("blocks.0.attn.W_Q", q_rows()), by_heads("blocks.0.attn.W_K", k_rows(2)),
        by_heads("blocks.0.attn.W_V", v_rows(2)),
        output_by_heads("blocks.0.attn.W_O", out_rows())}},
  };
}

TEST(PackedWeights, AreReadAsTheyWerePacked) {
  for (const Model& each : models()) {
    SCOPED_TRACE(each.family);
    Header header;
    header.metadata = {{"num_heads", std::to_string(heads)}};
    std::uint64_t end = 0;
    for (const Stored& tensor : each.tensors) {
      const std::uint64_t begin = end;
      end += tensor.numbers.size() * sizeof(float);
      header.entries.push_back({tensor.name, "F32", tensor.shape, begin, end});
    }
    const FoundAttentions found = find_attentions(header);
    ASSERT_EQ(found.attentions.size(), 1U);
    const FoundAttention& attention = found.attentions[0];
    EXPECT_EQ(attention.problem, "");
    EXPECT_EQ(usual_heads(attention), heads);
    EXPECT_EQ(kv_heads(attention, heads), each.groups);
    std::vector<float> data;
    for (const HeaderEntry& entry : attention.tensors) {
      for (const Stored& tensor : each.tensors) {
        if (tensor.name == entry.name)
          data.insert(data.end(), tensor.numbers.begin(), tensor.numbers.end());
      }
    }
    const auto weights = weights_of(attention, std::as_bytes(std::span(data)));
    ASSERT_TRUE(weights) << weights.error().message;
    const auto expect = [&](model::TensorId name, const Rows& rows) {
      EXPECT_EQ((*weights)[name].shape(), (tensor::Shape{rows.size(), width}));
      EXPECT_EQ((*weights)[name].values(), stored("", rows).numbers);
    };
    expect("q_proj_weight", q_rows());
    expect("k_proj_weight", k_rows(each.groups));
    expect("v_proj_weight", v_rows(each.groups));
    expect("out_proj_weight", out_rows());
  }
}

}  // namespace
}  // namespace files
