#include "stage/wording/cell/layer_words.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "document/session.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {
namespace {

using lesson::AttentionId;

const model::Trace& part_of(const document::Computed& computed, std::string_view name) {
  for (const model::Trace& part : computed.parts) {
    if (part.name == name) return part;
  }
  ADD_FAILURE() << "no part " << name;
  return computed.parts.front();
}

// Each number of the lines is computed here again, in double, from the tensors of the layer.
TEST(LayerWords, GoBackToTheAttentionOfTheLayer) {
  const document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  const document::Computed& computed = session.computed();
  const model::Trace& layer = part_of(computed, "encoder.0");
  const auto& cross = computed.find(AttentionId::cross_attention);
  const tensor::Tensor& output = cross.trace["key_input"];
  for (std::size_t token = 0; token < output.dim(1); ++token) {
    for (std::size_t i = 0; i < output.dim(2); ++i) {
      const tensor::Index at{0, token, i};
      const auto lines = layer_lines(computed, cross, {"key_input", at});
      ASSERT_EQ(lines.size(), 5U) << "norm, sum, product, norm, sum";
      const auto text = [&](double value) { return number_text(static_cast<float>(value), 3); };
      const auto cell = [&](model::TensorId id) {
        return std::string(model::name_of(id)) + " " + text(static_cast<double>(layer[id].at(at)));
      };
      double mean = 0.0;
      double squares = 0.0;
      const auto width = static_cast<double>(output.dim(2));
      for (std::size_t j = 0; j < output.dim(2); ++j)
        mean += static_cast<double>(layer["residual2"].at({0, token, j})) / width;
      for (std::size_t j = 0; j < output.dim(2); ++j)
        squares += std::pow(static_cast<double>(layer["residual2"].at({0, token, j})) - mean, 2);
      const std::string norm = cell("layer_output") + " = (" + cell("residual2") + " − mean " +
                               text(mean) + ") / " + text(std::sqrt(squares / width + 1e-5));
      EXPECT_TRUE(lines[0].starts_with(norm)) << lines[0] << "\n" << norm;
      EXPECT_EQ(lines[1],
                cell("residual2") + " = " + cell("normed1") + " + " + cell("feed_forward"));
      EXPECT_TRUE(lines[2].starts_with(cell("feed_forward"))) << lines[2];
      std::size_t zeros = 0;
      const tensor::Tensor& activated = layer["activated"];
      for (std::size_t j = 0; j < activated.dim(2); ++j)
        zeros += activated.at({0, token, j}) == 0.0F ? 1U : 0U;
      const std::string of_relu = "relu has made " + std::to_string(zeros) + " of these ";
      EXPECT_EQ(lines[2].find(of_relu) != std::string::npos, zeros > 0) << lines[2];
      EXPECT_TRUE(lines[3].starts_with(cell("normed1") + " = (" + cell("residual1"))) << lines[3];
      EXPECT_EQ(lines[4],
                cell("residual1") + " = " + cell("input") + " + " + cell("self_attention"));
      EXPECT_TRUE(whole_explanation(computed, cross, {"key_input", at}).ends_with(lines[4]));
    }
  }
}

TEST(LayerWords, AreOnlyForWhatALayerHasMade) {
  const document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::you_are_welcome, 0)));
  const document::Computed& computed = session.computed();
  const auto& encoder = computed.find(AttentionId::encoder_self_attention);
  EXPECT_TRUE(layer_lines(computed, encoder, {"query_input", {0, 0, 0}}).empty());
  const auto& cross = computed.find(AttentionId::cross_attention);
  EXPECT_TRUE(layer_lines(computed, cross, {"q", {0, 0, 0}}).empty());
  // The decoder's queries come from the middle of its layer, after its first norm.
  const auto lines = layer_lines(computed, cross, {"query_input", {0, 0, 0}});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("normed1 ")) << lines[0];
}

}  // namespace
}  // namespace stage
