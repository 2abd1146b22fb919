#include "stage/scene/matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "stage/meanings.hpp"

namespace stage {
namespace {

/// A block with what it was made from.
struct Drawn {
  const Scene* scene;
  const Meaning* meaning;
  document::ViewState view_state;
  Block block;
};

/// Every block there can be. Made once: finding the range of a 512×512 weight takes a while.
const std::vector<Drawn>& every_block() {
  static const std::vector<Drawn> all = [] {
    std::vector<Drawn> blocks;
    for (const Scene* scene : all_scenes()) {
      for (const TensorId id : drawable(scene->attention.trace)) {
        const Meaning& meaning = meaning_of(*scene, id);
        for (const document::ViewState& view_state : looks_for(*scene, meaning)) {
          for (Block& block : matrices_of(scene->attention, id, view_state)) {
            blocks.push_back({scene, &meaning, view_state, std::move(block)});
          }
        }
      }
    }
    return blocks;
  }();
  return all;
}

template <typename Check>
void for_each_block(Check check) {
  for (const auto& [scene, meaning, view_state, block] : every_block()) {
    check(*scene, *meaning, view_state, block);
    if (testing::Test::HasFatalFailure()) {
      FAIL() << name_of(*scene, view_state) << ", " << model::name_of(block.tensor);
    }
  }
}

TEST(Matrices, TheTableIsInTheOrderOfTheTensors) {
  for (std::size_t i = 0; i < std::size(meanings); ++i) EXPECT_EQ(meanings[i].id.place(), i);
}

// The one rule: every number on the stage is the number that was computed, under the name of its
// tensor.
TEST(Matrices, EveryCellIsTheTracesOwn) {
  std::size_t cells = 0;
  for_each_block([&](const Scene& scene, const Meaning& meaning,
                     const document::ViewState& view_state, const Block& block) {
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        const Index expected = index_in(meaning, block, view_state, row, column);
        ASSERT_EQ(block.index_of(row, column), expected);
        const float number = number_at(scene.attention.trace, meaning.id, expected);
        ASSERT_EQ(bits_of(block.value(row, column)), bits_of(number));
        ++cells;
      }
    }
  });
  EXPECT_GT(cells, 1'000'000U);
}

TEST(Matrices, PositionOfLeadsBack) {
  for_each_block([](const Scene&, const Meaning&, const document::ViewState&, const Block& block) {
    for (std::size_t row = 0; row < block.rows(); row += 1 + row / 8) {
      for (std::size_t column = 0; column < block.columns(); column += 1 + column / 8) {
        const auto position = block.position_of(block.index_of(row, column));
        ASSERT_TRUE(position.has_value());
        ASSERT_EQ(position->row, row);
        ASSERT_EQ(position->column, column);
      }
    }
  });
}

TEST(Matrices, PositionOfFindsNothingElse) {
  for_each_block(
      [](const Scene&, const Meaning& meaning, const document::ViewState&, const Block& block) {
        const Index inside = block.index_of(block.rows() - 1, block.columns() - 1);
        for (std::size_t axis = 0; axis < inside.rank(); ++axis) {
          Index past = inside;
          past[axis] += 1;  // past the last row or column, or of another sample, head or query
          ASSERT_FALSE(block.position_of(past).has_value());
          if (meaning.index[axis] == 'r' || meaning.index[axis] == 'c' || inside[axis] == 0)
            continue;
          Index before = inside;
          before[axis] -= 1;
          ASSERT_FALSE(block.position_of(before).has_value());
        }
        Index longer = inside;
        longer.push_back(0);
        ASSERT_FALSE(block.position_of(longer).has_value());
        ASSERT_FALSE(block.position_of({}).has_value());
      });
}

