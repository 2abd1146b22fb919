#include "draw/view.hpp"

#include <gtest/gtest.h>

#include "stage/scene/matrices.hpp"
#include "stage/scenes.hpp"

namespace draw {
namespace {

using model::Axis;
using model::TensorId;

const document::ComputedAttention& attention_of(const std::string& name) {
  for (const stage::Scene* scene : stage::all_scenes()) {
    if (scene->name == name) return scene->attention;
  }
  ADD_FAILURE() << "no scene " << name;
  return stage::example_scenes().front().attention;
}

const document::ComputedAttention& cross() {
  return attention_of("you-are-welcome translation cross_attention");
}

TEST(WordsFor, CountHeadsAndSamplesFromZero) {
  EXPECT_EQ(words_for(cross(), Axis::H, 0, 0), "head 0");
  EXPECT_EQ(words_for(cross(), Axis::H, 0, 1), "head 1");
  EXPECT_EQ(words_for(cross(), Axis::B, 0, 0), "sample 0");
  EXPECT_EQ(words_for(cross(), Axis::B, 0, 1), "sample 1");
}

TEST(WordsFor, NameTokensByTheirWord) {
  EXPECT_EQ(words_for(cross(), Axis::Lq, 0, 0), "De");
  EXPECT_EQ(words_for(cross(), Axis::Lq, 0, 1), "nada");
  EXPECT_EQ(words_for(cross(), Axis::Lk, 0, 2), "welcome");
  EXPECT_EQ(words_for(cross(), Axis::Lq, 1, 0), "Gracias");
  EXPECT_EQ(words_for(cross(), Axis::Lk, 1, 1), lesson::pad_token);
}

TEST(WordsFor, CountDimensionsFromZero) {
  for (const Axis axis : {Axis::E, Axis::A, Axis::D, Axis::kdim, Axis::vdim}) {
    EXPECT_EQ(words_for(cross(), axis, 0, 0), "0") << name_of(axis);
    EXPECT_EQ(words_for(cross(), axis, 0, 5), "5") << name_of(axis);
  }
}

TEST(WordsFor, HaveAWordForEveryCell) {
  // Where there is no such token, its number: never another token's word.
  EXPECT_EQ(words_for(cross(), Axis::Lq, 0, 17), "17");
  EXPECT_EQ(words_for(cross(), Axis::Lk, 9, 1), "1");
}

// Without the batch, as the shapes of the captions and the memory strip have it.
TEST(AddressText, NamesTensorAndCell) {
  EXPECT_EQ(address_text(cross(), "q_heads", {0, 1, 1, 2}), "q_heads[1, 1, 2]");
  EXPECT_EQ(address_text(cross(), "k_heads", {1, 0, 0, 2}), "k_heads[0, 0, 2]");
  EXPECT_EQ(address_text(cross(), "q_split", {0, 1, 1, 2}), "q_split[1, 1, 2]");
  EXPECT_EQ(address_text(cross(), "attention_weights", {0, 0, 0, 1}), "attention_weights[0, 0, 1]");
  EXPECT_EQ(address_text(cross(), "q_proj_weight", {3, 4}), "q_proj_weight[3, 4]");
  EXPECT_EQ(address_text(cross(), "out_proj_bias", {5}), "out_proj_bias[5]");
}

TEST(AddressText, NamesTheQueryOfAWeightedValue) {
  EXPECT_EQ(address_text(cross(), "weighted_values", {0, 1, 1, 2, 0}),
            "weighted_values[1, 1, 2, 0]");
}

TEST(PlaceWords, SayWhatTheIndicesStandFor) {
  EXPECT_EQ(stage::place_words(cross(), {"q_heads", {0, 1, 1, 2}}),
            "sample 0, head 1, token nada, dimension 2");
  EXPECT_EQ(stage::place_words(cross(), {"attention_weights", {1, 0, 0, 0}}),
            "sample 1, head 0, query Gracias, key Thanks");
  EXPECT_EQ(stage::place_words(cross(), {"q_proj_weight", {3, 4}}), "row 3, column 4");
}

TEST(PlaceWords, LeaveOutASampleThatIsTheOnlyOne) {
  const document::ComputedAttention& alone =
      attention_of("pool-beats-badminton projected attention");
  EXPECT_EQ(stage::place_words(alone, {"query_input", {0, 2, 3}}), "token badminton, dimension 3");
  EXPECT_EQ(stage::place_words(alone, {"scores", {0, 0, 1, 2}}),
            "head 0, query beats, key badminton");
}

TEST(AxisWords, SayWhatTheLettersOfAShapeStandFor) {
  EXPECT_EQ(stage::axis_words("[H 2, Lq 3, D 4]"),
            "H: heads, Lq: query tokens, D: numbers per head");
  EXPECT_EQ(stage::axis_words("scores [Lq 2, Lk 3] → output [Lq 2, E 6], for each of B 2 samples"),
            "B: samples in the batch, Lq: query tokens, Lk: key tokens, E: numbers per token");
  EXPECT_EQ(stage::axis_words("[]"), "");
}

// Every letter that a caption has is explained.
TEST(AxisWords, ExplainEveryLetterOfEveryCaption) {
  for (const stage::Scene* scene : stage::all_scenes()) {
    for (const document::ViewState& view_state : stage::looks_at(*scene)) {
      const stage::Stage stage = stage::lay_out(scene->attention, view_state, stage::page.space());
      for (const stage::Group& group : stage.groups) {
        for (const model::Axis axis : scene->attention.trace.axes_of(group.tensor)) {
          const std::string letter(name_of(axis));
          const bool shown = group.shape.find("[" + letter + " ") != std::string::npos ||
                             group.shape.find(", " + letter + " ") != std::string::npos;
          if (!shown) continue;
          EXPECT_NE(stage::axis_words(group.shape).find(letter + ": "), std::string::npos)
              << group.shape;
        }
      }
    }
  }
}

// A row label on the stage and the words for the cell are the same.
TEST(PlaceWords, SayWhatTheStagesLabelsSay) {
  for (const stage::Scene* scene : stage::all_scenes()) {
    for (const document::ViewState& view_state : stage::looks_at(*scene)) {
      if (view_state.step != lesson::StepId::overview) continue;
      const stage::Stage stage = stage::lay_out(scene->attention, view_state, stage::page.space());
      for (const stage::Block& block : stage.blocks) {
        const std::size_t row = block.rows() - 1;
        const document::CellRef cell{block.tensor, block.index_of(row, 0)};
        const std::string address = stage::cell_words(scene->attention, cell);
        EXPECT_TRUE(address.starts_with(std::string(model::name_of(block.tensor)) + ", "));
        if (!block.row_labels.empty()) {
          EXPECT_NE(address.find(block.row_labels[row]), std::string::npos) << address;
        }
        if (block.head) {
          const auto& trace = scene->attention.trace;
          const std::string words = stage::head_words(trace, block.tensor, *block.head);
          EXPECT_NE(address.find(words), std::string::npos) << address;
        }
      }
    }
  }
}

TEST(CellRef, IsTheSameForTheSameCell) {
  const CellRef cell{"scores", {0, 1, 1, 2}};
  EXPECT_EQ(cell, (CellRef{"scores", {0, 1, 1, 2}}));
  EXPECT_FALSE(cell == (CellRef{"scores", {0, 1, 1, 1}}));
  EXPECT_FALSE(cell == (CellRef{"scaled_scores", {0, 1, 1, 2}}));
}

TEST(Requests, KeepTheOrderOfTheCommands) {
  Requests requests;
  requests.add(document::ChooseHead{3});
  requests.add(document::ShowAllHeads{false});
  ASSERT_EQ(requests.commands.size(), 2U);
  EXPECT_EQ(std::get<document::ChooseHead>(requests.commands[0]).value, 3U);
  EXPECT_FALSE(std::get<document::ShowAllHeads>(requests.commands[1]).value);
}

}  // namespace
}  // namespace draw
