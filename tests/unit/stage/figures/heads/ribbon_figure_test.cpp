#include "stage/figures/step_figures.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "stage/compositions.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {
namespace {

using lesson::StepId;
using model::TensorId;
using tensor::Index;
using tensor::Tensor;

bool has_ribbon(StepId step) {
  return step == StepId::split || step == StepId::transpose || step == StepId::merge;
}

/// Calls `check` with every screen that has a ribbon, and with the figure alone on it.
template <typename Check>
void for_each_ribbon(Check check) {
  std::size_t seen = 0;
  for_each_composition([&](const Composed& composed) {
    if (!has_ribbon(composed.view_state.step)) return;
    for (const Rect& place : {Rect{0.0F, 0.0F, 856.0F, 216.0F}, Rect{10.0F, 20.0F, 340.0F, 140.0F},
                              Rect{0.0F, 0.0F, 300.0F, 132.0F}}) {
      if (composed.screen != &screens[0]) continue;
      Stage stage;
      put_ribbon(stage, composed.input(), place);
      ASSERT_EQ(stage.figures.size(), 1U);
      check(composed, stage, place);
      ++seen;
    }
  });
  EXPECT_GT(seen, 100U);
}

const Words* words_with(const Figure& figure, const std::string& part) {
  for (const Words& words : figure.words) {
    if (words.text.find(part) != std::string::npos) return &words;
  }
  return nullptr;
}

/// The first float of the sample in the memory of this tensor.
std::size_t first_float(const Tensor& memory, std::size_t sample) {
  return memory.offset() + sample * (memory.size() / memory.dim(0));
}

/// The line that works out where the marked cell lies, in words or, where it is narrow, in short.
const Words* address_line(const Figure& figure) {
  const Words* words = words_with(figure, "] is float ");
  return words != nullptr ? words : words_with(figure, "]: ");
}

/// The step's own cell; of merged, the number that it is a copy of.
document::CellRef followed_cell(const Composed& composed) {
  const FigureInput input = composed.input();
  EXPECT_FALSE(input.view_state.cell);
  const document::CellRef cell = step_cell(input.attention, input.view_state);
  if (cell.tensor != TensorId("merged")) return cell;
  const std::size_t dim = composed.trace().config.head_dim();
  const std::size_t column = cell.index[2];
  return {"merged_split", {cell.index[0], cell.index[1], column / dim, column % dim}};
}

std::size_t followed_float(const Composed& composed) {
  const document::CellRef followed = followed_cell(composed);
  return composed.trace()[followed.tensor].position(followed.index);
}

/// How the address line of a ribbon begins while this cell has the focus.
std::string address_of(const document::Computed& computed, document::ViewState view_state,
                       document::CellRef cell) {
  view_state.cell = std::move(cell);
  Stage stage;
  put_ribbon(stage, {computed, computed.attentions.front(), view_state},
             {0.0F, 0.0F, 856.0F, 260.0F});
  const Words* line = address_line(stage.figures[0]);
  EXPECT_NE(line, nullptr);
  return line == nullptr ? "" : line->text.substr(0, line->text.find(']') + 1);
}

TEST(Ribbon, IsTheMemoryInOrder) {
  for_each_ribbon([](const Composed& composed, const Stage& stage, const Rect&) {
    ASSERT_FALSE(stage.blocks.empty());
    for (const Block& block : stage.blocks) {
      ASSERT_TRUE(block.run);
      const Tensor& memory = composed.trace()[block.tensor];
      ASSERT_TRUE(block.run->shares_storage_with(memory));
      ASSERT_EQ(block.rows(), 1U);
      ASSERT_EQ(block.range, value_range(memory));
      ASSERT_GE(block.run_start, first_float(memory, composed.view_state.sample));
      ASSERT_LE(block.run_start + block.columns(),
                first_float(memory, composed.view_state.sample) + memory.size() / memory.dim(0));
      for (std::size_t i = 0; i < block.columns(); ++i) {
        ASSERT_EQ(bits_of(block.value(0, i)), bits_of(memory.storage()[block.run_start + i]));
        const Index index = block.index_of(0, i);
        ASSERT_EQ(index[0], composed.view_state.sample);
        ASSERT_EQ(memory.position(index), block.run_start + i);
        const auto back = block.position_of(index);
        ASSERT_TRUE(back);
        ASSERT_EQ(back->column, i);
      }
    }
  });
}

TEST(Ribbon, HasTheMarkedFloatInItsWindow) {
  for_each_ribbon([](const Composed& composed, const Stage& stage, const Rect&) {
    const std::size_t marked = followed_float(composed);
    const Block& block = stage.blocks.front();
    ASSERT_GE(marked, block.run_start);
    ASSERT_LT(marked, block.run_start + block.columns());
    const auto hits = cells_reading(stage, composed.trace()[block.tensor], marked);
    ASSERT_FALSE(hits.empty());
    // Its place is the one that stands out among those that are counted.
    std::size_t strong = 0;
    const std::size_t place =
        marked - first_float(composed.trace()[block.tensor], composed.view_state.sample);
    const Rect cell = block.cell(0, marked - block.run_start);
    for (const Words& words : stage.figures[0].words) {
      if (words.side != Side::centre || std::abs(words.at.y - cell.bottom() - 14.0F) > 0.1F)
        continue;
      if (words.tone != Tone::strong) continue;
      ++strong;
      ASSERT_EQ(words.text, std::to_string(place));
      ASSERT_NEAR(words.at.x, cell.centre().x, 0.01F);
    }
    ASSERT_LE(strong, 1U);
    if (cell.width >= 24.0F) {
      ASSERT_EQ(strong, 1U);
    }
  });
}

TEST(Ribbon, FollowsTheChosenCell) {
  const auto& [name, computed] = computed_examples().front();
  document::ViewState view_state;
  view_state.attention = computed.attentions.front().id;
  view_state.step = StepId::transpose;
  EXPECT_EQ(address_of(computed, view_state, {"q", {0, 2, 1}}), "q_heads[0, 2, 1]") << name;
  // A cell of another memory is none of this ribbon's.
  view_state.query = 1;
  EXPECT_EQ(address_of(computed, view_state, {"output", {0, 2, 1}}), "q_heads[0, 1, 0]")
      << "the first number of the chosen query in the only head";
}

// A merged number lies in other memory, and the ribbon shows where it was copied from.
TEST(Ribbon, FollowsTheNumberThatAChosenOneIsACopyOf) {
  for (const auto& [name, computed] : computed_examples()) {
    if (!name.starts_with("you-are-welcome")) continue;
    document::ViewState view_state;
    view_state.attention = computed.attentions.front().id;
    view_state.step = StepId::merge;
    EXPECT_EQ(address_of(computed, view_state, {"merged", {0, 1, 4}}), "merged_split[1, 1, 1]")
        << name << ": head 1 begins at column 3";
  }
}

/// All whole numbers in a text, in order.
std::vector<std::size_t> numbers_in(const std::string& text) {
  std::vector<std::size_t> numbers;
  bool inside_one = false;
  for (const char letter : text) {
    const bool digit = letter >= '0' && letter <= '9';
    if (digit && !inside_one) numbers.push_back(0);
    if (digit) numbers.back() = numbers.back() * 10 + static_cast<std::size_t>(letter - '0');
    inside_one = digit;
  }
  return numbers;
}

TEST(Ribbon, WorksOutTheAddressOfTheMarkedCell) {
  std::size_t lines = 0;
  for_each_ribbon([&lines](const Composed& composed, const Stage& stage, const Rect& place) {
    const Words* line = address_line(stage.figures[0]);
    const bool roomy = place.height > 150.0F && composed.view_state.step != StepId::merge;
    ASSERT_TRUE(line != nullptr || !roomy);
    if (line == nullptr) return;
    ++lines;
    const document::CellRef followed = followed_cell(composed);
    const Tensor& tensor = composed.trace()[followed.tensor];
    const std::string name(model::name_of(followed.tensor));
    ASSERT_EQ(line->text.substr(0, name.size() + 1), name + "[");
    // index of each axis but the first; then index and stride of each; then where that leads.
    const std::vector<std::size_t> numbers = numbers_in(line->text.substr(name.size()));
    const std::size_t axes = tensor.rank() - 1;
    ASSERT_EQ(numbers.size(), 3 * axes + 1) << line->text;
    std::size_t sum = 0;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      ASSERT_EQ(numbers[axis], followed.index[axis + 1]) << line->text;
      ASSERT_EQ(numbers[axes + 2 * axis], followed.index[axis + 1]) << line->text;
      ASSERT_EQ(numbers[axes + 2 * axis + 1], tensor.strides()[axis + 1]) << line->text;
      sum += numbers[axes + 2 * axis] * numbers[axes + 2 * axis + 1];
    }
    ASSERT_EQ(numbers.back(), sum) << line->text;
    const Block& block = stage.blocks.front();
    const std::size_t begin =
        first_float(composed.trace()[block.tensor], composed.view_state.sample);
    ASSERT_EQ(begin + sum, tensor.position(followed.index)) << line->text;
  });
  EXPECT_GT(lines, 50U);
}

