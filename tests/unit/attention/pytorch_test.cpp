// Our numbers against PyTorch's: every tensor of every fixture that tests/fixtures/make_fixtures.py
// wrote.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/layer_norm.hpp"
#include "attention/layers.hpp"
#include "attention/mask.hpp"
#include "files/safetensors.hpp"

namespace attention {
namespace {

using test::Array;

constexpr double tolerance = 1e-5;

/// A fixture in memory: tensors by name and the options.
struct Fixture {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> options;

  Tensor operator[](const std::string& name) const {
    const auto found = tensors.find(name);
    return found == tensors.end() ? Tensor() : found->second;
  }
  std::string option(const std::string& name) const {
    const auto found = options.find(name);
    return found == options.end() ? "" : found->second;
  }
  std::size_t number(const std::string& name) const {
    return std::strtoul(option(name).c_str(), nullptr, 10);
  }
};

Fixture read_fixture(const std::string& name) {
  const std::string path = std::string(ATTENTION_LIVE_FIXTURES) + "/" + name + ".safetensors";
  std::vector<std::byte> bytes;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    std::byte buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) {
      bytes.insert(bytes.end(), buffer, buffer + count);
    }
    std::fclose(file);
  }
  Fixture fixture;
  const auto read = files::read_safetensors(bytes);
  EXPECT_TRUE(read.has_value()) << path << ": " << (read ? "" : read.error().message);
  if (!read) return fixture;
  for (const files::StoredTensor& stored : read->tensors) {
    auto tensor = files::to_float32(stored);
    EXPECT_TRUE(tensor.has_value()) << stored.name;
    // PyTorch: True hides, a float is added.
    if (tensor)
      fixture.tensors[stored.name] = stored.dtype == "BOOL" ? from_boolean(*tensor) : *tensor;
  }
  for (const auto& [key, value] : read->metadata) fixture.options[key] = value;
  return fixture;
}

/// The largest difference seen of each tensor, over all fixtures of one test; printed at its end.
class Differences {
 public:
  ~Differences() {
    for (const auto& [name, seen] : largest_) {
      std::printf("  %-34s %3d × compared, largest difference %.2e (%s)\n", name.c_str(),
                  seen.count, seen.difference, seen.fixture.c_str());
    }
  }

  /// Holds our tensor against "expected." + `name`, which must be there; `label` is what it is
  /// listed under.
  void compare(const Tensor& ours, const Fixture& fixture, const std::string& fixture_name,
               const std::string& name, const std::string& label) {
    const Tensor theirs = fixture["expected." + name];
    ASSERT_TRUE(theirs.defined()) << fixture_name << " has no expected." << name;
    ++compared_;
    const double difference = test::largest_difference(ours, Array(theirs));
    EXPECT_LE(difference, tolerance) << fixture_name << ": " << name;
    Seen& seen = largest_[label];
    ++seen.count;
    if (difference >= seen.difference) {
      seen.difference = difference;
      seen.fixture = fixture_name;
    }
  }

  /// Every expected tensor of a fixture must have been compared; none may be passed over.
  void expect_all_compared(const Fixture& fixture, const std::string& fixture_name) {
    int expected = 0;
    for (const auto& [name, tensor] : fixture.tensors)
      expected += name.rfind("expected.", 0) == 0 ? 1 : 0;
    EXPECT_EQ(compared_, expected) << fixture_name;
    compared_ = 0;
  }

 private:
  struct Seen {
    int count = 0;
    double difference = 0.0;
    std::string fixture;
  };
  std::map<std::string, Seen> largest_;
  int compared_ = 0;
};

/// Weights under the names of nn.MultiheadAttention's parameters.
Weights weights_of(const Fixture& fixture, const std::string& prefix) {
  Weights weights;
  weights.q_proj_weight = fixture[prefix + "q_proj_weight"];
  weights.k_proj_weight = fixture[prefix + "k_proj_weight"];
  weights.v_proj_weight = fixture[prefix + "v_proj_weight"];
  weights.out_proj_weight = fixture[prefix + "out_proj.weight"];
  weights.out_proj_bias = fixture[prefix + "out_proj.bias"];
  if (const Tensor packed = fixture[prefix + "in_proj_weight"]; packed.defined()) {
    const std::size_t E = packed.dim(1);
    weights.q_proj_weight = packed.narrow(0, 0, E);
    weights.k_proj_weight = packed.narrow(0, E, E);
    weights.v_proj_weight = packed.narrow(0, 2 * E, E);
  }
  if (const Tensor packed = fixture[prefix + "in_proj_bias"]; packed.defined()) {
    const std::size_t E = packed.dim(0) / 3;
    weights.q_proj_bias = packed.narrow(0, 0, E);
    weights.k_proj_bias = packed.narrow(0, E, E);
    weights.v_proj_bias = packed.narrow(0, 2 * E, E);
  }
  return weights;
}

