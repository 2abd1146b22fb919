// Gradients against PyTorch's autograd: every tensor of every fixture that
// tests/fixtures/make_gradients.py wrote. And what rows of gradients are like.
#include "model/gradients.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/fixture.hpp"
#include "model/random_layers.hpp"

namespace model {
namespace {

constexpr double gradient_tolerance = 1e-5;  // relative to the largest of a tensor

double largest_of(const Tensor& tensor) {
  double largest = 0.0;
  for (const float number : tensor.values())
    largest = std::fmax(largest, std::fabs(static_cast<double>(number)));
  return largest;
}

/// Holds gradients against a fixture's and prints the largest difference at the end.
class Comparison {
 public:
  explicit Comparison(const std::string& name) : name_(name), fixture_(read_fixture(name)) {}
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;
  ~Comparison() {
    std::printf("  %-40s %3zu gradients, largest difference %.2e (%s)\n", name_.c_str(),
                compared_.size(), largest_, worst_.c_str());
  }

  const Fixture& fixture() const { return fixture_; }

  /// `ours` against "expected.d_" + `tensor`.
  void compare(const Tensor& ours, const std::string& tensor) {
    const Tensor theirs = fixture_["expected.d_" + tensor];
    ASSERT_TRUE(theirs.defined()) << name_ << " has no gradient of " << tensor;
    compared_.push_back("expected.d_" + tensor);
    double size = largest_of(theirs);
    // A bias of the keys adds the same to all scores of a query, which changes no weight: its true
    // gradient is 0, and no error is small beside that.
    if (tensor == "k_proj_bias") {
      EXPECT_LE(size, 1e-12);
      size = 1.0;
    }
    const double difference = largest_difference(ours, Array(theirs)) / size;
    EXPECT_LE(difference, gradient_tolerance) << name_ << ": " << tensor;
    if (difference < largest_) return;
    largest_ = difference;
    worst_ = tensor;
  }

  /// None of the fixture's may be passed over.
  void expect_all_compared() {
    std::sort(compared_.begin(), compared_.end());
    std::vector<std::string> expected;
    for (const auto& [name, tensor] : fixture_.tensors) {
      if (name.rfind("expected.", 0) == 0) expected.push_back(name);
    }
    EXPECT_EQ(compared_, expected) << name_;
  }

 private:
  std::string name_;
  Fixture fixture_;
  std::vector<std::string> compared_;
  double largest_ = 0.0;
  std::string worst_;
};

void compare_attention_gradients(const std::string& name) {
  Comparison comparison("gradient_" + name);
  const Fixture& fixture = comparison.fixture();
  const Tensor query = fixture["query"];
  ASSERT_TRUE(query.defined()) << name;
  const Tensor key = fixture["key"].defined() ? fixture["key"] : query;
  const Tensor value = fixture["value"].defined() ? fixture["value"] : key;
  const Tensor mask = combine_masks(fixture["attn_mask"], padding_of(fixture["key_padding_mask"]));
  const Trace trace = computed_with_gradients(
      inputs_of(query, key, value, mask, weights_of(fixture, "")),
      {fixture.number("num_heads"), {}, {}, fixture.number("num_kv_heads")}, fixture["target"]);
  for (const TensorId id : trace.present()) {
    if (id.is_gradient()) continue;
    ASSERT_TRUE(trace.has(id.gradient())) << name << ": no gradient of " << name_of(id);
    comparison.compare(trace[id.gradient()], std::string(name_of(id)));
  }
  comparison.expect_all_compared();
}

TEST(Gradients, OfAttentionAsPyTorch) {
  for (const char* name : {"bare", "bare_heads", "projected", "no_bias", "two_heads", "masked",
                           "padded", "grouped", "grouped_one_key_head"}) {
    compare_attention_gradients(name);
  }
}

// As a softmax gives that hides with 0 what nobody sees.
TEST(Gradients, OfQueriesThatSeeNoKeyAsPyTorch) {
  compare_attention_gradients("fully_masked");
  compare_attention_gradients("fully_masked_bare");
}

// --- The rows ---

TEST(Gradients, HaveTheShapesAndLettersOfTheirTensors) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 4, 12});
  const Trace trace = computed_with_gradients(
      self_inputs(x, look_ahead_mask(4, 4), random_weights(numbers, 12, 12, 12, true, 6)),
      {4, {}, {}, 2}, numbers.tensor({2, 4, 12}));
  for (const TensorId id : trace.present()) {
    if (id.is_gradient()) continue;
    const TensorId gradient = id.gradient();
    EXPECT_EQ(std::string(name_of(gradient)), "d_" + std::string(name_of(id)));
    EXPECT_EQ(tensor_named(name_of(gradient)), gradient);
    EXPECT_EQ(trace[gradient].shape(), trace[id].shape()) << name_of(id);
    EXPECT_EQ(trace.axes_of(gradient), trace.axes_of(id)) << name_of(id);
  }
  EXPECT_FALSE(trace.has(TensorId("weighted_values").gradient())) << "it is made on demand";
}

