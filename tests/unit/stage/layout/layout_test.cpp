#include "stage/layout/layout.hpp"
#include "stage/layout/matrices/folds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string_view>

#include "stage/layout/camera.hpp"
#include "stage/layouts.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {
namespace {

using model::TensorId;

TEST(Layout, NoTwoGroupsOverlap) {
  for_each_layout([](const Laid& laid) {
    const std::vector<Group>& groups = laid.stage.groups;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        ASSERT_FALSE(overlap(groups[i].bounds, groups[j].bounds))
            << groups[i].title << ' ' << text_of(groups[i].bounds) << " and " << groups[j].title
            << ' ' << text_of(groups[j].bounds);
      }
    }
  });
}

TEST(Layout, NoTwoBlocksCellsOverlap) {
  for_each_layout([](const Laid& laid) {
    const std::vector<Block>& blocks = laid.stage.blocks;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      ASSERT_FALSE(blocks[i].cells.empty());
      for (std::size_t j = 0; j < i; ++j) {
        ASSERT_FALSE(overlap(blocks[i].cells, blocks[j].cells))
            << model::name_of(blocks[i].tensor) << ' ' << text_of(blocks[i].cells) << " and "
            << model::name_of(blocks[j].tensor) << ' ' << text_of(blocks[j].cells);
      }
    }
  });
}

TEST(Layout, CellsLieInTheirGroup) {
  for_each_layout([](const Laid& laid) {
    for (std::size_t i = 0; i < laid.stage.blocks.size(); ++i) {
      const Block& block = laid.stage.blocks[i];
      ASSERT_LT(block.group, laid.stage.groups.size());
      const Group& group = laid.stage.groups[block.group];
      ASSERT_EQ(group.tensor, block.tensor);
      ASSERT_GE(i, group.first_block);
      ASSERT_LT(i, group.first_block + group.block_count);
      ASSERT_TRUE(inside(block.cells, group.bounds))
          << group.title << ' ' << text_of(block.cells) << " in " << text_of(group.bounds);
    }
    std::size_t blocks = 0;
    for (const Group& group : laid.stage.groups) blocks += group.block_count;
    ASSERT_EQ(blocks, laid.stage.blocks.size());
  });
}

TEST(Layout, GroupsLieInTheStagesBounds) {
  for_each_layout([](const Laid& laid) {
    Rect around;
    for (const Group& group : laid.stage.groups) {
      ASSERT_TRUE(inside(group.bounds, laid.stage.bounds)) << group.title;
      around = around.united(group.bounds);
    }
    // Around what is open on the map there is a frame.
    const bool framed = !laid.stage.figures.empty();
    ASSERT_TRUE(inside(laid.stage.bounds, around, framed ? over_open + 0.02F : 0.02F));
  });
}

TEST(Layout, CaptionsStandFreeOverTheirCells) {
  for_each_layout([](const Laid& laid) {
    for (const Group& group : laid.stage.groups) {
      if (group.folded) continue;  // its card says what it is
      ASSERT_TRUE(inside(group.caption, group.bounds)) << group.title;
      ASSERT_FALSE(group.caption.empty()) << group.title;
      for (const Block& block : laid.stage.blocks) {
        ASSERT_FALSE(overlap(group.caption, block.cells))
            << group.title << " over " << model::name_of(block.tensor);
      }
      ASSERT_LE(group.caption.bottom(), laid.stage.blocks[group.first_block].cells.y);
    }
  });
}

TEST(Layout, RowLabelsHaveRoomInTheirGroup) {
  for_each_layout([](const Laid& laid) {
    for (const Block& block : laid.stage.blocks) {
      if (!block.show_row_labels) continue;
      ASSERT_EQ(block.row_labels.size(), block.rows());
      const Group& group = laid.stage.groups[block.group];
      // Left of the cells, where no other block of the group is; long ones are cut to this.
      ASSERT_GT(block.cells.x - group.bounds.x, 10.0F);
      const Rect labels{group.bounds.x, block.cells.y, block.cells.x - group.bounds.x,
                        block.cells.height};
      for (const Block& other : laid.stage.blocks) ASSERT_FALSE(overlap(labels, other.cells));
      for (const Group& other : laid.stage.groups) ASSERT_FALSE(overlap(labels, other.caption));
    }
  });
}

TEST(Layout, ColumnLabelsHaveRoomOverTheirCells) {
  for_each_layout([](const Laid& laid) {
    for (const Block& block : laid.stage.blocks) {
      if (block.column_labels.empty()) continue;
      ASSERT_EQ(block.column_labels.size(), block.columns());
      const Rect labels{block.cells.x, block.cells.y - 20.0F, block.cells.width, 20.0F};
      for (const Block& other : laid.stage.blocks) ASSERT_FALSE(overlap(labels, other.cells));
      for (const Group& other : laid.stage.groups) {
        ASSERT_FALSE(overlap(labels, other.caption))
            << other.title << " over the column labels of " << model::name_of(block.tensor);
      }
    }
  });
}

