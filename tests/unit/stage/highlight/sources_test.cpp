#include "stage/highlight/sources.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "lesson/input/random.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::Explanation;
using model::TensorId;
using tensor::Index;

using Cells = std::set<std::array<std::size_t, 3>>;  ///< block, row, column

Cells cells_of(const std::vector<CellRange>& ranges) {
  Cells cells;
  for (const CellRange& range : ranges) {
    for (std::size_t row = range.first_row; row <= range.last_row; ++row) {
      for (std::size_t column = range.first_column; column <= range.last_column; ++column) {
        cells.insert({range.block, row, column});
      }
    }
  }
  return cells;
}

std::vector<model::Cell> source_cells(const Explanation& provenance) {
  std::vector<model::Cell> cells;
  for (const model::Term& term : provenance.terms) {
    cells.push_back(term.a);
    if (term.has_b) cells.push_back(term.b);
  }
  if (provenance.bias) cells.push_back(*provenance.bias);
  return cells;
}

/// Where the stage shows a cell under its own name.
Cells places_of(const Stage& stage, const model::Cell& cell) {
  Cells places;
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    if (stage.blocks[i].tensor != cell.tensor || stage.blocks[i].only_seen) continue;
    if (const auto at = stage.blocks[i].position_of(cell.index)) {
      places.insert({i, at->row, at->column});
    }
  }
  return places;
}

/// Some cells of a block, its corners among them.
std::vector<Hit> some_cells(const Stage& stage, std::size_t block, lesson::Random& random) {
  const std::size_t rows = stage.blocks[block].rows();
  const std::size_t columns = stage.blocks[block].columns();
  std::vector<Hit> hits{{block, 0, 0}, {block, rows - 1, columns - 1}};
  for (int i = 0; i < 4; ++i) {
    hits.push_back({block, static_cast<std::size_t>(random.bits() % rows),
                    static_cast<std::size_t>(random.bits() % columns)});
  }
  return hits;
}

struct Pointed {
  const Scene* scene;
  document::ViewState view_state;
  Stage stage;
};

std::vector<Pointed> stages() {
  std::vector<Pointed> all;
  for (const Scene* scene : all_scenes()) {
    for (const document::ViewState& view_state : looks_at(*scene)) {
      all.push_back({scene, view_state, lay_out(scene->attention, view_state, page.space())});
    }
  }
  return all;
}

TEST(Sources, AreExactlyTheProvenancesCellsOnTheStage) {
  lesson::Random random(1, "pointed");
  std::size_t lit = 0;
  for (const auto& [scene, view_state, stage] : stages()) {
    const model::Trace& trace = scene->attention.trace;
    for (std::size_t block = 0; block < stage.blocks.size(); ++block) {
      for (const Hit& hit : some_cells(stage, block, random)) {
        const TensorId tensor = stage.blocks[block].tensor;
        const Index index = stage.blocks[block].index_of(hit.row, hit.column);
        const Explanation made = model::explain(trace, tensor, index);
        const Cells shown = cells_of(sources_on(stage, trace, made));
        SCOPED_TRACE(name_of(*scene, view_state) + ", " + std::string(model::name_of(tensor)));
        // Every source that is there under its own name is lit.
        Cells expected;
        std::set<const float*> hidden;  // floats of sources that are not
        for (const model::Cell& cell : source_cells(made)) {
          const Cells places = places_of(stage, cell);
          expected.insert(places.begin(), places.end());
          if (places.empty() && trace.has(cell.tensor)) {
            hidden.insert(trace[cell.tensor].storage().data() +
                          trace[cell.tensor].position(cell.index));
          }
        }
        for (const auto& cell : expected) ASSERT_TRUE(shown.contains(cell));
        // And nothing else, but the very same float under another name.
        for (const auto& cell : shown) {
          ++lit;
          if (expected.contains(cell)) continue;
          const Block& other = stage.blocks[cell[0]];
          ASSERT_NE(other.tensor, tensor);
          ASSERT_TRUE(hidden.contains(other.matrix.storage().data() +
                                      other.matrix.position({cell[1], cell[2]})))
              << model::name_of(other.tensor);
        }
      }
    }
  }
  EXPECT_GT(lit, 10'000U);
}

/// Project, split and transpose show one of the three ways at a time: this tensor's.
document::Projection projection_of(TensorId tensor) {
  const std::string_view name = model::name_of(tensor);
  if (name[0] == 'k') return document::Projection::k;
  return name == "v" || name.substr(0, 2) == "v_" ? document::Projection::v
                                                  : document::Projection::q;
}

/// The tensors that light up in a step when a cell of `tensor` is pointed at.
std::set<TensorId> lit(const Scene& scene, lesson::StepId step, TensorId tensor,
                       const Index& index) {
  document::ViewState view_state;
  view_state.step = step;
  view_state.projection = projection_of(tensor);
  const Stage stage = lay_out(scene.attention, view_state, page.space());
  EXPECT_TRUE(find_cell(stage, tensor, index)) << model::name_of(tensor);
  std::set<TensorId> tensors;
  for (const CellRange& range : sources_on(stage, scene.attention.trace,
                                           model::explain(scene.attention.trace, tensor, index))) {
    tensors.insert(stage.blocks[range.block].tensor);
  }
  return tensors;
}

const Scene& scene_of(const std::string& name) {
  const auto all = all_scenes();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const Scene* scene) { return scene->name == name; });
  EXPECT_NE(found, all.end()) << name;
  return **found;
}