TEST(Gradients, GoBackAsViewsWhereNumbersCameAsViews) {
  Numbers numbers(2);
  const Trace trace = computed_with_gradients(self_inputs(numbers.tensor({2, 4, 6})), {2, {}, {}},
                                              Tensor({2, 4, 6}));
  const auto base = [&](TensorId id) { return trace.view_of(id.gradient()); };
  EXPECT_EQ(base("output"), TensorId("difference").gradient());
  EXPECT_EQ(base("merged_split"), TensorId("difference").gradient());
  EXPECT_EQ(base("head_outputs"), TensorId("difference").gradient());
  EXPECT_EQ(base("q_split"), TensorId("q_heads").gradient());
  EXPECT_EQ(base("masked_scores"), std::nullopt);
  EXPECT_EQ(base("scaled_scores"), TensorId("masked_scores").gradient());
}

TEST(Gradients, OfEmbeddingsAndTheirPositions) {
  Numbers numbers(3);
  Tensors given = self_inputs(numbers.tensor({2, 3, 6}));
  given["token_embedding"] = given["query_input"];
  given["query_input"] = {};
  const Trace trace = computed_with_gradients(given, {2, {}, {}}, numbers.tensor({2, 3, 6}));
  const Tensor& query = trace[TensorId("query_input").gradient()];
  EXPECT_TRUE(trace[TensorId("token_embedding").gradient()].has_same_bits(query));
  const Tensor& positions = trace[TensorId("position_encoding").gradient()];
  EXPECT_EQ(positions.shape(), (Shape{3, 6}));
  EXPECT_NEAR(positions.at({1, 2}), query.at({0, 1, 2}) + query.at({1, 1, 2}), 1e-6);
}

// What comes after the target gets no gradient.
TEST(Gradients, AreOfWhatTheLossDependsOn) {
  Numbers numbers(4);
  Tensors x;
  x["query_input"] = numbers.tensor({1, 3, 6});
  Model model;
  ASSERT_TRUE(
      add_encoder(x, {}, {random_encoder_layer(numbers, 6, 3), random_encoder_layer(numbers, 6, 3)},
                  every_option[0], model));
  add_squared_distance(model, 1, "layer_output", numbers.tensor({1, 3, 6}));
  add_gradients(model, 1, "loss");
  const std::vector<Trace> traces = compute(model);
  const auto has_gradients = [](const Trace& trace) {
    const std::vector<TensorId> ids = trace.present();
    return std::any_of(ids.begin(), ids.end(), [](TensorId id) { return id.is_gradient(); });
  };
  EXPECT_TRUE(has_gradients(find(traces, "encoder.0")));
  EXPECT_TRUE(has_gradients(find(traces, "encoder.0.self_attention")));
  EXPECT_FALSE(has_gradients(find(traces, "encoder.1")));
  EXPECT_FALSE(has_gradients(find(traces, "encoder.1.self_attention")));
}