/// key_padding_mask [B,Lk] as [B,1,1,Lk].
Tensor padding_of(const Tensor& mask) {
  return mask.defined() ? mask.unsqueeze(1).unsqueeze(1) : Tensor();
}

Scale scale_of(const std::string& text) {
  if (text.empty() || text == "sqrt-head-dim") return {};
  if (text == "none") return {Scale::Kind::none, 1.0F};
  if (text == "sqrt-keys") return {Scale::Kind::sqrt_keys, 1.0F};
  return {Scale::Kind::number, std::strtof(text.c_str(), nullptr)};
}

Interventions interventions_of(const Fixture& fixture) {
  Interventions interventions;
  if (const std::string name = fixture.option("mistake"); !name.empty()) {
    const auto mistake = mistake_named(name);
    EXPECT_TRUE(mistake.has_value()) << name;
    interventions.mistake = mistake.value_or(Mistake::none);
  }
  if (!fixture.option("ablated_head").empty())
    interventions.ablated_heads = {fixture.number("ablated_head")};
  return interventions;
}

void compare_attention(const std::string& name, Differences& differences) {
  const Fixture fixture = read_fixture(name);
  Inputs inputs;
  inputs.query = fixture["query"];
  ASSERT_TRUE(inputs.query.defined()) << name;
  inputs.key = fixture["key"].defined() ? fixture["key"] : inputs.query;
  inputs.value = fixture["value"].defined() ? fixture["value"] : inputs.key;
  const Options options{fixture.number("num_heads"), scale_of(fixture.option("scale")),
                        interventions_of(fixture)};
  Tensor mask = fixture["attn_mask"];
  if (mask.defined() && mask.rank() == 3) {  // PyTorch's [B·H,Lq,Lk]
    mask = mask.reshape({inputs.query.dim(0), options.num_heads, mask.dim(1), mask.dim(2)});
  }
  inputs.mask = combine_masks(mask, padding_of(fixture["key_padding_mask"]));
  const Result<Trace> trace = multi_head_attention(inputs, weights_of(fixture, ""), options);
  ASSERT_TRUE(trace.has_value()) << name << ": " << trace.error().message;
  const std::string prefix = "expected.";
  for (const auto& [key, theirs] : fixture.tensors) {
    if (key.rfind(prefix, 0) != 0) continue;
    const std::string tensor = key.substr(prefix.size());
    const auto id = tensor_named(tensor);
    ASSERT_TRUE(id.has_value()) << tensor;
    differences.compare((*trace)[*id], fixture, name, tensor, tensor);
  }
  differences.expect_all_compared(fixture, name);
}

TEST(PyTorch, OneToTwelveHeads) {
  Differences differences;
  for (const char* heads :
       {"01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12"}) {
    compare_attention(std::string("attention_heads_") + heads, differences);
  }
}

TEST(PyTorch, MultiheadAttention) {
  Differences differences;
  for (const char* name : {"self", "batch", "no_bias", "cross", "one_query", "one_key", "kdim_vdim",
                           "kdim_vdim_no_bias", "long"}) {
    compare_attention(std::string("attention_") + name, differences);
  }
}

TEST(PyTorch, EveryMask) {
  Differences differences;
  for (const char* name : {"look_ahead", "bool_cross", "float", "padding", "look_ahead_padding",
                           "float_padding", "per_head", "per_head_float"}) {
    compare_attention(std::string("attention_mask_") + name, differences);
  }
}

TEST(PyTorch, WithoutProjection) {
  Differences differences;
  for (const char* name : {"bare", "bare_heads", "bare_sqrt_keys", "bare_number"}) {
    compare_attention(std::string("attention_") + name, differences);
  }
}

TEST(PyTorch, EveryMistake) {
  Differences differences;
  for (const char* name :
       {"no_transpose", "no_transpose_no_mask", "no_scale", "softmax_over_queries",
        "softmax_over_queries_no_mask", "mask_after_softmax", "mask_with_zero",
        "keys_not_transposed", "ablated"}) {
    compare_attention(std::string("mistake_") + name, differences);
  }
}

// --- Layers ---

LayerNorm norm_of(const Fixture& fixture, const std::string& name) {
  return {fixture[name + ".weight"], fixture[name + ".bias"]};
}

FeedForward feed_forward_of(const Fixture& fixture, const std::string& prefix) {
  return {fixture[prefix + "linear1.weight"], fixture[prefix + "linear1.bias"],
          fixture[prefix + "linear2.weight"], fixture[prefix + "linear2.bias"]};
}

