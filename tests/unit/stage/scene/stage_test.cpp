#include "stage/scene/stage.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "special_floats.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::TensorId;
using tensor::Tensor;

const Scene& cross_attention() {
  const std::vector<Scene>& scenes = example_scenes();
  return *std::find_if(scenes.begin(), scenes.end(), [](const Scene& scene) {
    return scene.attention.id == lesson::AttentionId::cross_attention;
  });
}

Stage staged(const Scene& scene, lesson::StepId step, bool all_heads = true, std::size_t head = 0) {
  document::ViewState view_state;
  view_state.step = step;
  view_state.attention = scene.attention.id;
  view_state.all_heads = all_heads;
  view_state.head = head;
  return lay_out(scene.attention, view_state, page.space());
}

/// Stages of every kind: many cells, few, side by side and one under the other.
const std::vector<Stage>& some_stages() {
  static const std::vector<Stage> all = [] {
    std::vector<Stage> stages;
    for (const Scene& scene : example_scenes()) {
      for (const document::ViewState& view_state : looks_at(scene)) {
        if (view_state.sample > 0) continue;
        stages.push_back(
            lay_out(scene.attention, view_state, (view_state.all_heads ? page : phone).space()));
      }
    }
    return stages;
  }();
  return all;
}

TEST(ValueRange, IsTheLargestMagnitude) {
  EXPECT_EQ(value_range(Tensor({2, 2}, {1.0F, -3.0F, 2.0F, 0.5F})), 3.0F);
  EXPECT_EQ(value_range(Tensor({1}, {-1e-30F})), 1e-30F);
  EXPECT_EQ(value_range(Tensor({1, 1, 1}, {std::numeric_limits<float>::max()})),
            std::numeric_limits<float>::max());
}

TEST(ValueRange, PassesOverWhatIsNotFinite) {
  EXPECT_EQ(value_range(Tensor({5}, {-infinity, 2.0F, infinity, not_a_number, -1.0F})), 2.0F);
  EXPECT_EQ(value_range(Tensor({2}, {-infinity, not_a_number})), 1.0F);
}

TEST(ValueRange, IsOneWhereThereAreOnlyZeros) {
  EXPECT_EQ(value_range(Tensor(tensor::Shape{3, 3})), 1.0F);
  EXPECT_EQ(value_range(Tensor({2}, {0.0F, -0.0F})), 1.0F);
  EXPECT_EQ(value_range(Tensor()), 1.0F);
}

TEST(ValueRange, LooksAtTheViewsOwnCellsOnly) {
  const Tensor tensor({3, 4}, {9, 1, 2, 9, 9, 3, -4, 9, 9, 5, -6, 9});
  EXPECT_EQ(value_range(tensor.narrow(1, 1, 2)), 6.0F);
  EXPECT_EQ(value_range(tensor.narrow(1, 1, 2).narrow(0, 0, 2)), 4.0F);
  EXPECT_EQ(value_range(tensor.transpose(0, 1).narrow(0, 1, 1)), 5.0F);
  EXPECT_EQ(value_range(tensor.select(1, 2)), 6.0F);
  EXPECT_EQ(value_range(tensor.narrow(1, 1, 1).expand({3, 7})), 5.0F);  // repeated
}

// Pointing. -------------------------------------------------------------