TEST(Gradients, OfWhatIsWantedAreTheSameWithoutTheOthers) {
  Numbers numbers(5);
  Tensors x;
  x["query_input"] = numbers.tensor({1, 3, 6});
  Model all;
  ASSERT_TRUE(
      add_encoder(x, {}, {random_encoder_layer(numbers, 6, 3), random_encoder_layer(numbers, 6, 3)},
                  every_option[0], all));
  add_squared_distance(all, all.size() - 1, "layer_output", numbers.tensor({1, 3, 6}));
  Model second_layer = all;
  Model nothing = all;
  add_gradients(all, all.size() - 1, "loss");
  add_gradients(second_layer, all.size() - 1, "loss", [](const Trace& part, TensorId given) {
    return part.name.starts_with("encoder.1") && name_of(given).ends_with("weight");
  });
  add_gradients(nothing, all.size() - 1, "loss", [](const Trace&, TensorId) { return false; });
  const std::vector<Trace> expected = compute(all);
  const std::vector<Trace> made = compute(second_layer);
  const Trace& last = find(made, "encoder.1.self_attention");
  EXPECT_TRUE(last.has(TensorId("scores").gradient())) << "the weights of q and k learn from it";
  EXPECT_FALSE(last.has(TensorId("query_input").gradient()));
  EXPECT_FALSE(last.has(TensorId("q_proj_bias").gradient()));
  std::size_t compared = 0;
  for (std::size_t part = 0; part < made.size(); ++part) {
    for (const TensorId id : made[part].present()) {
      if (!id.is_gradient()) continue;
      EXPECT_TRUE(made[part].name.starts_with("encoder.1")) << made[part].name;
      if (!expected[part].has(id)) continue;  // a part of a sum that has one part here
      EXPECT_TRUE(made[part][id].has_same_bits(expected[part][id])) << name_of(id);
      ++compared;
    }
  }
  EXPECT_GT(compared, 12U);
  for (const Trace& trace : compute(nothing)) {
    for (const TensorId id : trace.present())
      EXPECT_TRUE(!id.is_gradient() || id == TensorId("loss").gradient()) << name_of(id);
  }
}

// --- Layers ---

std::string numbered(const char* stack, std::size_t layer) {
  return std::string(stack) + '.' + std::to_string(layer);
}

/// The parameters of an attention of a layer, its packed weights in three.
void compare_parameters(const Trace& attention, const std::string& prefix, Comparison& comparison) {
  const auto of = [&](TensorId id) { return attention[id.gradient()]; };
  const auto joined_rows = [](const std::vector<Tensor>& parts) {
    std::vector<float> numbers;
    std::size_t rows = 0;
    for (const Tensor& part : parts) {
      rows += part.dim(0);
      const std::vector<float> values = part.values();
      numbers.insert(numbers.end(), values.begin(), values.end());
    }
    Shape shape = parts[0].shape();
    shape[0] = rows;
    return Tensor(shape, numbers);
  };
  comparison.compare(joined_rows({of("q_proj_weight"), of("k_proj_weight"), of("v_proj_weight")}),
                     prefix + "in_proj_weight");
  comparison.compare(joined_rows({of("q_proj_bias"), of("k_proj_bias"), of("v_proj_bias")}),
                     prefix + "in_proj_bias");
  comparison.compare(of("out_proj_weight"), prefix + "out_proj.weight");
  comparison.compare(of("out_proj_bias"), prefix + "out_proj.bias");
}

/// Every row of a layer that the loss depends on, and the parameters of its attentions.
void compare_layer_gradients(const std::vector<Trace>& traces, const std::string& name,
                             Comparison& comparison) {
  const Trace& layer = find(traces, name);
  const TensorId left_over =
      layer.has("cross_attention") ? TensorId("residual3") : TensorId("residual2");
  for (const TensorId id : layer.present()) {
    // Others read the tensor that is this layer's input as well; see input_gradient.
    const bool is_input = id == TensorId("input");
    const bool is_loss =
        id == TensorId("target") || id == TensorId("difference") || id == TensorId("loss");
    if (id.is_gradient() || is_input || is_loss) continue;
    // Where norms come first, a sum is left over from where they come after, which nothing reads.
    if (layer.made_by("layer_output")->operation == &ops::add && id == left_over) {
      EXPECT_FALSE(layer.has(id.gradient())) << name << ": " << name_of(id);
      continue;
    }
    ASSERT_TRUE(layer.has(id.gradient())) << name << ": no gradient of " << name_of(id);
    comparison.compare(layer[id.gradient()], name + '.' + std::string(name_of(id)));
  }
  compare_parameters(find(traces, name + ".self_attention"), name + ".self_attn.", comparison);
  if (layer.has("cross_attention")) {
    compare_parameters(find(traces, name + ".cross_attention"), name + ".multihead_attn.",
                       comparison);
  }
}