using Tensors = std::set<TensorId>;

TEST(Sources, OfAScoreAreARowOfQAndARowOfK) {
  const Scene& scene = scene_of("you-are-welcome translation cross_attention");
  document::ViewState view_state;
  view_state.step = lesson::StepId::scores;
  const Stage stage = lay_out(scene.attention, view_state, page.space());
  const Explanation made = model::explain(scene.attention.trace, "scores", {0, 1, 1, 2});
  const std::vector<CellRange> ranges = sources_on(stage, scene.attention.trace, made);
  const Hit query = *find_cell(stage, "q_heads", {0, 1, 1, 0});
  const Hit key = *find_cell(stage, "k_heads", {0, 1, 2, 0});
  ASSERT_EQ(ranges.size(), 2U);
  EXPECT_EQ(ranges[0], (CellRange{query.block, 1, 0, 1, 2}));
  EXPECT_EQ(ranges[1], (CellRange{key.block, 2, 0, 2, 2}));
  const Block& q_heads = stage.blocks[query.block];
  EXPECT_EQ(bounds_of(stage, ranges[0]), q_heads.cell(1, 0).united(q_heads.cell(1, 2)));
  EXPECT_NEAR(bounds_of(stage, ranges[0]).width, q_heads.cells.width, 0.01F);
}

// In self-attention one matrix is drawn for three inputs, and lights up under each of its names;
// one projection alone has its own.
TEST(Sources, OfKAndVAreTheInputUnderItsOneName) {
  const Scene& self = scene_of("you-are-welcome translation encoder_self_attention");
  EXPECT_EQ(lit(self, lesson::StepId::project, "k", {0, 1, 2}),
            (Tensors{"key_input", "k_proj_weight", "k_proj_bias"}));
  EXPECT_EQ(lit(self, lesson::StepId::overview, "v", {0, 1, 2}), Tensors{"query_input"});
  const Scene& cross = scene_of("you-are-welcome translation cross_attention");
  EXPECT_EQ(lit(cross, lesson::StepId::project, "q", {0, 1, 2}),
            (Tensors{"query_input", "q_proj_weight", "q_proj_bias"}));
  EXPECT_EQ(lit(cross, lesson::StepId::project, "v", {0, 1, 2}),
            (Tensors{"value_input", "v_proj_weight", "v_proj_bias"}));
}

// A view is read from the nearest tensor that is on the stage.
TEST(Sources, OfAViewAreThereInEveryStep) {
  const Scene& scene = scene_of("you-are-welcome translation cross_attention");
  EXPECT_EQ(lit(scene, lesson::StepId::split, "k_split", {0, 1, 0, 2}), Tensors{"k"});
  EXPECT_EQ(lit(scene, lesson::StepId::transpose, "k_heads", {0, 1, 1, 2}), Tensors{"k_split"});
  EXPECT_EQ(lit(scene, lesson::StepId::merge, "merged_split", {0, 1, 1, 2}),
            Tensors{"head_outputs"});
  EXPECT_EQ(lit(scene, lesson::StepId::merge, "merged", {0, 1, 4}), Tensors{"merged_split"});
  // The whole way leaves merged_split out.
  EXPECT_EQ(lit(scene, lesson::StepId::overview, "merged", {0, 1, 4}), Tensors{"head_outputs"});
}

TEST(Sources, OfAViewWithoutProjectionsAreOfItsOwnLane) {
  const Scene& scene = scene_of("pool-beats-badminton plain attention");
  EXPECT_EQ(lit(scene, lesson::StepId::split, "v_split", {0, 1, 0, 2}), Tensors{"v"});
  EXPECT_EQ(lit(scene, lesson::StepId::transpose, "k_heads", {0, 0, 1, 2}), Tensors{"k_split"});
  EXPECT_EQ(lit(scene, lesson::StepId::project, "k", {0, 1, 2}), Tensors{"key_input"});
}

TEST(Sources, OfWhatIsGivenAreNone) {
  const Scene& scene = scene_of("you-are-welcome translation cross_attention");
  EXPECT_EQ(lit(scene, lesson::StepId::project, "q_proj_weight", {1, 2}), Tensors{});
  EXPECT_EQ(lit(scene, lesson::StepId::mask, "mask", {0, 1, 1, 2}), Tensors{});
  EXPECT_EQ(lit(scene, lesson::StepId::scale, "scores", {0, 1, 1, 2}),
            Tensors{});  // made elsewhere
}

TEST(Sources, OfOneHeadAreOfThatHead) {
  const Scene& scene = scene_of("anthony-hopkins cross attention");
  document::ViewState view_state;
  view_state.step = lesson::StepId::reweight;
  view_state.query = 5;
  const Stage stage = lay_out(scene.attention, view_state, page.space());
  const model::Trace& trace = scene.attention.trace;
  const Explanation made = model::explain(trace, "weighted_values", {0, 3, 5, 7, 11});
  for (const CellRange& range : sources_on(stage, trace, made)) {
    EXPECT_EQ(stage.blocks[range.block].head, std::size_t{3});
  }
  EXPECT_EQ(sources_on(stage, trace, made).size(), 2U);
}

}  // namespace
}  // namespace stage