TEST(Layout, FitsItsSpaceOrTheCameraShrinksIt) {
  for_each_layout([](const Laid& laid) {
    const Rect viewport = laid.screen->viewport();
    const Camera camera = Camera::framing(laid.stage.bounds, viewport, Screen::margin, 1.0F);
    ASSERT_TRUE(
        inside(camera.to_screen(laid.stage.bounds, viewport), viewport.inset(Screen::margin)));
    const Space space = laid.screen->space();
    if (laid.stage.bounds.width <= space.width && laid.stage.bounds.height <= space.height) {
      ASSERT_EQ(camera.zoom, 1.0F);
    }
  });
}

/// The smallest zoom at which a screen shows one of the layouts whole.
float smallest_zoom(const std::vector<Laid>& all, const Screen& screen) {
  float smallest = 1.0F;
  for (const Laid& laid : all) {
    if (laid.screen != &screen) continue;
    smallest = std::min(
        smallest, Camera::framing(laid.stage.bounds, screen.viewport(), Screen::margin, 1.0F).zoom);
  }
  return smallest;
}

// Captions keep their size while the plane shrinks only down to a point: below these they cannot be
// read.
TEST(Layout, IsSeldomShrunkAndNeverMuch) {
  EXPECT_GT(smallest_zoom(example_layouts(), screens[0]), 0.95F);
  EXPECT_GT(smallest_zoom(example_layouts(), screens[1]), 0.75F);
  EXPECT_GT(smallest_zoom(example_layouts(), screens[2]), 0.65F);
  for (const Screen& screen : screens)
    EXPECT_GT(smallest_zoom(extreme_layouts(), screen), 0.45F) << screen.name;
}

// A phone has no room to say the tokens twice in a line, and the cells get what that leaves.
TEST(Layout, NamesTheTokensOnceInALineOfAPhone) {
  document::ViewState view_state;
  view_state.step = lesson::StepId::transpose;
  const Scene* scene = nullptr;
  for (const Scene& each : example_scenes()) {
    if (each.name.starts_with("lazy-dog")) scene = &each;
  }
  ASSERT_NE(scene, nullptr);
  const auto named = [&](Space space) {
    std::vector<bool> shown;
    for (const Block& block : lay_out(scene->attention, view_state, space).blocks)
      shown.push_back(block.show_row_labels);
    return shown;
  };
  EXPECT_EQ(named({342.0F, 226.0F}), (std::vector<bool>{true, false}));
  EXPECT_EQ(named({688.0F, 226.0F}), (std::vector<bool>{true, true}));
}

// What is on the stage. -------------------------------------------------

/// Whose way from input to heads a tensor is on; nothing where it is on all three.
std::optional<document::Projection> way_of(TensorId tensor) {
  const std::string_view name = model::name_of(tensor);
  if (name == "token_embedding" || name == "position_encoding" || name == "q" ||
      name.substr(0, 2) == "q_" || name.substr(0, 5) == "query")
    return document::Projection::q;
  if (name == "k" || name.substr(0, 2) == "k_" || name.substr(0, 4) == "key_")
    return document::Projection::k;
  if (name == "v" || name.substr(0, 2) == "v_" || name.substr(0, 6) == "value_")
    return document::Projection::v;
  return std::nullopt;
}

/// What a step has to show of a trace: in project, split and transpose one projection's way, with
/// its own input; elsewhere every tensor, an input that three names have only once.
std::multiset<TensorId> tensors_of(const model::Trace& trace,
                                   const document::ViewState& view_state) {
  using lesson::StepId;
  const bool one_way = view_state.step == StepId::project || view_state.step == StepId::split ||
                       view_state.step == StepId::transpose;
  std::multiset<TensorId> tensors;
  for (const TensorId id : lesson::shown_in(lesson::step(view_state.step), trace)) {
    if (id != "weighted_values" && !trace.has(id)) continue;
    const auto place = std::find_if(places().begin(), places().end(),
                                    [id](const Place& each) { return each.tensor == id; });
    if (view_state.step == StepId::overview &&
        !place_on_map(place_in(*place, view_state.step, trace), view_state))
      continue;
    if (one_way ? way_of(id) == view_state.projection : !is_repeated_input(trace, id))
      tensors.insert(id);
  }
  return tensors;
}