/// Of the input of a stack: where its first reader has it, which passes it on to the others.
Tensor input_gradient(const std::vector<Trace>& traces, const std::string& stack,
                      const LayerOptions& options) {
  if (options.norm_first) return find(traces, stack + ".0")[TensorId("input").gradient()];
  return find(traces, stack + ".0.self_attention")[TensorId("query_input").gradient()];
}

const char* const layer_variants[] = {"relu_norm_after", "relu_norm_first", "gelu_norm_after",
                                      "gelu_norm_first"};

/// An encoder of `depth` layers as the fixture has it.
void add_encoder_of(const Fixture& fixture, std::size_t depth, Model& model) {
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < depth; ++i)
    layers.push_back(
        layer_of(fixture, numbered("encoder", i) + '.', nodes_of<tables::encoder_layer>));
  Tensors x;
  x["query_input"] = fixture["x"];
  const auto added = add_encoder(x, padding_of(fixture["key_padding_mask"]), layers,
                                 layer_options_of(fixture), model);
  ASSERT_TRUE(added.has_value()) << added.error().message;
}

std::vector<Trace> traces_with_gradients(Model& model, const Tensor& target) {
  add_squared_distance(model, model.size() - 1, "layer_output", target);
  add_gradients(model, model.size() - 1, "loss");
  return compute(model);
}

TEST(Gradients, OfEncoderLayersAsPyTorch) {
  for (const char* variant : layer_variants) {
    Comparison comparison(std::string("gradient_encoder_") + variant);
    const Fixture& fixture = comparison.fixture();
    Model model;
    add_encoder_of(fixture, 2, model);
    ASSERT_EQ(model.size(), 4U);
    const std::vector<Trace> traces = traces_with_gradients(model, fixture["target"]);
    for (const std::size_t i : {0U, 1U})
      compare_layer_gradients(traces, numbered("encoder", i), comparison);
    comparison.compare(input_gradient(traces, "encoder", layer_options_of(fixture)), "x");
    comparison.expect_all_compared();
  }
}

// The output of the encoder gets its gradient from the keys and values of both decoder layers.
TEST(Gradients, OfAnEncoderAndTwoDecoderLayersAsPyTorch) {
  for (const char* variant : layer_variants) {
    Comparison comparison(std::string("gradient_transformer_") + variant);
    const Fixture& fixture = comparison.fixture();
    Model model;
    add_encoder_of(fixture, 1, model);
    std::vector<Layer> layers;
    for (const std::size_t i : {0U, 1U}) {
      layers.push_back(
          layer_of(fixture, numbered("decoder", i) + '.', nodes_of<tables::decoder_layer>));
    }
    Tensors y;
    y["query_input"] = fixture["y"];
    const auto added =
        add_decoder(y, fixture["x"], fixture["attn_mask"], padding_of(fixture["key_padding_mask"]),
                    layers, layer_options_of(fixture), model);
    ASSERT_TRUE(added.has_value()) << added.error().message;
    const std::vector<Trace> traces = traces_with_gradients(model, fixture["target"]);
    compare_layer_gradients(traces, "encoder.0", comparison);
    for (const std::size_t i : {0U, 1U})
      compare_layer_gradients(traces, numbered("decoder", i), comparison);
    comparison.compare(input_gradient(traces, "encoder", layer_options_of(fixture)), "x");
    comparison.compare(input_gradient(traces, "decoder", layer_options_of(fixture)), "y");
    comparison.expect_all_compared();
  }
}

}  // namespace
}  // namespace model
