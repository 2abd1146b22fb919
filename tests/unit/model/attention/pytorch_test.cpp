// Our numbers against PyTorch's: every tensor of every fixture that tests/fixtures/make_fixtures.py
// wrote.
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/fixture.hpp"
#include "model/random_layers.hpp"

namespace model {
namespace {

constexpr double tolerance = 1e-5;

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
    const double difference = largest_difference(ours, Array(theirs));
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

Scale scale_of(const std::string& text) {
  if (text.empty() || text == "sqrt-head-dim") return {};
  if (text == "none") return {Scale::Kind::none, 1.0F};
  if (text == "sqrt-keys") return {Scale::Kind::sqrt_keys, 1.0F};
  return {Scale::Kind::number, std::strtof(text.c_str(), nullptr)};
}

Overrides overrides_of(const Fixture& fixture) {
  Overrides overrides;
  if (const std::string name = fixture.option("mistake"); !name.empty()) {
    const auto mistake = mistake_named(name);
    EXPECT_TRUE(mistake.has_value()) << name;
    overrides.mistake = mistake.value_or(Mistake::none);
  }
  if (!fixture.option("ablated_head").empty())
    overrides.ablated_heads = {fixture.number("ablated_head")};
  return overrides;
}

void compare_attention(const std::string& name, Differences& differences) {
  const Fixture fixture = read_fixture(name);
  const Tensor query = fixture["query"];
  ASSERT_TRUE(query.defined()) << name;
  const Tensor key = fixture["key"].defined() ? fixture["key"] : query;
  const Tensor value = fixture["value"].defined() ? fixture["value"] : key;
  const Options options{fixture.number("num_heads"), scale_of(fixture.option("scale")),
                        overrides_of(fixture), fixture.number("num_kv_heads")};
  Tensor mask = fixture["attn_mask"];
  if (mask.defined() && mask.rank() == 3) {  // PyTorch's [B·H,Lq,Lk]
    mask = mask.reshape({query.dim(0), options.num_heads, mask.dim(1), mask.dim(2)});
  }
  mask = combine_masks(mask, padding_of(fixture["key_padding_mask"]));
  const auto trace =
      multi_head_attention(inputs_of(query, key, value, mask, weights_of(fixture, "")), options);
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

TEST(PyTorch, GroupedQueries) {
  Differences differences;
  for (const char* name : {"queries", "queries_no_bias", "one_key_head", "one_key_head_no_bias",
                           "mask_look_ahead", "kdim_vdim"}) {
    compare_attention(std::string("attention_grouped_") + name, differences);
  }
  compare_attention("mistake_grouped_no_transpose", differences);
}

TEST(PyTorch, EveryMistake) {
  Differences differences;
  for (const char* name :
       {"no_transpose", "no_transpose_no_mask", "no_scale", "softmax_over_queries",
        "softmax_over_queries_no_mask", "mask_after_softmax", "mask_with_zero",
        "keys_not_transposed", "naive_softmax", "ablated"}) {
    compare_attention(std::string("mistake_") + name, differences);
  }
}

// --- Layers ---

void compare_trace(const Trace& trace, const Fixture& fixture, const std::string& name,
                   const std::string& prefix, const std::string& label, Differences& differences) {
  for (const TensorId id : {TensorId("q"), TensorId("masked_scores"), TensorId("attention_weights"),
                            TensorId("output")}) {
    const std::string tensor(name_of(id));
    differences.compare(trace[id], fixture, name, prefix + tensor, label + "." + tensor);
  }
}

void compare_layer(const Trace& trace, const Fixture& fixture, const std::string& name,
                   const std::string& prefix, Differences& differences) {
  const auto compare = [&](TensorId id, const std::string& theirs) {
    differences.compare(trace[id], fixture, name, prefix + theirs, theirs);
  };
  compare(trace.made_by("hidden")->of[0], "feed_forward.input");
  compare("hidden", "feed_forward.hidden");
  compare("activated", "feed_forward.activated");
  compare("feed_forward", "feed_forward.output");
  compare("layer_output", "output");
}

/// nn.TransformerEncoder and nn.TransformerDecoder may end with one more norm.
void compare_end(const Tensor& last, const Fixture& fixture, const std::string& name,
                 Differences& differences) {
  Tensor output = last;
  if (fixture["norm.weight"].defined()) {
    ops::Use use;
    use.operands = {{{last, {ops::Axis::B, ops::Axis::L, ops::Axis::E}, {}},
                     {fixture["norm.weight"], {ops::Axis::E}, {}},
                     {fixture["norm.bias"], {ops::Axis::E}, {}}}};
    use.count = 3;
    use.axes = use[0].axes;
    use.shape = last.shape();
    output = ops::layer_norm.forward(use);
  }
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
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < fixture.number("depth"); ++i) {
      layers.push_back(
          layer_of(fixture, "layers." + std::to_string(i) + ".", nodes_of<tables::encoder_layer>));
    }
    Tensors x;
    x["query_input"] = fixture["x"];
    Model model;
    const auto added = add_encoder(x, padding_of(fixture["key_padding_mask"]), layers,
                                   layer_options_of(fixture), model);
    ASSERT_TRUE(added.has_value()) << name << ": " << added.error().message;
    const std::vector<Trace> traces = compute(model);
    ASSERT_EQ(layers.size(), 2U);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      const std::string part = "encoder." + std::to_string(i);
      compare_trace(find(traces, part + ".self_attention"), fixture, name, prefix + "self_attn.",
                    "self_attention", differences);
      compare_layer(find(traces, part), fixture, name, prefix, differences);
    }
    compare_end(traces.back()["layer_output"], fixture, name, differences);
  }
}

TEST(PyTorch, TransformerDecoder) {
  Differences differences;
  for (const char* variant : variants) {
    const std::string name = std::string("decoder_") + variant;
    const Fixture fixture = read_fixture(name);
    std::vector<Layer> layers;
    for (std::size_t i = 0; i < fixture.number("depth"); ++i) {
      layers.push_back(
          layer_of(fixture, "layers." + std::to_string(i) + ".", nodes_of<tables::decoder_layer>));
    }
    Tensors x;
    x["query_input"] = fixture["x"];
    Model model;
    const auto added = add_decoder(x, fixture["memory"], fixture["attn_mask"],
                                   padding_of(fixture["memory_key_padding_mask"]), layers,
                                   layer_options_of(fixture), model);
    ASSERT_TRUE(added.has_value()) << name << ": " << added.error().message;
    const std::vector<Trace> traces = compute(model);
    ASSERT_EQ(layers.size(), 2U);
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const std::string prefix = "layers." + std::to_string(i) + ".";
      const std::string part = "decoder." + std::to_string(i);
      compare_trace(find(traces, part + ".self_attention"), fixture, name, prefix + "self_attn.",
                    "self_attention", differences);
      compare_trace(find(traces, part + ".cross_attention"), fixture, name,
                    prefix + "multihead_attn.", "cross_attention", differences);
      compare_layer(find(traces, part), fixture, name, prefix, differences);
    }
    compare_end(traces.back()["layer_output"], fixture, name, differences);
  }
}

}  // namespace
}  // namespace model