TEST(CellAt, IsTheCellUnderItsMiddleAndNearItsEdges) {
  std::size_t tried = 0;
  for (const Stage& stage : some_stages()) {
    for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
      const Block& block = stage.blocks[i];
      if (block.only_seen) continue;
      const std::size_t step = 1 + block.columns() / 40;
      for (std::size_t row = 0; row < block.rows(); row += 1 + block.rows() / 40) {
        for (std::size_t column = 0; column < block.columns(); column += step) {
          const Rect cell = block.cell(row, column);
          const std::optional<Hit> here = Hit{i, row, column};
          ASSERT_EQ(cell_at(stage, cell.centre()), here);
          for (const float x : {0.02F, 0.98F}) {
            for (const float y : {0.02F, 0.98F}) {
              ASSERT_EQ(cell_at(stage, {cell.x + x * cell.width, cell.y + y * cell.height}), here);
            }
          }
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 10'000U);
}

std::size_t apart(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// On the line between two cells it is one of them; on the outer edge it is the last, or none.
TEST(CellAt, IsOneOfTheNeighboursOnALineBetweenThem) {
  for (const Stage& stage : some_stages()) {
    for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
      const Block& block = stage.blocks[i];
      if (block.only_seen) continue;
      for (std::size_t k = 0; k < std::min(block.rows(), block.columns()); ++k) {
        const Rect cell = block.cell(k, k);
        for (const Point corner :
             {Point{cell.x, cell.y}, Point{cell.right(), cell.y}, Point{cell.x, cell.bottom()},
              Point{cell.right(), cell.bottom()}}) {
          const std::optional<Hit> hit = cell_at(stage, corner);
          if (!hit) {
            ASSERT_FALSE(block.cells.contains(corner));
            continue;
          }
          ASSERT_EQ(hit->block, i);
          ASSERT_LT(hit->row, block.rows());
          ASSERT_LT(hit->column, block.columns());
          ASSERT_LE(apart(hit->row, k), 1U);
          ASSERT_LE(apart(hit->column, k), 1U);
        }
      }
    }
  }
}

TEST(CellAt, IsNothingBesideTheBlocks) {
  for (const Stage& stage : some_stages()) {
    for (const Group& group : stage.groups) {
      EXPECT_FALSE(cell_at(stage, group.caption.centre()));
      EXPECT_FALSE(cell_at(stage, {group.caption.x + 1.0F, group.caption.y + 1.0F}));
    }
    for (const Block& block : stage.blocks) {
      EXPECT_FALSE(cell_at(stage, {block.cells.centre().x, block.cells.y - 2.0F}));
      EXPECT_FALSE(cell_at(stage, {block.cells.x - 2.0F, block.cells.centre().y}));
      EXPECT_FALSE(cell_at(stage, {block.cells.right() + 2.0F, block.cells.centre().y}));
      EXPECT_FALSE(cell_at(stage, {block.cells.centre().x, block.cells.bottom() + 2.0F}));
    }
    EXPECT_FALSE(cell_at(stage, {stage.bounds.x - 5.0F, stage.bounds.y - 5.0F}));
    EXPECT_FALSE(cell_at(stage, {1e9F, -1e9F}));
    EXPECT_FALSE(cell_at(stage, {not_a_number, not_a_number}));
  }
  EXPECT_FALSE(cell_at(Stage{}, {0.0F, 0.0F}));
}

TEST(FindCell, FindsWhatEveryBlockShows) {
  for (const Stage& stage : some_stages()) {
    for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
      const Block& block = stage.blocks[i];
      if (block.only_seen) continue;
      const std::size_t row = block.rows() - 1;
      const std::size_t column = block.columns() / 2;
      EXPECT_EQ(find_cell(stage, block.tensor, block.index_of(row, column)), (Hit{i, row, column}));
      EXPECT_EQ(find_cell(stage, block.tensor, block.index_of(0, 0)), (Hit{i, 0, 0}));
    }
  }
}

TEST(FindCell, PrefersTheGivenBlockWhereSeveralShowTheCell) {
  Stage stage = staged(cross_attention(), lesson::StepId::mask, true, 1);
  std::vector<std::size_t> showing;
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    if (stage.blocks[i].position_of({0, 1, 0, 1}) && stage.blocks[i].tensor == "scaled_scores")
      showing.push_back(i);
  }
  ASSERT_EQ(showing.size(), 1U);
  const std::size_t again = stage.blocks.size();
  stage.blocks.push_back(stage.blocks[showing.front()]);
  const auto found = [&](std::optional<std::size_t> rather) {
    return find_cell(stage, "scaled_scores", {0, 1, 0, 1}, rather)->block;
  };
  EXPECT_EQ(found({}), showing.front());
  EXPECT_EQ(found(again), again);
  EXPECT_EQ(found(showing.front()), showing.front());
  EXPECT_EQ(found(showing.front() + 1), showing.front()) << "it does not show the cell";
  EXPECT_EQ(found(again + 1), showing.front()) << "there is none";
}

TEST(FindCell, FindsNothingThatIsNotOnTheStage) {
  const Stage stage = staged(cross_attention(), lesson::StepId::scores, false, 1);
  EXPECT_TRUE(find_cell(stage, "scores", {0, 1, 1, 2}));
  EXPECT_FALSE(find_cell(stage, "scores", {0, 0, 1, 2}));  // another head
  EXPECT_FALSE(find_cell(stage, "scores", {1, 1, 1, 2}));  // another sample
  EXPECT_FALSE(find_cell(stage, "scores", {0, 1, 2, 2}));  // past the last query
  EXPECT_FALSE(find_cell(stage, "scores", {0, 1, 1, 3}));  // past the last key
  EXPECT_FALSE(find_cell(stage, "scores", {0, 1, 1}));
  EXPECT_FALSE(find_cell(stage, "output", {0, 1, 1}));  // not of this step
  EXPECT_FALSE(find_cell(Stage{}, "scores", {0, 0, 0, 0}));
}

TEST(QueryAt, IsTheRowWhoseLabelIsThere) {
  std::size_t labels = 0;
  for (const Stage& stage : some_stages()) {
    for (const Block& block : stage.blocks) {
      if (!block.show_row_labels) continue;
      const float left = stage.groups[block.group].bounds.x;
      for (std::size_t row = 0; row < block.rows(); ++row) {
        const Rect cell = block.cell(row, 0);
        const auto expected = block.rows_are_queries ? std::optional(row) : std::nullopt;
        ASSERT_EQ(query_at(stage, {cell.x - 3.0F, cell.centre().y}), expected);
        ASSERT_EQ(query_at(stage, {left + 0.5F, cell.centre().y}), expected);
        ++labels;
      }
    }
  }
  EXPECT_GT(labels, 500U);
}

TEST(QueryAt, IsNothingOnCellsOrOutside) {
  for (const Stage& stage : some_stages()) {
    for (const Block& block : stage.blocks) {
      EXPECT_FALSE(query_at(stage, block.cells.centre()));
      if (!block.show_row_labels) continue;
      const float left = stage.groups[block.group].bounds.x;
      EXPECT_FALSE(query_at(stage, {left + 1.0F, stage.groups[block.group].caption.y + 1.0F}));
      EXPECT_FALSE(query_at(stage, {stage.bounds.x - 20.0F, block.cells.centre().y}));
    }
  }
}

// On the way from one stage to another. ---------------------------------

void expect_same_places(const Stage& a, const Stage& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    ASSERT_EQ(a.blocks[i].cells, b.blocks[i].cells);
    ASSERT_EQ(a.blocks[i].tensor, b.blocks[i].tensor);
    ASSERT_EQ(a.blocks[i].head, b.blocks[i].head);
    ASSERT_TRUE(a.blocks[i].matrix.shares_storage_with(b.blocks[i].matrix));
  }
  for (std::size_t i = 0; i < a.groups.size(); ++i) {
    ASSERT_EQ(a.groups[i].bounds, b.groups[i].bounds);
    ASSERT_EQ(a.groups[i].caption, b.groups[i].caption);
    ASSERT_EQ(a.groups[i].title, b.groups[i].title);
  }
  ASSERT_EQ(a.bounds, b.bounds);
}