TEST(Ribbon, HasRoomForTheAddressOnAPage) {
  for_each_composition([](const Composed& composed) {
    const StepId step = composed.view_state.step;
    if (composed.screen != &screens[0] || (step != StepId::split && step != StepId::transpose))
      return;
    ASSERT_EQ(composed.stage().figures.size(), 1U);
    ASSERT_NE(address_line(composed.stage().figures[0]), nullptr);
  });
}

TEST(Ribbon, SaysShapeAndStridesBeforeAndAfter) {
  std::size_t lines = 0;
  for_each_ribbon([&lines](const Composed& composed, const Stage& stage, const Rect&) {
    const Figure& figure = stage.figures[0];
    const Words* after = words_with(figure, "after");
    if (after == nullptr || after->text != "after") return;
    const document::CellRef followed = followed_cell(composed);
    const Tensor& tensor = composed.trace()[followed.tensor];
    // The strides as PyTorch would print them, without the batch's.
    std::string strides = "[";
    for (std::size_t axis = 1; axis < tensor.rank(); ++axis)
      strides += (axis == 1 ? "" : ", ") + std::to_string(tensor.strides()[axis]);
    bool said = false;
    for (const Words& words : figure.words)
      said |= words.at.y == after->at.y && words.text.find(strides + "]") != std::string::npos;
    ASSERT_TRUE(said) << strides;
    ++lines;
  });
  EXPECT_GT(lines, 100U);
}