TEST(Matrices, AreViewsOfTheirTensor) {
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::ViewState&,
                    const Block& block) {
    if (meaning.id == "weighted_values") return;  // made when it is looked at
    const Tensor& tensor = scene.attention.trace[meaning.id];
    ASSERT_TRUE(block.matrix.shares_storage_with(tensor));
    ASSERT_EQ(block.matrix.storage_id(), tensor.storage_id());
    // Not a number is copied: the cell is the very float that the tensor has.
    const std::size_t row = block.rows() / 2;
    const std::size_t column = block.columns() - 1;
    ASSERT_EQ(block.matrix.position({row, column}), tensor.position(block.index_of(row, column)));
  });
}

TEST(Matrices, HaveTheirTensorsSize) {
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::ViewState&,
                    const Block& block) {
    const auto length = [&](char letter) -> std::size_t {
      const std::size_t axis = meaning.index.find(letter);
      if (axis == std::string_view::npos) return 1;
      if (meaning.id != "weighted_values") return scene.attention.trace[meaning.id].dim(axis);
      return letter == 'r' ? scene.config().key_len : scene.config().head_dim();
    };
    ASSERT_EQ(block.rows(), length('r'));
    ASSERT_EQ(block.columns(), length('c'));
    ASSERT_EQ(block.tensor, meaning.id);
    ASSERT_EQ(block.attention, scene.attention.id);
  });
}

TEST(Matrices, CarryTheirHead) {
  for_each_block([](const Scene& scene, const Meaning& meaning,
                    const document::ViewState& view_state, const Block& block) {
    const bool has_heads = heads_of(scene, meaning) > 0;
    ASSERT_EQ(block.head.has_value(), has_heads);
    if (has_heads && !view_state.all_heads) {
      ASSERT_EQ(block.head, shown_head(scene, meaning, view_state.head));
      // In its own hue, or that of the first of the heads that share it.
      const std::size_t sharing = scene.config().num_heads / heads_of(scene, meaning);
      ASSERT_EQ(block.hue_of(*block.head), view_state.head / sharing * sharing);
    }
  });
}

TEST(Matrices, AreOneForEachHeadInOrderOrTheChosenOne) {
  for (const Scene* scene : all_scenes()) {
    for (const TensorId id : {TensorId("q_split"), TensorId("k_split"), TensorId("v_heads"),
                              TensorId("scores"), TensorId("weighted_values")}) {
      const std::size_t heads = heads_of(*scene, meaning_of(*scene, id));
      document::ViewState view_state;
      const std::vector<Block> blocks = matrices_of(scene->attention, id, view_state);
      ASSERT_EQ(blocks.size(), heads) << scene->name;
      for (std::size_t head = 0; head < heads; ++head) EXPECT_EQ(blocks[head].head, head);
      view_state.all_heads = false;
      view_state.head = heads / 2;
      EXPECT_EQ(matrices_of(scene->attention, id, view_state).size(), 1U) << scene->name;
    }
    EXPECT_EQ(matrices_of(scene->attention, "q", {}).size(), 1U) << scene->name;
  }
}

// Where a row or a column runs through all heads, its sections are marked in their hues.
TEST(Matrices, SayHowManyColumnsOrRowsBelongToEachHead) {
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::ViewState&,
                    const Block& block) {
    const std::size_t head_dim = scene.config().head_dim();
    const TensorId id = meaning.id;
    const bool columns = id == "q" || id == "k" || id == "v" || id == "q_full_normed" ||
                         id == "k_full_normed" || id == "merged" ||
                         id == "out_proj_weight";  // [out, in]: what comes in is merged
    const bool rows = stage::is_weight(model::name_of(id)) && id != "out_proj_weight" &&
                      id != "out_proj_bias";  // what goes out is q, k or v
    ASSERT_EQ(block.columns_per_head, columns ? head_dim : 0U);
    ASSERT_EQ(block.rows_per_head, rows ? head_dim : 0U);
    const bool of_keys = model::name_of(id)[0] == 'k' || model::name_of(id)[0] == 'v';
    const std::size_t width =
        head_dim * (of_keys ? scene.config().num_kv_heads : scene.config().num_heads);
    if (columns) {
      ASSERT_EQ(block.columns(), width);
    }
    if (rows) {
      ASSERT_EQ(block.rows(), width);
    }
  });
}

