#include "stage/matrices.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "stage/scenes.hpp"

namespace stage {
namespace {

using attention::Index;
using attention::Tensor;
using attention::TensorId;

/// What a drawn matrix is about, said a second time and from the textbook, tensor by tensor: the
/// axes that are fixed and the two that become rows and columns. b: sample, h: head, i: query, j:
/// key, d and e: dimensions; r and c: row and column.
struct Meaning {
  TensorId id;
  std::string_view index;    ///< "bhrc": the place of each axis of the tensor in the drawing
  std::string_view rows;     ///< "query", "key" or "": whose tokens stand beside the rows
  std::string_view columns;  ///< "key", "number" or ""
  std::string_view shape;    ///< letters of the axes, in order
};

constexpr Meaning meanings[] = {
    {TensorId::token_embedding, "brc", "query", "number", "B Lq E"},
    {TensorId::position_encoding, "rc", "query", "number", "Lq E"},
    {TensorId::query_input, "brc", "query", "number", "B Lq E"},
    {TensorId::key_input, "brc", "key", "number", "B Lk kdim"},
    {TensorId::value_input, "brc", "key", "number", "B Lk vdim"},
    {TensorId::q_proj_weight, "rc", "", "number", "E E"},
    {TensorId::k_proj_weight, "rc", "", "number", "E kdim"},
    {TensorId::v_proj_weight, "rc", "", "number", "E vdim"},
    {TensorId::q_proj_bias, "r", "", "", "E"},
    {TensorId::k_proj_bias, "r", "", "", "E"},
    {TensorId::v_proj_bias, "r", "", "", "E"},
    {TensorId::out_proj_weight, "rc", "", "number", "E E"},
    {TensorId::out_proj_bias, "r", "", "", "E"},
    {TensorId::q, "brc", "query", "number", "B Lq E"},
    {TensorId::k, "brc", "key", "number", "B Lk E"},
    {TensorId::v, "brc", "key", "number", "B Lk E"},
    {TensorId::q_split, "brhc", "query", "number", "B Lq H D"},
    {TensorId::k_split, "brhc", "key", "number", "B Lk H D"},
    {TensorId::v_split, "brhc", "key", "number", "B Lk H D"},
    {TensorId::q_heads, "bhrc", "query", "number", "B H Lq D"},
    {TensorId::k_heads, "bhrc", "key", "number", "B H Lk D"},
    {TensorId::v_heads, "bhrc", "key", "number", "B H Lk D"},
    {TensorId::scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::scaled_scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::mask, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::masked_scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::attention_weights, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::weighted_values, "bhirc", "key", "number", "B H i Lk D"},
    {TensorId::head_outputs, "bhrc", "query", "number", "B H Lq D"},
    {TensorId::merged_split, "brhc", "query", "number", "B Lq H D"},
    {TensorId::merged, "brc", "query", "number", "B Lq E"},
    {TensorId::output, "brc", "query", "number", "B Lq E"},
};
static_assert(std::size(meanings) == attention::tensor_count);

bool is_weight(std::string_view name) { return name.find("_proj_") != std::string_view::npos; }

/// Where the cell at (row, column) of a block comes from.
Index index_in(const Meaning& meaning, const Block& block, const document::Look& look,
               std::size_t row, std::size_t column) {
  Index index;
  for (const char letter : meaning.index) {
    if (letter == 'b') index.push_back(look.sample);
    if (letter == 'h') index.push_back(block.head.value_or(999));
    if (letter == 'i') index.push_back(look.query);
    if (letter == 'r') index.push_back(row);
    if (letter == 'c') index.push_back(column);
  }
  return index;
}

/// The number that `index` has in the trace.
float number_at(const attention::Trace& trace, TensorId id, const Index& index) {
  if (id != TensorId::weighted_values) return trace[id].at(index);
  return trace[TensorId::attention_weights].at({index[0], index[1], index[2], index[3]}) *
         trace[TensorId::v_heads].at({index[0], index[1], index[3], index[4]});
}

/// Every tensor there is to draw.
std::vector<TensorId> drawable(const attention::Trace& trace) {
  std::vector<TensorId> ids = trace.present();
  ids.push_back(TensorId::weighted_values);
  return ids;
}

/// All looks that change what a tensor's matrices are: samples, heads and, for weighted_values,
/// queries.
std::vector<document::Look> looks_for(const Scene& scene, const Meaning& meaning) {
  const bool heads = meaning.index.find('h') != std::string_view::npos;
  const bool query = meaning.index.find('i') != std::string_view::npos;
  std::vector<document::Look> looks;
  for (std::size_t sample = 0; sample < scene.config().batch; ++sample) {
    document::Look look;
    look.attention = scene.attention.id;
    look.sample = sample;
    look.query = sample % scene.config().query_len;
    look.all_heads = true;
    looks.push_back(look);
    look.all_heads = false;
    for (look.head = 0; look.head < (heads ? scene.config().num_heads : 1); ++look.head) {
      for (look.query = 0;
           look.query < (query ? std::min<std::size_t>(4, scene.config().query_len) : 1);
           ++look.query) {
        looks.push_back(look);
      }
    }
  }
  return looks;
}

/// A block with what it was made from.
struct Drawn {
  const Scene* scene;
  const Meaning* meaning;
  document::Look look;
  Block block;
};

/// Every block there can be. Made once: finding the range of a 512×512 weight takes a while.
const std::vector<Drawn>& every_block() {
  static const std::vector<Drawn> all = [] {
    std::vector<Drawn> blocks;
    for (const Scene* scene : all_scenes()) {
      for (const TensorId id : drawable(scene->attention.trace)) {
        const Meaning& meaning = meanings[static_cast<std::size_t>(id)];
        for (const document::Look& look : looks_for(*scene, meaning)) {
          for (Block& block : matrices_of(scene->attention, id, look)) {
            blocks.push_back({scene, &meaning, look, std::move(block)});
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
  for (const auto& [scene, meaning, look, block] : every_block()) {
    check(*scene, *meaning, look, block);
    if (testing::Test::HasFatalFailure()) {
      FAIL() << name_of(*scene, look) << ", " << attention::name_of(block.tensor);
    }
  }
}

TEST(Matrices, TheTableIsInTheOrderOfTheTensors) {
  for (std::size_t i = 0; i < attention::tensor_count; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(meanings[i].id), i);
  }
}

// The one rule: every number on the stage is the number that was computed, under the name of its
// tensor.
TEST(Matrices, EveryCellIsTheTracesOwn) {
  std::size_t cells = 0;
  for_each_block([&](const Scene& scene, const Meaning& meaning, const document::Look& look,
                     const Block& block) {
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        const Index expected = index_in(meaning, block, look, row, column);
        ASSERT_EQ(block.index_of(row, column), expected);
        const float number = number_at(scene.attention.trace, meaning.id, expected);
        ASSERT_EQ(std::bit_cast<std::uint32_t>(block.value(row, column)),
                  std::bit_cast<std::uint32_t>(number));
        ++cells;
      }
    }
  });
  EXPECT_GT(cells, 1'000'000U);
}

TEST(Matrices, PositionOfLeadsBack) {
  for_each_block([](const Scene&, const Meaning&, const document::Look&, const Block& block) {
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
      [](const Scene&, const Meaning& meaning, const document::Look&, const Block& block) {
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
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::Look&,
                    const Block& block) {
    if (meaning.id == TensorId::weighted_values) return;  // made when it is looked at
    const Tensor& tensor = scene.attention.trace[meaning.id];
    ASSERT_TRUE(block.matrix.shares_storage_with(tensor));
    ASSERT_EQ(block.matrix.storage_version(), tensor.storage_version());
    // Not a number is copied: the cell is the very float that the tensor has.
    const std::size_t row = block.rows() / 2;
    const std::size_t column = block.columns() - 1;
    ASSERT_EQ(block.matrix.position({row, column}), tensor.position(block.index_of(row, column)));
  });
}

TEST(Matrices, HaveTheirTensorsSize) {
  for_each_block(
      [](const Scene& scene, const Meaning& meaning, const document::Look&, const Block& block) {
        const auto length = [&](char letter) -> std::size_t {
          const std::size_t axis = meaning.index.find(letter);
          if (axis == std::string_view::npos) return 1;
          if (meaning.id != TensorId::weighted_values)
            return scene.attention.trace[meaning.id].dim(axis);
          return letter == 'r' ? scene.config().key_len : scene.config().head_dim();
        };
        ASSERT_EQ(block.rows(), length('r'));
        ASSERT_EQ(block.columns(), length('c'));
        ASSERT_EQ(block.tensor, meaning.id);
        ASSERT_EQ(block.attention, scene.attention.id);
      });
}

TEST(Matrices, CarryTheirHead) {
  for_each_block(
      [](const Scene&, const Meaning& meaning, const document::Look& look, const Block& block) {
        const bool has_heads = meaning.index.find('h') != std::string_view::npos;
        ASSERT_EQ(block.head.has_value(), has_heads);
        if (has_heads && !look.all_heads) {
          ASSERT_EQ(block.head, look.head);
        }
      });
}

TEST(Matrices, AreOneForEachHeadInOrderOrTheChosenOne) {
  for (const Scene* scene : all_scenes()) {
    const std::size_t heads = scene->config().num_heads;
    for (const TensorId id : {TensorId::q_split, TensorId::scores, TensorId::weighted_values}) {
      document::Look look;
      const std::vector<Block> blocks = matrices_of(scene->attention, id, look);
      ASSERT_EQ(blocks.size(), heads) << scene->name;
      for (std::size_t head = 0; head < heads; ++head) EXPECT_EQ(blocks[head].head, head);
      look.all_heads = false;
      look.head = heads / 2;
      EXPECT_EQ(matrices_of(scene->attention, id, look).size(), 1U) << scene->name;
    }
    EXPECT_EQ(matrices_of(scene->attention, TensorId::q, {}).size(), 1U) << scene->name;
  }
}

// Where a row or a column runs through all heads, its sections are marked in their hues.
TEST(Matrices, SayHowManyColumnsOrRowsBelongToEachHead) {
  for_each_block(
      [](const Scene& scene, const Meaning& meaning, const document::Look&, const Block& block) {
        const std::size_t head_dim = scene.config().head_dim();
        const TensorId id = meaning.id;
        const bool columns = id == TensorId::q || id == TensorId::k || id == TensorId::v ||
                             id == TensorId::merged ||
                             id == TensorId::out_proj_weight;  // [out, in]: what comes in is merged
        const bool rows = is_weight(attention::name_of(id)) && id != TensorId::out_proj_weight &&
                          id != TensorId::out_proj_bias;  // what goes out is q, k or v
        ASSERT_EQ(block.columns_per_head, columns ? head_dim : 0U);
        ASSERT_EQ(block.rows_per_head, rows ? head_dim : 0U);
        if (columns) {
          ASSERT_EQ(block.columns(), head_dim * scene.config().num_heads);
        }
        if (rows) {
          ASSERT_EQ(block.rows(), head_dim * scene.config().num_heads);
        }
      });
}

TEST(Matrices, RowsAndColumnsAreLabelledWithTheTokensOfTheirAxis) {
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::Look& look,
                    const Block& block) {
    const auto tokens_of = [&](std::string_view axis) {
      return axis == "query" ? scene.attention.query_tokens[look.sample]
                             : scene.attention.key_tokens[look.sample];
    };
    if (meaning.rows.empty()) {
      ASSERT_TRUE(block.row_labels.empty());
    } else {
      ASSERT_EQ(block.row_labels, tokens_of(meaning.rows));
      ASSERT_EQ(block.row_labels.size(), block.rows());
    }
    ASSERT_EQ(block.rows_are_queries, meaning.rows == "query");
    if (meaning.columns == "key") {
      ASSERT_EQ(block.column_labels, tokens_of("key"));
    } else if (meaning.columns == "number" && !block.column_labels.empty()) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        ASSERT_EQ(block.column_labels[column], std::to_string(column));
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
  const std::vector<Block> blocks = matrices_of(scene.attention, TensorId::query_input, {});
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(blocks[0].column_labels, (std::vector<std::string>{"0", "1", "2", "3"}));
  EXPECT_EQ(blocks[0].row_labels, (std::vector<std::string>{"pool", "beats", "badminton"}));
}

// The ends of the colour scale are the largest number that is in the tensor: not of the block, not
// of infinities.
TEST(Matrices, RangeIsTheLargestMagnitudeOfTheTensor) {
  for_each_block([](const Scene& scene, const Meaning& meaning, const document::Look& look,
                    const Block& block) {
    if (meaning.id == TensorId::attention_weights) {
      ASSERT_EQ(block.colouring, Colouring::weights);
      ASSERT_EQ(block.range, 1.0F);
      return;
    }
    ASSERT_EQ(block.colouring, Colouring::diverging);
    const Tensor tensor = meaning.id == TensorId::weighted_values
                              ? scene.attention.trace.weighted_values(look.query)
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
      [&](const Scene&, const Meaning& meaning, const document::Look&, const Block& block) {
        if (meaning.id != TensorId::attention_weights) return;
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
  ASSERT_FALSE(bare.attention.trace.has(TensorId::q_proj_weight));
  EXPECT_TRUE(matrices_of(bare.attention, TensorId::q_proj_weight, {}).empty());
  EXPECT_TRUE(matrices_of(bare.attention, TensorId::out_proj_bias, {}).empty());
}

// Captions.
// -------------------------------------------------------------------------------------------

template <typename Check>
void for_each_caption(Check check) {
  for (const Scene* each : all_scenes()) {
    const Scene& scene = *each;
    for (const TensorId id : drawable(scene.attention.trace)) {
      const Meaning& meaning = meanings[static_cast<std::size_t>(id)];
      for (const document::Look& look : looks_for(scene, meaning)) {
        SCOPED_TRACE(name_of(scene, look) + ", " + std::string(attention::name_of(id)));
        check(scene, meaning, look, caption_of(scene.attention, id, look));
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  }
}

TEST(Captions, NameTheTensorAndTheHeadThatIsShown) {
  for_each_caption([](const Scene& scene, const Meaning& meaning, const document::Look& look,
                      const Group& group) {
    ASSERT_EQ(group.tensor, meaning.id);
    std::string title(attention::name_of(meaning.id));
    const bool has_heads = meaning.index.find('h') != std::string_view::npos;
    if (has_heads && !look.all_heads && scene.config().num_heads > 1) {
      title += ", head " + std::to_string(look.head + 1);  // on screen heads count from 1
    }
    if (meaning.id == TensorId::weighted_values) {
      title += ", query " + scene.attention.query_tokens[look.sample][look.query];
    }
    ASSERT_EQ(group.title, title);
  });
}

TEST(Captions, SayTheShapeOfWhatIsDrawn) {
  for_each_caption([](const Scene& scene, const Meaning& meaning, const document::Look& look,
                      const Group& group) {
    const attention::Config& config = scene.config();
    std::string shape;
    std::string_view letters = meaning.shape;
    while (!letters.empty()) {
      const std::string_view letter = letters.substr(0, letters.find(' '));
      letters.remove_prefix(std::min(letters.size(), letter.size() + 1));
      std::size_t length = 0;
      if (letter == "Lq") length = config.query_len;
      if (letter == "Lk") length = config.key_len;
      if (letter == "E") length = config.embed_dim;
      if (letter == "H") length = config.num_heads;
      if (letter == "D") length = config.embed_dim / config.num_heads;
      if (letter == "kdim") length = config.kdim;
      if (letter == "vdim") length = config.vdim;
      // One sample is drawn, and one query of the weighted values; the chosen head is in the title.
      if (letter == "B" || letter == "i") continue;
      if (letter == "H" && !look.all_heads && config.num_heads > 1) continue;
      shape += (shape.empty() ? "" : ", ") + std::string(letter) + " " + std::to_string(length);
    }
    ASSERT_EQ(group.shape, "[" + shape + "]");
  });
}

TEST(Captions, SayWhoseNumbersAreDrawn) {
  std::size_t views = 0;
  for_each_caption([&](const Scene& scene, const Meaning& meaning, const document::Look&,
                       const Group& group) {
    if (group.note.empty()) {
      // What has storage of its own shares it with nothing that came before it.
      for (const TensorId earlier : scene.attention.trace.present()) {
        if (meaning.id == TensorId::weighted_values || earlier >= meaning.id) break;
        ASSERT_FALSE(scene.attention.trace[earlier].covers(scene.attention.trace[meaning.id]));
      }
      return;
    }
    ++views;
    const std::string_view prefix = "view of ";
    ASSERT_TRUE(group.note.starts_with(prefix));
    const auto owner = attention::tensor_named(std::string_view(group.note).substr(prefix.size()));
    ASSERT_TRUE(owner.has_value());
    ASSERT_LT(*owner, meaning.id);
    ASSERT_TRUE(
        scene.attention.trace[*owner].shares_storage_with(scene.attention.trace[meaning.id]));
  });
  EXPECT_GT(views, 100U);
}

TEST(RepeatedInput, IsTheInputThatSelfAttentionHasAlready) {
  for (const Scene* each : all_scenes()) {
    const Scene& scene = *each;
    const attention::Trace& trace = scene.attention.trace;
    SCOPED_TRACE(scene.name);
    const bool crossed = scene.attention.id == lesson::AttentionId::cross_attention ||
                         scene.attention.query_tokens != scene.attention.key_tokens;
    EXPECT_EQ(is_repeated_input(trace, TensorId::key_input), !crossed);
    EXPECT_TRUE(
        is_repeated_input(trace, TensorId::value_input));  // keys and values have one source
    EXPECT_FALSE(is_repeated_input(trace, TensorId::query_input));
    EXPECT_FALSE(is_repeated_input(trace, TensorId::q_split));  // a view, but another table
    EXPECT_FALSE(is_repeated_input(trace, TensorId::q));
  }
}

}  // namespace
}  // namespace stage
