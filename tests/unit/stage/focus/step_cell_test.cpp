#include "stage/focus/step_cell.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "document/setups.hpp"
#include "model/trace.hpp"

namespace stage {
namespace {

using document::all_computed;
using document::CellRef;
using document::ComputedAttention;
using document::ViewState;
using lesson::StepId;
using model::TensorId;

/// Calls `check` for each attention and step, with choices that change on the way.
template <typename Check>
void for_each_look(Check check) {
  std::size_t number = 0;
  for (const document::Computed& computed : all_computed()) {
    for (const ComputedAttention& attention : computed.attentions) {
      for (const lesson::Step& step : lesson::steps()) {
        const model::Config& config = attention.trace.config;
        ViewState view_state;
        view_state.step = step.id;
        view_state.attention = attention.id;
        view_state.sample = number % config.batch;
        view_state.head = number % config.num_heads;
        view_state.query = number % config.query_len;
        view_state.key = number % config.key_len;
        view_state.projection = static_cast<document::Projection>(number++ % 3);
        SCOPED_TRACE(std::string(step.name) + " of " + std::string(lesson::name_of(attention.id)) +
                     ", query " + std::to_string(view_state.query));
        check(attention, view_state);
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

TEST(StepCell, IsOneOfTheStepsOwn) {
  for_each_look([](const ComputedAttention& attention, const ViewState& view_state) {
    const CellRef cell = step_cell(attention, view_state);
    ASSERT_TRUE(attention.trace.has(cell.tensor));
    const tensor::Tensor& tensor = attention.trace[cell.tensor];
    ASSERT_EQ(cell.index.rank(), tensor.rank());
    const auto axes = model::axes_of(cell.tensor);
    const bool transposes = view_state.step == StepId::transpose;
    const bool of_another_head = transposes && view_state.head == 0;
    const bool of_another_token = transposes && view_state.query == 0;
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
      ASSERT_LT(cell.index[axis], tensor.dim(axis)) << name_of(axes[axis]);
      if (of_another_head && axes[axis] == model::Axis::H) continue;
      if (of_another_token && axes[axis] == model::Axis::Lq) continue;
      const std::size_t place = cell.index[axis];
      EXPECT_TRUE(axes[axis] != model::Axis::B || place == view_state.sample) << place;
      EXPECT_TRUE(axes[axis] != model::Axis::H || place == view_state.head) << place;
      EXPECT_TRUE(axes[axis] != model::Axis::Lq || place == view_state.query) << place;
    }
    const auto& tensors = lesson::step(view_state.step).tensors;
    EXPECT_NE(std::find(tensors.begin(), tensors.end(), cell.tensor), tensors.end())
        << model::name_of(cell.tensor);
  });
}

// Arcs count to it, along both axes that are swapped.
TEST(StepCell, OfTransposeIsNeverTheFirstFloat) {
  std::size_t two_jumps = 0;
  for_each_look([&two_jumps](const ComputedAttention& attention, ViewState view_state) {
    if (view_state.step != StepId::transpose) return;
    view_state.head = view_state.key = 0;
    for (view_state.query = 0; view_state.query < 2; ++view_state.query) {
      if (view_state.query >= attention.trace.config.query_len) continue;
      const CellRef cell = step_cell(attention, view_state);
      const tensor::Tensor& made = attention.trace[cell.tensor];
      EXPECT_EQ(cell.index[1] + cell.index[2] + cell.index[3] > 0, made.size() > made.dim(0));
      EXPECT_EQ(cell.index[1], made.dim(1) > 1 ? 1U : 0U);
      EXPECT_EQ(cell.index[2], made.dim(2) > 1 ? 1U : 0U);
      two_jumps += cell.index[1] == 1 && cell.index[2] == 1;
      document::ViewState alone = view_state;
      alone.all_heads = false;
      EXPECT_EQ(step_cell(attention, alone).index[1], 0U) << "of the head that is seen";
    }
  });
  EXPECT_GT(two_jumps, 5U);
}

TEST(StepCell, OfASumIsTheLargestOfItsRow) {
  for_each_look([](const ComputedAttention& attention, const ViewState& view_state) {
    const StepId step = view_state.step;
    if (step != StepId::sentence && step != StepId::reweight) return;
    const CellRef cell = step_cell(attention, view_state);
    const tensor::Tensor& outputs = attention.trace[cell.tensor];
    tensor::Index other = cell.index;
    // The first picture shows the beginning of a long row.
    const std::size_t end =
        step == StepId::sentence ? std::min(explained_in_sentence, outputs.dim(3)) : outputs.dim(3);
    EXPECT_LT(cell.index[3], end);
    for (std::size_t dimension = 0; dimension < end; ++dimension) {
      other[3] = dimension;
      EXPECT_LE(std::fabs(outputs.at(other)), std::fabs(outputs.at(cell.index)));
    }
  });
}

TEST(StepCell, OfAMaskIsHiddenWhereItHidesAnything) {
  std::size_t hidden = 0;
  for_each_look([&hidden](const ComputedAttention& attention, const ViewState& view_state) {
    if (view_state.step != StepId::mask) return;
    const CellRef cell = step_cell(attention, view_state);
    const tensor::Tensor& made = attention.trace[cell.tensor];
    bool any = false;
    tensor::Index other = cell.index;
    for (other[3] = 0; other[3] < made.dim(3); ++other[3]) any = any || std::isinf(made.at(other));
    EXPECT_EQ(std::isinf(made.at(cell.index)), any);
    hidden += any;
  });
  EXPECT_GT(hidden, 1U);
}

TEST(ShapesOf, AreThoseOfTheTrace) {
  for_each_look([](const ComputedAttention& attention, const ViewState& view_state) {
    const std::string text = shapes_of(attention, view_state);
    ASSERT_FALSE(text.empty());
    // Every "name [..]" in it is a tensor of this attention with these axes.
    std::size_t named = 0;
    for (const TensorId tensor : attention.trace.present()) {
      std::string shape = std::string(model::name_of(tensor)) + " [";
      const auto axes = model::axes_of(tensor);
      for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        if (axes[axis] == model::Axis::B) continue;  // said once for all, where there are several
        shape += (shape.back() == '[' ? "" : ", ") + std::string(name_of(axes[axis])) + " " +
                 std::to_string(attention.trace[tensor].dim(axis));
      }
      shape += "]";
      const std::size_t at = text.find(shape);
      if (at != std::string::npos && (at == 0 || text[at - 1] == ' ')) ++named;
    }
    std::size_t brackets = 0;
    for (const char letter : text) brackets += letter == '[' ? 1 : 0;
    EXPECT_EQ(named, brackets) << text;
    const std::size_t batch = attention.trace.config.batch;
    EXPECT_EQ(text.find("for each of B " + std::to_string(batch) + " samples") != std::string::npos,
              batch > 1)
        << text;
    const CellRef cell = step_cell(attention, view_state);
    EXPECT_NE(text.find(std::string(model::name_of(cell.tensor)) + " ["), std::string::npos)
        << text;
  });
}

// A linear layer is a product of two matrices: both are named.
TEST(ShapesOf, NameTheWeightsOfAProjection) {
  std::size_t with_weights = 0;
  for_each_look([&with_weights](const ComputedAttention& attention, const ViewState& view_state) {
    if (view_state.step != StepId::project || view_state.gradients) return;
    if (view_state.projection != document::Projection::q) return;
    const bool has = attention.trace.has("q_proj_weight");
    const std::string text = shapes_of(attention, view_state);
    EXPECT_EQ(text.find("q_proj_weight [") != std::string::npos, has) << text;
    with_weights += has ? 1 : 0;
  });
  EXPECT_GT(with_weights, 3U);
}

}  // namespace
}  // namespace stage