const Block* same_block(const Stage& stage, const Block& block) {
  for (const Block& other : stage.blocks) {
    if (other.attention == block.attention && other.tensor == block.tensor &&
        other.head == block.head) {
      return &other;
    }
  }
  return nullptr;
}

struct Way {
  Stage from;
  Stage to;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> ways = [] {
    std::vector<Way> all;
    for (const Scene& scene : example_scenes()) {
      for (std::size_t i = 0; i + 1 < lesson::step_count; ++i) {
        const auto step = static_cast<lesson::StepId>(i);
        const auto next = static_cast<lesson::StepId>(i + 1);
        all.push_back({staged(scene, step), staged(scene, next)});
        all.push_back({staged(scene, next), staged(scene, lesson::StepId::overview)});
      }
      all.push_back(
          {staged(scene, lesson::StepId::softmax), staged(scene, lesson::StepId::softmax, false)});
      all.push_back({staged(example_scenes()[3], lesson::StepId::softmax),
                     staged(scene, lesson::StepId::softmax)});
    }
    return all;
  }();
  return ways;
}

TEST(Between, EndsExactlyAtTheNewStage) {
  for (const auto& [from, to] : ways()) {
    expect_same_places(between(from, to, 1.0F), to);
    expect_same_places(between(from, to, 2.0F), to);
  }
}