void compare_trace(const Trace& trace, const Fixture& fixture, const std::string& name,
                   const std::string& prefix, const std::string& label, Differences& differences) {
  for (const TensorId id :
       {TensorId::q, TensorId::masked_scores, TensorId::attention_weights, TensorId::output}) {
    const std::string tensor(name_of(id));
    differences.compare(trace[id], fixture, name, prefix + tensor, label + "." + tensor);
  }
}

void compare_feed_forward(const FeedForwardTrace& trace, const Fixture& fixture,
                          const std::string& name, const std::string& prefix,
                          Differences& differences) {
  const std::string part = "feed_forward.";
  differences.compare(trace.input, fixture, name, prefix + part + "input", part + "input");
  differences.compare(trace.hidden, fixture, name, prefix + part + "hidden", part + "hidden");
  differences.compare(trace.activated, fixture, name, prefix + part + "activated",
                      part + "activated");
  differences.compare(trace.output, fixture, name, prefix + part + "output", part + "output");
}

LayerOptions layer_options_of(const Fixture& fixture) {
  return {fixture.number("num_heads"),
          {},
          fixture.option("activation") == "gelu" ? Activation::gelu : Activation::relu,
          fixture.option("norm_first") == "true"};
}

/// nn.TransformerEncoder and nn.TransformerDecoder may end with one more norm.
void compare_end(const Tensor& last, const Fixture& fixture, const std::string& name,
                 Differences& differences) {
  const LayerNorm norm = norm_of(fixture, "norm");
  const Tensor output = norm.weight.defined() ? layer_norm(last, norm) : last;
  differences.compare(output, fixture, name, "output", "output");
  differences.expect_all_compared(fixture, name);
}

const char* const variants[] = {"relu_norm_after", "relu_norm_first", "gelu_norm_after",
                                "gelu_norm_first"};

TEST(PyTorch, TransformerEncoder) {
  Differences differences;
  for (const char* variant : variants) {
    const std::string name = std::string("encoder_") + variant;
    const Fixture fixture = read_fixture(name);
    std::vector<EncoderLayer> layers;
    for (std::size_t i = 0; i < fixture.number("depth"); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      layers.push_back({weights_of(fixture, prefix + "self_attn."),
                        feed_forward_of(fixture, prefix), norm_of(fixture, prefix + "norm1"),
                        norm_of(fixture, prefix + "norm2")});
    }
    const auto traces = encode(fixture["x"], padding_of(fixture["key_padding_mask"]), layers,
                               layer_options_of(fixture));
    ASSERT_TRUE(traces.has_value()) << name << ": " << traces.error().message;
    ASSERT_EQ(traces->size(), 2U);
    for (std::size_t i = 0; i < traces->size(); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      const EncoderLayerTrace& trace = (*traces)[i];
      compare_trace(trace.self_attention, fixture, name, prefix + "self_attn.", "self_attention",
                    differences);
      compare_feed_forward(trace.feed_forward, fixture, name, prefix, differences);
      differences.compare(trace.output, fixture, name, prefix + "output", "layer output");
    }
    compare_end(traces->back().output, fixture, name, differences);
  }
}

TEST(PyTorch, TransformerDecoder) {
  Differences differences;
  for (const char* variant : variants) {
    const std::string name = std::string("decoder_") + variant;
    const Fixture fixture = read_fixture(name);
    std::vector<DecoderLayer> layers;
    for (std::size_t i = 0; i < fixture.number("depth"); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      layers.push_back({weights_of(fixture, prefix + "self_attn."),
                        weights_of(fixture, prefix + "multihead_attn."),
                        feed_forward_of(fixture, prefix), norm_of(fixture, prefix + "norm1"),
                        norm_of(fixture, prefix + "norm2"), norm_of(fixture, prefix + "norm3")});
    }
    const auto traces =
        decode(fixture["x"], fixture["memory"], fixture["attn_mask"],
               padding_of(fixture["memory_key_padding_mask"]), layers, layer_options_of(fixture));
    ASSERT_TRUE(traces.has_value()) << name << ": " << traces.error().message;
    ASSERT_EQ(traces->size(), 2U);
    for (std::size_t i = 0; i < traces->size(); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      const DecoderLayerTrace& trace = (*traces)[i];
      compare_trace(trace.self_attention, fixture, name, prefix + "self_attn.", "self_attention",
                    differences);
      compare_trace(trace.cross_attention, fixture, name, prefix + "multihead_attn.",
                    "cross_attention", differences);
      compare_feed_forward(trace.feed_forward, fixture, name, prefix, differences);
      differences.compare(trace.output, fixture, name, prefix + "output", "layer output");
    }
    compare_end(traces->back().output, fixture, name, differences);
  }
}

}  // namespace
}  // namespace attention
