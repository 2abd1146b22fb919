#include "stage/motion/motion.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "stage/compositions.hpp"

namespace stage {
namespace {

using lesson::StepId;
using model::TensorId;

constexpr float scrubs[] = {0.0F, 0.001F, 0.1F, 0.25F, 0.5F, 0.77F, 0.999F};

void expect_same(const Stage& a, const Stage& b) {
  ASSERT_EQ(a.blocks.size(), b.blocks.size());
  ASSERT_EQ(a.first_piece, b.first_piece);
  for (std::size_t i = 0; i < a.blocks.size(); ++i) {
    const Block& one = a.blocks[i];
    const Block& other = b.blocks[i];
    ASSERT_EQ(one.cells, other.cells);
    ASSERT_EQ(one.tensor, other.tensor);
    ASSERT_EQ(one.corner, other.corner);
    ASSERT_EQ(one.head, other.head);
    ASSERT_EQ(one.shown, other.shown);
    ASSERT_EQ(one.piece, other.piece);
    ASSERT_TRUE(one.matrix.shares_storage_with(other.matrix));
  }
}

/// Wide enough that floats agree but for the last bit of a sum.
bool near(const Rect& a, const Rect& b) {
  constexpr float close = 0.002F;
  return std::abs(a.x - b.x) < close && std::abs(a.y - b.y) < close &&
         std::abs(a.width - b.width) < close && std::abs(a.height - b.height) < close;
}

bool travels(StepId step) { return step == StepId::transpose || step == StepId::merge; }

/// The cells of a block's row from `column` on.
Rect cells_of(const Block& block, std::size_t row, std::size_t column, std::size_t count) {
  return block.cell(row, column).united(block.cell(row, column + count - 1));
}

TEST(Motion, IsOverAtTheEnd) {
  for_each_composition([](const Composed& composed) {
    expect_same(at(composed.stage(), 1.0F), composed.stage());
    expect_same(at(composed.stage(), 2.0F), composed.stage());
  });
}

TEST(Motion, HasNotBegunAtTheStart) {
  for_each_composition([](const Composed& composed) {
    const Stage start = at(composed.stage(), 0.0F);
    for (const Sweep& sweep : composed.stage().sweeps)
      ASSERT_EQ(start.blocks[sweep.block].shown, 0U);
    for (const Tween& tween : composed.stage().tweens)
      ASSERT_EQ(start.blocks[tween.into].shown, 0U);
    // What sets out first stands where it comes from.
    for (std::size_t i = composed.stage().blocks.size(); i < start.blocks.size(); ++i) {
      const Block& piece = start.blocks[i];
      ASSERT_TRUE(piece.piece);
      bool at_its_source = false;
      for (const Tween& tween : composed.stage().tweens)
        at_its_source |= tween.piece.corner == piece.corner && tween.from == piece.cells;
      ASSERT_TRUE(at_its_source) << text_of(piece.cells);
    }
  });
}

TEST(Motion, IsTheSameAtTheSameProgress) {
  for_each_composition([](const Composed& composed) {
    if (composed.screen != &screens[0]) return;
    for (const float progress : scrubs)
      expect_same(at(composed.stage(), progress), at(composed.stage(), progress));
  });
}

TEST(Motion, EveryStepWithMatricesMoves) {
  std::map<StepId, std::size_t> moving;
  for (const Composed& composed : all_compositions())
    if (!composed.stage().tweens.empty() || !composed.stage().sweeps.empty())
      ++moving[composed.view_state.step];
  // The mixture adds one key after another by itself: on the way its sum is no output yet.
  for (const Composed& composed : all_compositions()) {
    if (composed.view_state.step != StepId::reweight) continue;
    for (const Block& block : at_progress(composed, 0.5F).blocks) {
      if (block.tensor != "head_outputs") continue;
      EXPECT_EQ(block.shown, 0U);
      ++moving[StepId::reweight];
    }
  }
  // In split a gap opens: no cell appears and none flies.
  for (const Composed& composed : all_compositions()) {
    if (composed.view_state.step != StepId::split) continue;
    ASSERT_TRUE(composed.stage().tweens.empty() && composed.stage().sweeps.empty());
    ++moving[StepId::split];
  }
  // So does the sentence: at the beginning there is nothing of its sum, and no arc.
  for (const Composed& composed : all_compositions()) {
    if (composed.view_state.step != StepId::sentence) continue;
    document::ViewState view_state = composed.view_state;
    view_state.progress = 0.0F;
    const Stage begin = compose(*composed.computed, view_state, composed.screen->space()).stage;
    for (const Block& block : begin.blocks) {
      if (block.tensor == "query_input") continue;
      EXPECT_EQ(block.shown, 0U);
    }
    for (const Stroke& stroke : begin.figures.at(0).strokes) EXPECT_FALSE(stroke.curved);
    ++moving[StepId::sentence];
  }
  for (const lesson::Step& step : lesson::steps()) {
    EXPECT_GT(moving[step.id], 0U) << step.name;
    EXPECT_GT(seconds_for(step.id), 1.0F) << step.name;
    EXPECT_LT(seconds_for(step.id), 15.0F) << step.name;
  }
}

/// Is the first float of a piece read in another block of the stage than the one it arrives in?
bool shows_float(const Stage& stage, std::size_t into, const Block& piece) {
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    const Block& block = stage.blocks[i];
    if (i == into || block.run || block.tensor == piece.tensor) continue;
    if (!block.matrix.shares_storage_with(piece.matrix)) continue;
    if (block.matrix.index_at(piece.matrix.position({0, 0}))) return true;
  }
  return false;
}

// Where it comes from is where the same float is read, or, for a copy, the number it is a copy of.
TEST(Motion, PiecesComeFromTheirOwnNumbers) {
  std::size_t seen = 0;
  for_each_composition([&seen](const Composed& composed) {
    const Stage& stage = composed.stage();
    for (const Tween& tween : stage.tweens) {
      if (composed.view_state.step == StepId::input) continue;  // see input_rows_test.cpp
      ASSERT_TRUE(travels(composed.view_state.step));
      const Block& piece = tween.piece;
      ASSERT_EQ(piece.rows(), 1U);
      if (tween.from == piece.cells) {
        // Its head or its token's card is not on the stage.
        const bool no_head =
            !composed.view_state.all_heads &&
            piece.head != composed.view_state.head / composed.trace().sharing(piece.tensor);
        const bool no_card =
            composed.view_state.step == StepId::transpose && !shows_float(stage, tween.into, piece);
        ASSERT_TRUE(no_head || no_card);
        continue;
      }
      for (std::size_t i = 0; i < piece.columns(); ++i) {
        const float width = tween.from.width / static_cast<float>(piece.columns());
        const Point middle{tween.from.x + width * (static_cast<float>(i) + 0.5F),
                           tween.from.centre().y};
        const auto hit = cell_at(stage, middle);
        ASSERT_TRUE(hit);
        const Block& source = stage.blocks[hit->block];
        ASSERT_NE(hit->block, tween.into);
        ASSERT_TRUE(near(source.cell(hit->row, hit->column),
                         {middle.x - width / 2.0F, tween.from.y, width, tween.from.height}));
        ASSERT_EQ(bits_of(source.value(hit->row, hit->column)), bits_of(piece.value(0, i)));
        const bool copied =
            piece.tensor == "merged" || !composed.trace().view_of(piece.tensor).has_value();
        if (!copied) {
          ASSERT_TRUE(source.matrix.shares_storage_with(piece.matrix));
          ASSERT_EQ(source.matrix.position({hit->row, hit->column}), piece.matrix.position({0, i}));
        }
        ++seen;
      }
    }
  });
  EXPECT_GT(seen, 10'000U);
}

TEST(Motion, PiecesEndOnTheirCells) {
  for_each_composition([](const Composed& composed) {
    const Stage& stage = composed.stage();
    std::map<std::size_t, std::set<std::pair<std::size_t, std::size_t>>> arrived;
    for (const Tween& tween : stage.tweens) {
      if (tween.piece.only_seen) continue;  // what is added up: see input_rows_test.cpp
      const Block& block = stage.blocks[tween.into];
      const auto place = block.position_of(tween.piece.corner);
      ASSERT_TRUE(place);
      ASSERT_TRUE(near(tween.piece.cells,
                       cells_of(block, place->row, place->column, tween.piece.columns())));
      ASSERT_GE(tween.begin, 0.0F);
      ASSERT_LT(tween.begin, tween.end);
      ASSERT_LE(tween.end, 1.0001F);
      for (std::size_t i = 0; i < tween.piece.columns(); ++i) {
        ASSERT_EQ(bits_of(tween.piece.value(0, i)),
                  bits_of(block.value(place->row, place->column + i)));
        ASSERT_TRUE(arrived[tween.into].emplace(place->row, place->column + i).second);
      }
    }
    // None is left behind.
    for (const auto& [into, cells] : arrived)
      ASSERT_EQ(cells.size(), stage.blocks[into].rows() * stage.blocks[into].columns());
    // Shortly before the end all are drawn there, by the pieces themselves.
    if (stage.tweens.empty()) return;
    const Stage late = at(stage, 0.99999F);
    std::size_t pieces = 0;
    for (const Block& block : late.blocks) pieces += block.piece ? 1 : 0;
    std::size_t whole = 0;
    for (const Tween& tween : stage.tweens) whole += tween.piece.only_seen ? 0 : 1;
    ASSERT_EQ(pieces, whole);
    for (const Tween& tween : stage.tweens) {
      if (tween.piece.only_seen) continue;  // it has become a part of a whole one
      bool there = false;
      for (const Block& block : late.blocks)
        there |= block.piece && block.tensor == tween.piece.tensor &&
                 block.corner == tween.piece.corner && near(block.cells, tween.piece.cells);
      ASSERT_TRUE(there);
    }
  });
}

// In the hue of the head whose number it is, on the whole way.
TEST(Motion, PiecesWearTheHueOfTheirHead) {
  for_each_composition([](const Composed& composed) {
    for (const Tween& tween : composed.stage().tweens) {
      const std::size_t dim = composed.trace().config.head_dim();
      if (composed.view_state.step == StepId::input) {  // before there are heads
        ASSERT_FALSE(tween.piece.head);
        continue;
      }
      const tensor::Index& corner = tween.piece.corner;
      const TensorId tensor = tween.piece.tensor;
      std::size_t head = corner[2];
      if (tensor == "q_heads" || tensor == "k_heads" || tensor == "v_heads") head = corner[1];
      if (tensor == "k_groups" || tensor == "v_groups") head = corner[1];
      // What several heads share has one hue until it is there.
      if (tensor == "k_heads" || tensor == "v_heads") head /= composed.trace().sharing("k");
      if (tensor == "merged") head = corner[2] / dim;
      ASSERT_EQ(tween.piece.head, head) << model::name_of(tween.piece.tensor);
    }
  });
}

// No cell twice at one time, none that was there already goes away, and each shows its number.
TEST(Motion, ShowsMoreAndMoreCellsAndNoneTwice) {
  for_each_composition([](const Composed& composed) {
    if (composed.screen == &screens[1]) return;
    std::size_t last = 0;
    for (const float progress : scrubs) {
      const Stage now = at(composed.stage(), progress);
      std::size_t shown = 0;
      std::map<TensorId, std::size_t> of_tensor;
      for (const Block& block : now.blocks) {
        if (block.run || (block.piece && block.only_seen)) continue;
        const std::size_t all = block.rows() * block.columns();
        shown += std::min(all, block.shown);
        of_tensor[block.tensor] += std::min(all, block.shown);
      }
      ASSERT_GE(shown, last) << progress;
      last = shown;
      std::map<TensorId, std::size_t> whole;
      for (const Block& block : composed.stage().blocks)
        if (!block.run) whole[block.tensor] += block.rows() * block.columns();
      for (const auto& [tensor, count] : of_tensor)
        ASSERT_LE(count, whole[tensor]) << model::name_of(tensor) << " at " << progress;
    }
  });
}

// What is copied fills its new memory in the order of the floats, as the cells arrive; what is only
// read in another order leaves memory as it is.
TEST(Motion, MemoryFillsAsTheCellsAreCopied) {
  std::size_t filling = 0;
  for_each_composition([&filling](const Composed& composed) {
    if (!travels(composed.view_state.step)) return;
    std::map<std::size_t, std::size_t> last;
    for (const float progress : scrubs) {
      const Stage now = at(composed.stage(), progress);
      for (std::size_t i = 0; i < composed.stage().blocks.size(); ++i) {
        const Block& block = now.blocks[i];
        if (!block.run) continue;
        const std::size_t shown = std::min(block.shown, block.columns());
        const bool copied = block.tensor == "merged";
        const bool moves = !composed.stage().tweens.empty();
        if (!copied || !moves) {
          ASSERT_EQ(shown, block.columns());
          continue;
        }
        ASSERT_GE(shown, last[i]);
        last[i] = shown;
        filling += shown > 0 && shown < block.columns() ? 1 : 0;
        // Every float that is there has arrived.
        for (const Tween& tween : composed.stage().tweens) {
          if (tween.piece.tensor != block.tensor || progress >= tween.end) continue;
          const std::size_t missing = tween.piece.matrix.position({0, 0});
          ASSERT_GE(std::max(missing, block.run_start), block.run_start + shown);
        }
      }
    }
  });
  EXPECT_GT(filling, 10U);
}

TEST(Motion, PiecesUnderWayAreFoundAndLieOnTop) {
  std::size_t found = 0;
  for_each_composition([&found](const Composed& composed) {
    if (composed.stage().tweens.empty()) return;
    const Stage now = at(composed.stage(), 0.4F);
    ASSERT_LE(now.first_piece, now.blocks.size());
    for (std::size_t i = 0; i < now.blocks.size(); ++i) {
      const Block& block = now.blocks[i];
      ASSERT_EQ(i >= composed.stage().blocks.size(), block.piece);
      if (!block.piece || block.only_seen) continue;
      const auto hit = find_cell(now, block.tensor, block.corner);
      ASSERT_TRUE(hit);
      ASSERT_EQ(hit->block, i);
      ++found;
    }
  });
  EXPECT_GT(found, 100U);
}

// What is slow takes most of the time, and every cell has its turn, one after another.
TEST(DoneAt, TakesItsTimeWhereItIsToBeSeen) {
  for (const auto& [count, first, slow, wait] :
       {std::tuple{18U, 6U, 3U, 0.0F}, std::tuple{9U, 3U, 3U, 0.55F}, std::tuple{4U, 0U, 4U, 0.0F},
        std::tuple{3U, 2U, 1U, 0.0F}, std::tuple{5U, 0U, 0U, 0.0F}}) {
    Sweep sweep;
    sweep.slow_first = first;
    sweep.slow_count = slow;
    sweep.slow_wait = wait;
    EXPECT_EQ(done_at(sweep, count, 0.0F).cells, 0U);
    EXPECT_EQ(done_at(sweep, count, 1.0F).cells, count);
    std::size_t last = 0;
    std::size_t moments = 0;
    for (int i = 0; i <= 1000; ++i) {
      const Done done = done_at(sweep, count, static_cast<float>(i) / 1000.0F);
      ASSERT_GE(done.cells, last);
      ASSERT_GE(done.next, 0.0F);
      ASSERT_LE(done.next, 1.0F);
      last = done.cells;
      moments += done.cells >= first && done.cells < first + slow ? 1 : 0;
    }
    if (slow > 0) {
      EXPECT_GE(moments, 690U) << count;
    }
  }
}

// The cell that is explained while a step plays: the last one of those that are there, or the one
// that is on its way.
TEST(ComputedLast, IsTheNewestCell) {
  std::size_t seen = 0;
  for_each_composition([&seen](const Composed& composed) {
    const Stage& stage = composed.stage();
    EXPECT_FALSE(computed_last(stage, 1.0F, 0));
    EXPECT_FALSE(computed_last(stage, 1.5F, 0));
    for (const float progress : scrubs) {
      const auto hit = computed_last(stage, progress, composed.view_state.head);
      if (stage.sweeps.empty()) {
        ASSERT_FALSE(hit);
      }
      if (!hit) continue;
      ++seen;
      const Stage now = at(stage, progress);
      const Block& block = now.blocks[hit->block];
      const std::size_t place = hit->row * block.columns() + hit->column;
      const auto sweep = std::find_if(stage.sweeps.begin(), stage.sweeps.end(),
                                      [&](const Sweep& each) { return each.block == hit->block; });
      ASSERT_NE(sweep, stage.sweeps.end());
      // In detail the one that is being made, which is not there yet; else the newest one.
      const bool slow =
          block.shown >= sweep->slow_first && block.shown < sweep->slow_first + sweep->slow_count;
      ASSERT_EQ(block.shown, slow ? place : place + 1) << progress;
      // Of the chosen head, where its block is being computed.
      const bool own = !block.head || *block.head == composed.view_state.head;
      for (const Sweep& sweep : stage.sweeps) {
        const Block& other = now.blocks[sweep.block];
        const bool computing = other.shown > 0 && sweep.begin <= progress && progress < sweep.end;
        if (other.tensor == block.tensor && other.head == composed.view_state.head && computing) {
          ASSERT_TRUE(own) << progress;
        }
      }
    }
  });
  EXPECT_GT(seen, 1'000U);
}

TEST(ComputedLast, IsNothingBeforeTheFirstCell) {
  for_each_composition([](const Composed& composed) {
    ASSERT_FALSE(computed_last(composed.stage(), 0.0F, composed.view_state.head));
  });
  EXPECT_FALSE(computed_last(Stage{}, 0.5F, 0));
}

}  // namespace
}  // namespace stage