TEST(Between, StartsExactlyAtTheOldPlaces) {
  for (const auto& [from, to] : ways()) {
    for (const float t : {0.0F, -1.0F}) {
      const Stage start = between(from, to, t);
      ASSERT_EQ(start.blocks.size(), to.blocks.size());
      for (std::size_t i = 0; i < start.blocks.size(); ++i) {
        const Block* before = same_block(from, to.blocks[i]);
        EXPECT_EQ(start.blocks[i].cells, before != nullptr ? before->cells : to.blocks[i].cells);
        EXPECT_EQ(is_new(to.blocks[i], from), before == nullptr);
      }
    }
  }
}

TEST(Between, IsAFunctionOfItsArguments) {
  for (const auto& [from, to] : ways()) {
    for (const float t : {0.1F, 0.5F, 0.9F}) {
      expect_same_places(between(from, to, t), between(from, to, t));
    }
  }
}

TEST(Between, TravelsWithoutTurningBack) {
  for (const auto& [from, to] : ways()) {
    std::vector<float> last(to.blocks.size(), -1.0F);
    for (int i = 0; i <= 20; ++i) {
      const Stage now = between(from, to, static_cast<float>(i) / 20.0F);
      for (std::size_t b = 0; b < to.blocks.size(); ++b) {
        const Block* before = same_block(from, to.blocks[b]);
        if (before == nullptr) continue;
        const float whole = to.blocks[b].cells.x - before->cells.x;
        if (std::abs(whole) < 1.0F) continue;
        const float done = (now.blocks[b].cells.x - before->cells.x) / whole;
        EXPECT_GE(done, last[b] - 1e-4F);
        EXPECT_LE(done, 1.0F + 1e-4F);
        last[b] = done;
      }
    }
  }
}

// A caption that flies off on its own would name cells that are not its own.
TEST(Between, CaptionsTravelWithTheirCells) {
  for (const auto& [from, to] : ways()) {
    const Stage start = between(from, to, 0.0F);
    for (std::size_t g = 0; g < to.groups.size(); ++g) {
      const Block& first = to.blocks[to.groups[g].first_block];
      bool comes_from_somewhere = false;
      for (const Block& block : from.blocks) {
        comes_from_somewhere |= block.attention == first.attention && block.tensor == first.tensor;
      }
      if (comes_from_somewhere) continue;
      EXPECT_EQ(start.groups[g].caption, to.groups[g].caption) << to.groups[g].title;
      EXPECT_EQ(start.groups[g].bounds, to.groups[g].bounds) << to.groups[g].title;
    }
  }
}

TEST(IsNew, IsWhatTheOtherStageDoesNotShow) {
  const Scene& scene = cross_attention();
  const Stage all = staged(scene, lesson::StepId::softmax);
  const Stage one = staged(scene, lesson::StepId::softmax, false, 1);
  for (const Block& block : one.blocks) EXPECT_FALSE(is_new(block, all));
  for (const Block& block : all.blocks) EXPECT_EQ(is_new(block, one), block.head != std::size_t{1});
  for (const Block& block : all.blocks) EXPECT_TRUE(is_new(block, Stage{}));
  // The same tensor of another attention is another tensor.
  const Stage other = staged(example_scenes()[3], lesson::StepId::softmax);
  ASSERT_NE(other.blocks[0].attention, all.blocks[0].attention);
  for (const Block& block : all.blocks) EXPECT_TRUE(is_new(block, other));
}

// What NumPy would call it.
TEST(PartOf, CountsOnlyTheRowsThatAreThere) {
  const Scene& scene = cross_attention();
  const model::Trace& trace = scene.attention.trace;
  Block block = staged(scene, lesson::StepId::scores, false, 1).blocks.back();
  ASSERT_EQ(block.tensor, TensorId("scores"));
  EXPECT_EQ(part_of(block, trace), "[0, 1, :, :]");
  block.corner[3] = 1;
  block.matrix = block.matrix.narrow(1, 1, 2);
  EXPECT_EQ(part_of(block, trace), "[0, 1, :, 1:3]");
  block.row_axis.reset();
  EXPECT_EQ(part_of(block, trace), "[0, 1, 0, 1:3]");
}

}  // namespace
}  // namespace stage