TEST(Matrices, RowsAndColumnsAreLabelledWithTheTokensOfTheirAxis) {
  for_each_block([](const Scene& scene, const Meaning& meaning,
                    const document::ViewState& view_state, const Block& block) {
    const auto tokens_of = [&](std::string_view axis) {
      return axis == "query" ? scene.attention.query_tokens[view_state.sample]
                             : scene.attention.key_tokens[view_state.sample];
    };
    if (meaning.rows.empty()) {
      ASSERT_TRUE(block.row_labels.empty());
    } else {
      ASSERT_EQ(block.row_labels.words(), tokens_of(meaning.rows));
      ASSERT_EQ(block.row_labels.size(), block.rows());
    }
    ASSERT_EQ(block.rows_are_queries, meaning.rows == "query");
    if (meaning.columns == "key") {
      ASSERT_EQ(block.column_labels.words(), tokens_of("key"));
    } else if (meaning.columns == "number" && !block.column_labels.empty()) {
      // A head has the features of its own numbers; a weight has none.
      const std::vector<std::string>& features = scene.attention.features;
      const bool named = !features.empty() && model::axes_of(block.tensor).has(model::Axis::B);
      const std::size_t first =
          named && features.size() > block.columns() ? *block.head * block.columns() : 0;
      for (std::size_t column = 0; column < block.columns(); ++column) {
        ASSERT_EQ(block.column_labels[column],
                  named ? features[first + column] : std::to_string(column));
      }
    }
    if (!block.column_labels.empty()) {
      ASSERT_EQ(block.column_labels.size(), block.columns());
    }
    if (meaning.columns.empty()) {
      ASSERT_TRUE(block.column_labels.empty());
    }
  });
}

TEST(Matrices, ANarrowOnesColumnsAreNumberedFromZero) {
  const Scene& scene = example_scenes().front();
  const std::vector<Block> blocks = matrices_of(scene.attention, "query_input", {});
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].column_labels.words(), (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(blocks[0].row_labels.words(), (std::vector<std::string>{"pool", "beats", "badminton"}));
}

// The ends of the colour scale are the largest number that is in the tensor: not of the block, not
// of infinities.
TEST(Matrices, RangeIsTheLargestMagnitudeOfTheTensor) {
  for_each_block([](const Scene& scene, const Meaning& meaning,
                    const document::ViewState& view_state, const Block& block) {
    ASSERT_EQ(block.colouring,
              meaning.id == "attention_weights" ? Colouring::weights : Colouring::diverging);
    const Tensor tensor = meaning.id == "weighted_values"
                              ? scene.attention.trace.at_query("weighted_values", view_state.query)
                              : scene.attention.trace[meaning.id];
    float largest = 0.0F;
    for (const float value : tensor.values()) {
      if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    }
    ASSERT_EQ(block.range, largest > 0.0F ? largest : 1.0F);
  });
}

TEST(Matrices, WeightsLieBetweenZeroAndOne) {
  std::size_t cells = 0;
  for_each_block(
      [&](const Scene&, const Meaning& meaning, const document::ViewState&, const Block& block) {
        if (meaning.id != "attention_weights") return;
        for (std::size_t row = 0; row < block.rows(); ++row) {
          for (std::size_t column = 0; column < block.columns(); ++column) {
            ASSERT_GE(block.value(row, column), 0.0F);
            ASSERT_LE(block.value(row, column), 1.0F);
            ++cells;
          }
        }
      });
  EXPECT_GT(cells, 1000U);
}

TEST(Matrices, AreNoneWhereTheTraceHasNoSuchTensor) {
  const Scene& bare = example_scenes().front();  // no weights
  ASSERT_FALSE(bare.attention.trace.has("q_proj_weight"));
  EXPECT_TRUE(matrices_of(bare.attention, "q_proj_weight", {}).empty());
  EXPECT_TRUE(matrices_of(bare.attention, "out_proj_bias", {}).empty());
}

}  // namespace
}  // namespace stage
