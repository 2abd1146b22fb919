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

TEST(WordsFor, CountHeadsAndSamplesFromOne) {
  EXPECT_EQ(words_for(cross(), Axis::H, 0, 0), "head 1");
  EXPECT_EQ(words_for(cross(), Axis::H, 0, 1), "head 2");
  EXPECT_EQ(words_for(cross(), Axis::B, 0, 0), "sample 1");
  EXPECT_EQ(words_for(cross(), Axis::B, 0, 1), "sample 2");
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

TEST(AddressText, NamesTensorAndCell) {
  EXPECT_EQ(address_text(cross(), "q_heads", {0, 1, 1, 2}), "q_heads[sample 1, head 2, nada, 2]");
  EXPECT_EQ(address_text(cross(), "k_heads", {1, 0, 0, 2}), "k_heads[sample 2, head 1, Thanks, 2]");
  EXPECT_EQ(address_text(cross(), "q_split", {0, 1, 1, 2}), "q_split[sample 1, nada, head 2, 2]");
  EXPECT_EQ(address_text(cross(), "attention_weights", {0, 0, 0, 1}),
            "attention_weights[sample 1, head 1, De, are]");
  EXPECT_EQ(address_text(cross(), "q_proj_weight", {3, 4}), "q_proj_weight[3, 4]");
  EXPECT_EQ(address_text(cross(), "out_proj_bias", {5}), "out_proj_bias[5]");
}

TEST(AddressText, NamesTheQueryOfAWeightedValue) {
  EXPECT_EQ(address_text(cross(), "weighted_values", {0, 1, 1, 2, 0}),
            "weighted_values[sample 1, head 2, nada, welcome, 0]");
}

TEST(AddressText, LeavesOutASampleThatIsTheOnlyOne) {
  const document::ComputedAttention& alone =
      attention_of("pool-beats-badminton projected attention");
  EXPECT_EQ(address_text(alone, "query_input", {0, 2, 3}), "query_input[badminton, 3]");
  EXPECT_EQ(address_text(alone, "scores", {0, 0, 1, 2}), "scores[head 1, beats, badminton]");
}

// A row label on the stage and the word in the address are the same.
TEST(AddressText, SaysWhatTheStagesLabelsSay) {
  for (const stage::Scene* scene : stage::all_scenes()) {
    for (const document::ViewState& view_state : stage::looks_at(*scene)) {
      if (view_state.step != lesson::StepId::overview) continue;
      const stage::Stage stage = stage::lay_out(scene->attention, view_state, stage::page.space());
      for (const stage::Block& block : stage.blocks) {
        const std::size_t row = block.rows() - 1;
        const std::string address =
            address_text(scene->attention, block.tensor, block.index_of(row, 0));
        EXPECT_TRUE(address.starts_with(std::string(model::name_of(block.tensor)) + "["));
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
