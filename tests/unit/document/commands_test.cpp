#include "document/commands.hpp"

#include <gtest/gtest.h>

#include "document/setups.hpp"
#include "model/attention/mask.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using lesson::MaskKind;
using model::hidden;
using model::Scale;
using model::TensorId;

Document applied(const Document& document, const Command& command) {
  const auto result = apply(document, computed(document.configuration), command);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Document{};
}

std::string command_error(const Document& document, const Command& command) {
  const auto result = apply(document, computed(document.configuration), command);
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

/// your-sentence with an edit of a weight, of the input and of the mask, and choices that differ.
Document busy() {
  Document document = document_of(fresh(ExampleId::your_sentence, 0));
  document.configuration.parameters.seed = 7;
  document.configuration.scale = Scale{Scale::Kind::none, 1.0F};
  document.configuration.masks[AttentionId::attention] = MaskKind::look_ahead;
  document.configuration.edits = {
      {cell(AttentionId::attention, "q_proj_weight", {0, 1}), 2.0F},
      {cell(AttentionId::attention, "token_embedding", {0, 5, 1}), 3.0F},
      {cell(AttentionId::attention, "mask", {0, 0, 5, 5}), hidden},
  };
  return document;
}

// --- Choosing what is looked at changes the view state and nothing else
// --------------------------------

TEST(Apply, LooksChangeOneField) {
  const Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  Document expected = start;
  expected.view_state.step = lesson::StepId::softmax;
  EXPECT_EQ(applied(start, ChooseStep{lesson::StepId::softmax}), expected);
  expected = start;
  expected.view_state.attention = AttentionId::cross_attention;
  EXPECT_EQ(applied(start, ChooseAttention{AttentionId::cross_attention}), expected);
  expected = start;
  expected.view_state.head = 1;
  EXPECT_EQ(applied(start, ChooseHead{1}), expected);
  expected = start;
  expected.view_state.all_heads = !start.view_state.all_heads;
  EXPECT_EQ(applied(start, ShowAllHeads{!start.view_state.all_heads}), expected);
  expected = start;
  expected.view_state.mean_heads = true;
  EXPECT_EQ(applied(start, ShowMeanOfHeads{true}), expected);
  EXPECT_FALSE(
      applied(expected, ChooseHeadOf{start.view_state.attention, 1}).view_state.mean_heads);
  expected = start;
  expected.view_state.query = 2;
  EXPECT_EQ(applied(start, ChooseQuery{2}), expected);
  expected = start;
  expected.view_state.sample = 1;
  EXPECT_EQ(applied(start, ChooseSample{1}), expected);
  expected = start;
  expected.view_state.key = 2;
  EXPECT_EQ(applied(start, ChooseKey{2}), expected);
  expected = start;
  expected.view_state.all_samples = false;
  EXPECT_EQ(applied(start, ShowAllSamples{false}), expected);
  expected = start;
  expected.view_state.shared_scale = true;
  EXPECT_EQ(applied(start, ShareScale{true}), expected);
  expected = start;
  expected.view_state.weights_to_one = true;
  EXPECT_EQ(applied(start, ScaleWeightsToOne{true}), expected);
  expected = start;
  expected.view_state.map = MapOpen::scale;
  EXPECT_EQ(applied(start, OpenMap{MapOpen::scale}), expected);
  expected = start;
  expected.view_state.projection = Projection::k;
  EXPECT_EQ(applied(start, ChooseProjection{Projection::k}), expected);
  expected = start;
  expected.view_state.progress = 0.5F;
  EXPECT_EQ(applied(start, SetProgress{0.5F}), expected);
  expected = start;
  expected.view_state.cell = CellRef{"q", {0, 0, 1}};
  EXPECT_EQ(applied(start, ChooseCell{expected.view_state.cell}), expected);
  expected = start;
  expected.view_state.framing = Framing{0.5F, 0.25F, 2.0F};
  EXPECT_EQ(applied(start, Frame{expected.view_state.framing}), expected);
  expected = start;
  expected.view_state.show = Show::figure;
  EXPECT_EQ(applied(start, ChooseShow{Show::figure}), expected);
  expected = start;
  expected.view_state.compare = true;
  EXPECT_EQ(applied(start, Compare{true}), expected);
  expected = start;
  expected.view_state.guessing = true;
  EXPECT_EQ(applied(start, Guess{true}), expected);
  expected = start;
  expected.view_state.theme = Theme::dark;
  EXPECT_EQ(applied(start, ChooseTheme{Theme::dark}), expected);
}

// Which of two pictures is shown for want of room is chosen for one step, and until there is room.
TEST(Apply, WhatAStepShowsIsChosenForThatStep) {
  Document start = busy();
  start.view_state.step = lesson::StepId::transpose;
  start.view_state.show = Show::figure;
  EXPECT_EQ(applied(start, ChooseStep{lesson::StepId::transpose}).view_state.show, Show::figure);
  EXPECT_EQ(applied(start, ChooseStep{lesson::StepId::scores}).view_state.show, Show::automatic);
  const Document more = applied(start, ShowMore{true});
  EXPECT_TRUE(more.view_state.more);
  EXPECT_EQ(more.view_state.show, Show::figure);
  const Document less = applied(more, ShowMore{false});
  EXPECT_FALSE(less.view_state.more);
  EXPECT_EQ(less.view_state.show, Show::automatic);
}

// --- Choosing what is computed -------------------------------------------------------------------

TEST(Apply, AnotherExampleStartsFreshAtItsFirstQuery) {
  Document start = busy();
  start.view_state.step = lesson::StepId::mask;
  start.view_state.head = 1;
  start.view_state.theme = Theme::light;
  const Document next = applied(start, ChooseExample{ExampleId::anthony_hopkins, 1});
  EXPECT_EQ(next.configuration, fresh(ExampleId::anthony_hopkins, 1));
  EXPECT_EQ(next.view_state.query, 3U);
  EXPECT_EQ(next.view_state.head, 0U);
  EXPECT_EQ(next.view_state.attention, AttentionId::attention);
  EXPECT_EQ(next.view_state.step, lesson::StepId::mask);
  EXPECT_EQ(next.view_state.theme, Theme::light);
}

// Arcs from a word that nothing is asked of would say nothing about the task.
TEST(Apply, ATaskOpensAtATokenThatHasAnAnswer) {
  std::size_t tasks = 0;
  for (const lesson::Example& example : lesson::examples()) {
    if (!example.task) continue;
    ++tasks;
    const Computed computed = document::computed(fresh(example.id, 0));
    ASSERT_LT(example.query, computed.answers.size()) << example.name;
    EXPECT_FALSE(computed.answers[example.query].right.empty()) << example.name;
  }
  EXPECT_EQ(tasks, 3U);
}

TEST(Apply, ATrainedExampleStartsWithWhatItDoes) {
  Document start = busy();
  start.view_state.step = lesson::StepId::mask;
  start.view_state.progress = 0.5F;
  for (const ExampleId example : {ExampleId::reverse, ExampleId::agree, ExampleId::look_back}) {
    const Document next = applied(start, ChooseExample{example, 0});
    EXPECT_EQ(next.view_state.step, lesson::StepId::sentence);
    EXPECT_EQ(next.view_state.progress, 1.0F);
  }
}

TEST(Apply, TheTranslatorStartsWithBothSentencesAndTheMeanOfAllHeads) {
  Document start = busy();
  start.view_state.step = lesson::StepId::mask;
  start.view_state.show = Show::matrices;
  // Its numbers need its weights, which are not here.
  const Document next =
      *apply(start, computed(start.configuration), ChooseExample{ExampleId::translator, 0});
  EXPECT_EQ(next.view_state.step, lesson::StepId::sentence);
  EXPECT_EQ(lesson::name_of(next.view_state.attention), "cross_attention_3");
  EXPECT_TRUE(next.view_state.mean_heads);
  EXPECT_EQ(next.view_state.show, Show::automatic);
  start.view_state = next.view_state;
  const Document back = applied(start, ChooseExample{ExampleId::gender_and_number, 0});
  EXPECT_FALSE(back.view_state.mean_heads) << "others begin with their first head";
}

TEST(Apply, AnotherVariantKeepsSeedSentenceAndSizesOnly) {
  Document start = document_of(fresh(ExampleId::pool_beats_badminton, 2));
  start.configuration.parameters.seed = 5;
  start.configuration.parameters.num_heads = 2;
  start.configuration.scale = Scale{Scale::Kind::none, 1.0F};
  start.configuration.edits = {{cell(AttentionId::attention, "q_proj_weight", {0, 0}), 1.0F}};
  const Document next = applied(start, ChooseVariant{1});
  document::Configuration expected = fresh(ExampleId::pool_beats_badminton, 1);
  expected.parameters.seed = 5;
  expected.parameters.num_heads = 2;
  EXPECT_EQ(next.configuration, expected);
}

TEST(Apply, ASeedChangesTheSeedOnly) {
  const Document start = busy();
  Document expected = start;
  expected.configuration.parameters.seed = 123;
  EXPECT_EQ(applied(start, SetSeed{123}), expected);
}

TEST(Apply, ASentenceTakesTheEditsOfItsOwnCellsAlong) {
  const Document start = busy();
  const Document next = applied(start, SetSentence{"two words"});
  Document expected = start;
  expected.configuration.parameters.sentence = "two words";
  expected.configuration.edits.resize(1);  // the weight's
  EXPECT_EQ(next, expected);
  // The sentence that is there already takes nothing along.
  EXPECT_EQ(applied(next, SetSentence{"two words"}), next);
}

TEST(Apply, SizesTakeWhatDoesNotFitAlong) {
  const Document start = busy();
  Document expected = start;
  expected.configuration.parameters.num_heads = 4;
  EXPECT_EQ(applied(start, SetSizes{0, 4}), expected);
  expected.configuration.parameters.embed_dim = 8;  // what it is anyway
  EXPECT_EQ(applied(start, SetSizes{8, 4}), expected);

  expected.configuration.parameters.embed_dim = 16;
  expected.configuration.edits = {start.configuration.edits.back()};  // the mask's
  EXPECT_EQ(applied(start, SetSizes{16, 4}), expected);
}

TEST(Apply, SharedKeysTakeTheEditsOfTheirWeightsAlong) {
  Document start = busy();
  start.configuration.parameters.num_heads = 4;
  const Edit mask = start.configuration.edits.back();
  start.configuration.edits.back() = {cell(AttentionId::attention, "k_proj_weight", {7, 0}), 1.0F};
  start.configuration.edits.push_back(
      {cell(AttentionId::attention, "v_proj_weight", {0, 1}), 1.0F});
  start.configuration.edits.push_back(mask);
  EXPECT_EQ(applied(start, SetSizes{8, 4, 4}).configuration.edits, start.configuration.edits)
      << "as it was";
  Document shared = applied(start, SetSizes{8, 4, 2});
  EXPECT_EQ(shared.configuration.parameters.num_kv_heads, 2U);
  EXPECT_EQ(shared.configuration.edits, busy().configuration.edits);
  // As many heads of keys, but half as wide.
  shared.configuration.edits.push_back(
      {cell(AttentionId::attention, "k_proj_weight", {3, 0}), 1.0F});
  EXPECT_EQ(applied(shared, SetSizes{8, 4, 2}).configuration.edits, shared.configuration.edits);
  EXPECT_EQ(applied(shared, SetSizes{8, 8, 2}).configuration.edits, busy().configuration.edits);
  // Other heads share nothing until that is chosen again.
  EXPECT_EQ(applied(shared, SetSizes{8, 2}).configuration.parameters.num_kv_heads, 0U);
}

TEST(Apply, KeysOfAnotherWidthTakeTheEditsOfTheirWeightsAlong) {
  Document start = document_of(fresh(ExampleId::your_sentence, 0));
  const Edit query{cell(AttentionId::attention, "q_proj_weight", {0, 0}), 1.0F};
  start.configuration.edits = {query,
                               {cell(AttentionId::attention, "k_proj_weight", {7, 0}), 1.0F},
                               {cell(AttentionId::attention, "v_proj_weight", {0, 1}), 1.0F}};
  EXPECT_EQ(applied(start, SetKdim{0}), start) << "as it was";
  const Document crossed = applied(start, SetKdim{12});
  EXPECT_EQ(crossed.configuration.parameters.kdim, 12U);
  EXPECT_EQ(crossed.configuration.edits, std::vector{query});
}

TEST(Apply, LengthsTakeTheEditsOfTokensAlong) {
  Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  const Edit weight{cell(AttentionId::cross_attention, "q_proj_weight", {0, 0}), 2.0F};
  start.configuration.edits = {
      {cell(AttentionId::encoder_self_attention, "token_embedding", {0, 2, 0}), 1.0F},
      {cell(AttentionId::cross_attention, "mask", {0, 0, 1, 2}), -1.0F},
      weight};
  EXPECT_EQ(applied(start, SetLengths{0, 0}), start);
  EXPECT_EQ(applied(start, SetLengths{3, 2}).configuration.edits, start.configuration.edits)
      << "as the example has them";
  const Document shorter = applied(start, SetLengths{2, 0});
  EXPECT_EQ(shorter.configuration.parameters.source_len, 2U);
  EXPECT_EQ(shorter.configuration.edits, std::vector{weight});
  EXPECT_EQ(with_variant(shorter.configuration, 0).parameters.source_len, 0U);
  EXPECT_EQ(command_error(document_of(fresh(ExampleId::your_sentence, 0)), SetLengths{2, 0}),
            "The lengths cannot be changed here. The number of tokens is that of your sentence.");
}

TEST(Apply, APictureIsForTheExampleThatTakesOne) {
  EXPECT_EQ(command_error(document_of(fresh(ExampleId::you_are_welcome, 0)), SetPicture{{1, 2, 3}}),
            "you-are-welcome has no picture; image-patches takes one of yours.");
}

TEST(Apply, AScaleIsSet) {
  const Document start = busy();
  Document expected = start;
  expected.configuration.scale = Scale{Scale::Kind::number, 3.0F};
  EXPECT_EQ(applied(start, SetScale{{Scale::Kind::number, 3.0F}}), expected);
}

TEST(Apply, AMaskReplacesWhatWasPaintedOnThatAttention) {
  Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  start.configuration.edits = {
      {cell(AttentionId::encoder_self_attention, "mask", {0, 0, 1, 1}), hidden},
      {cell(AttentionId::cross_attention, "mask", {0, 0, 1, 1}), hidden},
      {cell(AttentionId::cross_attention, "q_proj_weight", {0, 1}), 2.0F}};
  Document expected = start;
  expected.configuration.masks[AttentionId::cross_attention] = MaskKind::none;
  expected.configuration.edits.erase(expected.configuration.edits.begin() + 1);
  EXPECT_EQ(applied(start, SetMask{AttentionId::cross_attention, MaskKind::none}), expected);
}

TEST(Apply, PositionEncodingRenamesTheEditsOfTheInput) {
  const Document start = busy();
  const Document off = applied(start, SetPositionEncoding{false});
  EXPECT_EQ(off.configuration.position_encoding, false);
  ASSERT_EQ(off.configuration.edits.size(), 3U);
  EXPECT_EQ(off.configuration.edits[1].cell.tensor, TensorId("query_input"));
  EXPECT_EQ(off.configuration.edits[1].value, 3.0F);
  EXPECT_TRUE(compute(off.configuration));
  const Document on = applied(off, SetPositionEncoding{true});
  EXPECT_EQ(on.configuration.edits, start.configuration.edits);
  EXPECT_TRUE(compute(on.configuration));
}

TEST(Apply, AnEditGoesToTheEndAndReplacesTheOldOneOfItsCell) {
  Document start = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  const CellAddress a = cell(AttentionId::attention, "query_input", {0, 0, 0});
  const CellAddress b = cell(AttentionId::attention, "query_input", {0, 0, 1});
  start = applied(start, EditCell{a, 1.0F});
  start = applied(start, EditCell{b, 2.0F});
  EXPECT_EQ(start.configuration.edits, (std::vector<Edit>{{a, 1.0F}, {b, 2.0F}}));
  // Under another name of the same cell.
  CellAddress alias = a;
  alias.tensor = "key_input";
  const Document next = applied(start, EditCell{alias, 3.0F});
  EXPECT_EQ(next.configuration.edits, (std::vector<Edit>{{b, 2.0F}, {alias, 3.0F}}));
}

TEST(Apply, ResetKeepsExampleVariantAndSentence) {
  Document start = busy();
  start.configuration.parameters.sentence = "one two three four five six";
  start.configuration.parameters.embed_dim = 16;
  start.view_state.step = lesson::StepId::mask;
  const Document next = applied(start, Reset{});
  document::Configuration expected = fresh(ExampleId::your_sentence, 0);
  expected.parameters.sentence = "one two three four five six";
  EXPECT_EQ(next.configuration, expected);
  const Document pool = document_of(fresh(ExampleId::pool_beats_badminton, 2));
  EXPECT_EQ(applied(pool, Reset{}).configuration, pool.configuration);
}

TEST(Apply, ResetOfTheTranslatorShowsTheMeanOfAllHeadsAgain) {
  const Document pool = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  const Computed numbers = computed(pool.configuration);  // the translator's need its weights
  Document start = *apply(pool, numbers, ChooseExample{ExampleId::translator, 0});
  ASSERT_TRUE(start.view_state.mean_heads);
  start.view_state.mean_heads = false;
  start.view_state.query = 2;
  const Document next = *apply(start, numbers, Reset{});
  EXPECT_TRUE(next.view_state.mean_heads);
  EXPECT_EQ(next.view_state.attention, start.view_state.attention);
  EXPECT_FALSE(applied(pool, Reset{}).view_state.mean_heads);
}

TEST(Apply, ResetShowsTheStepAsItBegins) {
  Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  start.view_state.step = lesson::StepId::softmax;
  start.view_state.attention = AttentionId::cross_attention;
  start.view_state.theme = Theme::dark;
  start.view_state.sample = 1;
  start.view_state.query = 2;
  start.view_state.key = 1;
  const Document as_it_begins = applied(start, Reset{});
  EXPECT_EQ(as_it_begins.view_state.step, lesson::StepId::softmax);
  EXPECT_EQ(as_it_begins.view_state.attention, AttentionId::cross_attention);
  EXPECT_EQ(as_it_begins.view_state.theme, Theme::dark);
  EXPECT_EQ(as_it_begins.view_state.sample, 1U);
  EXPECT_EQ(as_it_begins.view_state.query, 2U);
  EXPECT_EQ(as_it_begins.view_state.key, 1U);

  ViewState& changed = start.view_state;
  changed.head = 1;
  changed.all_heads = false;
  changed.all_samples = false;
  changed.shared_scale = true;
  changed.weights_to_one = true;
  changed.map = MapOpen::split;
  changed.projection = Projection::v;
  changed.progress = 0.5F;
  changed.cell = CellRef{"attention_weights", {0, 1, 2, 1}};
  changed.framing = Framing{0.2F, 0.3F, 4.0F};
  changed.show = Show::figure;
  changed.compare = true;
  EXPECT_EQ(applied(start, Reset{}), as_it_begins);
}

// --- What is refused -----------------------------------------------------------------------------

TEST(Apply, ChoicesThatAnExampleDoesNotOfferAreRefused) {
  const Document welcome = document_of(fresh(ExampleId::you_are_welcome, 0));
  const Document pool = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  EXPECT_EQ(command_error(welcome, SetSentence{"hello"}),
            "you-are-welcome has a sentence of its own; your-sentence takes yours.");
  EXPECT_EQ(command_error(busy(), SetSentence{""}),
            "The sentence is empty: type at least one word.");
  EXPECT_EQ(command_error(pool, SetMask{AttentionId::cross_attention, MaskKind::none}),
            "There is no cross_attention here; there is attention.");
  EXPECT_EQ(command_error(pool, EditCell{cell(AttentionId::decoder_self_attention, "mask", {}), 1}),
            "There is no decoder_self_attention here; there is attention.");
}

TEST(AtStep, AnotherStepIsShownWholeAndFinished) {
  ViewState view_state;
  view_state.progress = 0.25F;
  view_state.framing = Framing{0.1F, 0.1F, 9.0F};
  EXPECT_EQ(at_step(view_state, view_state.step), view_state);
  const ViewState next = at_step(view_state, lesson::StepId::scores);
  EXPECT_EQ(next.step, lesson::StepId::scores);
  EXPECT_EQ(next.progress, 1.0F);
  EXPECT_EQ(next.framing, std::nullopt);
}

TEST(AtStep, ACellThatTheNextStepMerelyReadsIsLetGo) {
  using lesson::StepId;
  ViewState view_state;
  view_state.step = StepId::scores;
  view_state.query = 2;
  view_state.cell = CellRef{"scores", {0, 0, 2, 1}};
  const ViewState scaled = at_step(view_state, StepId::scale);
  EXPECT_EQ(scaled.cell, std::nullopt) << "the step is about scaled_scores";
  EXPECT_EQ(scaled.query, 2U);
  // The map is about every tensor, so who comes back from it finds the cell again.
  const ViewState map = at_step(view_state, StepId::overview);
  EXPECT_EQ(map.cell, view_state.cell);
  EXPECT_EQ(at_step(map, StepId::scores).cell, view_state.cell);
  EXPECT_EQ(at_step(map, StepId::reweight).cell, std::nullopt);
  view_state.cell->tensor = view_state.cell->tensor.gradient();
  EXPECT_EQ(at_step(view_state, StepId::scale).cell, std::nullopt);
}

}  // namespace
}  // namespace document