TEST(Layout, ShowsOneProjectionAtATimeWhereTheThreeGoTheSameWay) {
  using lesson::StepId;
  for (const Scene* scene : all_scenes()) {
    for (const StepId step : {StepId::project, StepId::split, StepId::transpose}) {
      for (const auto projection :
           {document::Projection::q, document::Projection::k, document::Projection::v}) {
        document::ViewState view_state;
        view_state.step = step;
        view_state.projection = projection;
        std::multiset<TensorId> shown;
        for (const Group& group : lay_out(scene->attention, view_state, page.space()).groups)
          shown.insert(group.tensor);
        EXPECT_EQ(shown, tensors_of(scene->attention.trace, view_state)) << scene->name;
        EXPECT_GE(shown.size(), 2U) << scene->name;
      }
    }
  }
}

TEST(Layout, ShowsEveryTensorOfTheStepOnce) {
  for_each_layout([](const Laid& laid) {
    const std::multiset<TensorId> expected =
        tensors_of(laid.scene->attention.trace, laid.view_state);
    std::multiset<TensorId> shown;
    for (const Group& group : laid.stage.groups) shown.insert(group.tensor);
    ASSERT_EQ(shown, expected);
    ASSERT_FALSE(shown.empty());
  });
}

TEST(Layout, KeepsTheBlocksAndCaptionsOfTheMatrices) {
  for (const Laid& laid : extreme_layouts()) {
    for (const Group& group : laid.stage.groups) {
      if (group.folded) continue;
      const Group caption = caption_of(laid.scene->attention, group.tensor, laid.view_state);
      // The whole way has room for the name alone, without the query; the head stays.
      const std::string title = laid.stage.detailed
                                    ? caption.title
                                    : caption.title.substr(0, caption.title.find(", query "));
      ASSERT_EQ(group.title, title) << laid.name();
      ASSERT_EQ(group.shape, caption.shape) << laid.name();
      ASSERT_TRUE(group.note.empty() || group.note == caption.note) << laid.name();
      const std::vector<Block> blocks =
          matrices_of(laid.scene->attention, group.tensor, laid.view_state);
      ASSERT_EQ(group.block_count, blocks.size()) << laid.name();
      for (std::size_t i = 0; i < blocks.size(); ++i) {
        const Block& block = laid.stage.blocks[group.first_block + i];
        ASSERT_EQ(block.tensor, blocks[i].tensor) << laid.name();
        ASSERT_EQ(block.head, blocks[i].head) << laid.name();
        ASSERT_EQ(block.corner, blocks[i].corner) << laid.name();
        ASSERT_EQ(block.matrix.shape(), blocks[i].matrix.shape()) << laid.name();
        ASSERT_EQ(block.range, blocks[i].range) << laid.name();
      }
    }
  }
}

TEST(Layout, HeadsOfOneTensorAreOfOneSize) {
  for_each_layout([](const Laid& laid) {
    for (const Block& block : laid.stage.blocks) {
      const Rect& first = laid.stage.blocks[laid.stage.groups[block.group].first_block].cells;
      ASSERT_EQ(block.cells.width, first.width);
      ASSERT_EQ(block.cells.height, first.height);
    }
  });
}

TEST(Layout, IsTheSameEveryTimeInWhateverOrder) {
  std::vector<Laid> layouts = example_layouts();
  std::reverse(layouts.begin(), layouts.end());
  for (const Laid& laid : layouts) {
    const Stage again = lay_out(laid.scene->attention, laid.view_state, laid.screen->space());
    ASSERT_EQ(again.bounds, laid.stage.bounds) << laid.name();
    ASSERT_EQ(again.blocks.size(), laid.stage.blocks.size()) << laid.name();
    for (std::size_t i = 0; i < again.blocks.size(); ++i) {
      ASSERT_EQ(again.blocks[i].cells, laid.stage.blocks[i].cells) << laid.name();
      ASSERT_EQ(again.blocks[i].show_row_labels, laid.stage.blocks[i].show_row_labels)
          << laid.name();
    }
    ASSERT_EQ(again.links.size(), laid.stage.links.size()) << laid.name();
    for (std::size_t i = 0; i < again.links.size(); ++i) {
      ASSERT_EQ(again.links[i].from, laid.stage.links[i].from) << laid.name();
      ASSERT_EQ(again.links[i].to, laid.stage.links[i].to) << laid.name();
    }
  }
}