// One alone says nothing of what changes; on a page and on a phone both are there, and say what the
// strides are.
TEST(Ribbon, SaysBeforeAndAfterOrNeither) {
  std::size_t both = 0;
  for_each_composition([&both](const Composed& composed) {
    if (!has_ribbon(composed.view_state.step) || composed.stage().figures.empty()) return;
    const Figure& figure = composed.stage().figures[0];
    const Words* before = words_with(figure, "before");
    const Words* after = words_with(figure, "after");
    ASSERT_EQ(before != nullptr, after != nullptr);
    if (composed.screen == &screens[1]) return;
    ASSERT_NE(before, nullptr);
    ASSERT_TRUE(words_with(figure, "] strides [") || words_with(figure, "]  strides ["));
    ++both;
  });
  EXPECT_GT(both, 100U);
}

TEST(Ribbon, HasTheHueOfTheHeadUnderEachFloat) {
  for_each_ribbon([](const Composed& composed, const Stage& stage, const Rect&) {
    const std::size_t dim = composed.trace().config.head_dim();
    std::size_t bars = 0;
    for (const Block& block : stage.blocks) {
      for (std::size_t i = 0; i < block.columns(); ++i, ++bars) {
        ASSERT_LT(bars, stage.figures[0].bars.size());
        const Bar& bar = stage.figures[0].bars[bars];
        const Index index = block.index_of(0, i);
        std::size_t head = block.tensor == "head_outputs" ? index[1] : index[2] / dim;
        // Where several heads share it, the first of them.
        const model::Config& config = composed.trace().config;
        if (block.tensor == "k" || block.tensor == "v")
          head *= config.num_heads / config.num_kv_heads;
        ASSERT_EQ(bar.head, head) << i;
        ASSERT_EQ(bar.tone, Tone::head);
        ASSERT_NEAR(bar.place.centre().x, block.cell(0, i).centre().x, 0.01F);
        ASSERT_GE(bar.place.y, block.cells.bottom());
      }
    }
    ASSERT_EQ(bars, stage.figures[0].bars.size());
  });
}

// Merging copies: the same number, in two memories.
TEST(Ribbon, OfAMergeHasWhereTheNumberIsCopiedTo) {
  std::size_t copies = 0;
  for_each_ribbon([&copies](const Composed& composed, const Stage& stage, const Rect& place) {
    if (composed.view_state.step != StepId::merge) {
      ASSERT_EQ(stage.blocks.size(), 1U);
      return;
    }
    ASSERT_EQ(stage.blocks[0].tensor, TensorId("head_outputs"));
    if (composed.trace().view_of("merged")) {  // one head: nothing is copied
      ASSERT_EQ(stage.blocks.size(), 1U);
      return;
    }
    if (place.height < 200.0F) return;
    ASSERT_EQ(stage.blocks.size(), 2U);
    const Block& merged = stage.blocks[1];
    ASSERT_EQ(merged.tensor, TensorId("merged"));
    const document::CellRef followed = followed_cell(composed);
    const Index& index = followed.index;  // of merged_split: sample, token, head, dimension
    const Index to{index[0], index[1], index[2] * composed.trace().config.head_dim() + index[3]};
    const auto position = merged.position_of(to);
    ASSERT_TRUE(position);
    ASSERT_EQ(bits_of(merged.value(0, position->column)),
              bits_of(composed.trace()["merged_split"].at(index)));
    ++copies;
  });
  EXPECT_GT(copies, 10U);
}