// Numbers do not move their matrices: only their count does.
TEST(Layout, DoesNotDependOnTheNumbers) {
  document::Configuration configuration = document::fresh(lesson::ExampleId::you_are_welcome, 0);
  const document::Computed before = document::computed(configuration);
  configuration.edits.push_back(
      {document::cell(lesson::AttentionId::encoder_self_attention, "token_embedding", {0, 1, 2}),
       -9999.0F});
  const document::Computed after = document::computed(configuration);
  for (std::size_t i = 0; i < before.attentions.size(); ++i) {
    const Scene scene{"", before.attentions[i]};
    for (const document::ViewState& view_state : looks_at(scene)) {
      const Stage a = lay_out(before.attentions[i], view_state, page.space());
      const Stage b = lay_out(after.attentions[i], view_state, page.space());
      ASSERT_EQ(a.blocks.size(), b.blocks.size());
      for (std::size_t k = 0; k < a.blocks.size(); ++k)
        ASSERT_EQ(a.blocks[k].cells, b.blocks[k].cells);
    }
  }
}

TEST(Layout, StandsEvenWhereThereIsNoRoom) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const Space space :
       {Space{0.0F, 0.0F}, Space{-15.0F, -15.0F}, Space{1.0F, 1.0F}, Space{-15.0F, 400.0F},
        Space{400.0F, 0.0F}, Space{24.0F, 24.0F}, Space{1e6F, 1e6F}, Space{nan, nan}}) {
    for (const Scene* scene : all_scenes()) {
      for (const lesson::StepId step : {lesson::StepId::overview, lesson::StepId::softmax}) {
        document::ViewState view_state;
        view_state.step = step;
        const Stage stage = lay_out(scene->attention, view_state, space);
        // The program takes the last group for granted.
        ASSERT_FALSE(stage.groups.empty())
            << scene->name << ' ' << space.width << " x " << space.height;
        ASSERT_EQ(stage.groups.size(),
                  lay_out(scene->attention, view_state, page.space()).groups.size());
        for (const Block& block : stage.blocks) {
          ASSERT_FALSE(block.cells.empty());
          ASSERT_TRUE(std::isfinite(block.cells.right()) && std::isfinite(block.cells.bottom()));
        }
      }
    }
  }
}

// "sin…lar" says less than "singular" at right angles, where there is height for it.
TEST(Layout, NamesStandUprightRatherThanShortenedWhereThatCostsNothing) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::gender_and_number, 0));
  document::ViewState view_state;
  view_state.step = lesson::StepId::output;
  view_state.show = document::Show::matrices;
  constexpr Space space{480.0F, 500.0F};
  const Stage stage = lay_out(computed.attentions[0], view_state, space);
  ASSERT_EQ(stage.blocks.size(), 2U);
  const Block& merged = stage.blocks.front();
  const Block& output = stage.blocks.back();
  ASSERT_LT(output.cells.width / static_cast<float>(output.columns()), 45.0F);
  EXPECT_GT(output.upright_labels, 0.0F);
  EXPECT_GT(merged.upright_labels, 0.0F);
  EXPECT_TRUE(stage.across);
  EXPECT_FLOAT_EQ(merged.cells.y, output.cells.y);
  EXPECT_FLOAT_EQ(merged.cells.height, output.cells.height);
}

// The words beside queries and beside keys are not equally long.
TEST(Layout, InputsBelowEachOtherBeginAtOnePlace) {
  const document::Computed computed =
      document::computed(document::fresh(lesson::ExampleId::you_are_welcome, 0));
  document::ViewState view_state;
  view_state.attention = lesson::AttentionId::cross_attention;
  view_state.step = lesson::StepId::input;
  view_state.show = document::Show::matrices;
  const Stage stage =
      lay_out(computed.find(view_state.attention), view_state, Space{900.0F, 500.0F});
  const auto cells = [&](TensorId tensor) {
    const auto found = std::find_if(stage.blocks.begin(), stage.blocks.end(),
                                    [&](const Block& block) { return block.tensor == tensor; });
    return found == stage.blocks.end() ? Rect{} : found->cells;
  };
  const Rect queries = cells("query_input");
  const Rect keys = cells("key_input");
  ASSERT_FALSE(queries.empty());
  ASSERT_FALSE(keys.empty());
  ASSERT_GT(std::fabs(queries.y - keys.y), 30.0F) << "they stand below each other";
  EXPECT_FLOAT_EQ(queries.x, keys.x);
}

// With several rows of blocks, what stands over the first is over each.
TEST(Layout, GroupsHoldAllTheirBlocks) {
  for_each_layout([](const Laid& laid) {
    for (const Block& block : laid.stage.blocks) {
      const Rect& group = laid.stage.groups[block.group].bounds;
      ASSERT_LE(block.cells.bottom(), group.bottom() + 0.6F) << model::name_of(block.tensor);
      ASSERT_LE(block.cells.right(), group.right() + 0.6F) << model::name_of(block.tensor);
    }
  });
}

}  // namespace
}  // namespace stage