// Over the run as q_split counts, under it as q_heads does: the same jumps in another order, both
// to the marked float.
TEST(Ribbon, ArcsCountToTheMarkedFloatInTwoOrders) {
  std::size_t seen = 0;
  for_each_composition([&seen](const Composed& composed) {
    if (composed.screen != &screens[0] || composed.view_state.step != StepId::transpose) return;
    Stage stage;
    put_ribbon(stage, composed.input(), {0.0F, 0.0F, 856.0F, 216.0F});
    const std::vector<Stroke>& arcs = stage.figures[0].strokes;
    if (arcs.empty()) return;
    ++seen;
    ASSERT_EQ(arcs.size() % 2, 0U);
    const Block& run = stage.blocks.front();
    const Rect cell = run.cell(0, followed_float(composed) - run.run_start);
    for (const std::size_t last : {arcs.size() / 2 - 1, arcs.size() - 1})
      ASSERT_NEAR(arcs[last].points.back().x, cell.centre().x, 4.0F);
    ASSERT_LT(arcs.front().points.front().y, run.cells.y);
    ASSERT_GT(arcs.back().points.back().y, run.cells.bottom());
    // As many jumps along each axis as its index says, each as far as its stride.
    const document::CellRef followed = followed_cell(composed);
    std::size_t jumps = 0;
    for (std::size_t axis = 1; axis < followed.index.rank(); ++axis) jumps += followed.index[axis];
    ASSERT_EQ(arcs.size(), 2 * jumps);
  });
  EXPECT_GT(seen, 10U);
}

// Of more memory than has room above, all of it as one bar to scale, with both ways on it.
TEST(Ribbon, OfWideMemoryHasAllOfItToScale) {
  std::size_t seen = 0;
  for_each_composition([&seen](const Composed& composed) {
    if (composed.screen != &screens[0] || composed.view_state.step != StepId::transpose) return;
    Stage stage;
    const Rect place{0.0F, 0.0F, 856.0F, 252.0F};
    put_ribbon(stage, composed.input(), place);
    const Figure& figure = stage.figures[0];
    const Block& run = stage.blocks.front();
    const Tensor& memory = composed.trace()[run.tensor];
    const std::size_t size = memory.size() / memory.dim(0);
    if (run.columns() == size) return;
    ++seen;
    const std::size_t dim = composed.trace().config.head_dim();
    ASSERT_EQ(figure.bars.size(), run.columns() + size / dim);
    for (std::size_t i = 0; i < size / dim; ++i) {
      const Bar& bar = figure.bars[run.columns() + i];
      const float width = place.width * static_cast<float>(dim) / static_cast<float>(size);
      ASSERT_NEAR(bar.place.x, static_cast<float>(i) * width, 0.1F);
      ASSERT_NEAR(bar.place.width, width, 0.1F);
    }
    // The frame lies around what the run shows.
    const std::size_t begin = first_float(memory, composed.view_state.sample);
    const auto x_of = [&](std::size_t position) {
      return place.width * static_cast<float>(position - begin) / static_cast<float>(size);
    };
    ASSERT_FALSE(figure.strokes.empty());
    ASSERT_NEAR(figure.strokes[0].points[0].x, x_of(run.run_start), 0.1F);
    ASSERT_NEAR(figure.strokes[0].points[1].x, x_of(run.run_start + run.columns()), 0.1F);
    // What an arc's end leaves to the marked float is at most a row of a head, too short for one.
    const float marked = x_of(followed_float(composed));
    const float row = x_of(begin + dim);
    for (std::size_t i = 1; i < figure.strokes.size(); ++i) {
      const Stroke& arc = figure.strokes[i];
      const bool last = i + 1 == figure.strokes.size() ||
                        (arc.points[0].y < arc.points[1].y) !=
                            (figure.strokes[i + 1].points[0].y < figure.strokes[i + 1].points[1].y);
      if (last) {
        ASSERT_LE(arc.points.back().x, marked + 4.0F);
        ASSERT_GE(arc.points.back().x, marked - std::max(row, 10.0F) - 4.0F);
      }
    }
  });
  EXPECT_GT(seen, 5U);
}

TEST(Ribbon, StaysInItsPlace) {
  for_each_ribbon([](const Composed&, const Stage& stage, const Rect& place) {
    for (const Group& group : stage.groups) {
      ASSERT_TRUE(inside(group.caption, group.bounds)) << group.title;
      ASSERT_TRUE(inside(group.bounds, place, 0.5F)) << text_of(group.bounds);
    }
    for (const Block& block : stage.blocks)
      ASSERT_TRUE(inside(block.cells, stage.groups[block.group].bounds));
    for (const Words& words : stage.figures[0].words) {
      ASSERT_GE(words.at.y - words.size / 2.0F, place.y) << words.text;
      ASSERT_LE(words.at.y + words.size / 2.0F, place.bottom() + 0.5F) << words.text;
      ASSERT_GE(place_of(words).x, place.x - 2.0F) << words.text;
    }
  });
}

}  // namespace
}  // namespace stage
