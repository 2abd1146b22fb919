#include "document/commands.hpp"

#include <gtest/gtest.h>

#include <limits>

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
  const auto result = apply(document, computed(document.setup), command);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : Document{};
}

std::string command_error(const Document& document, const Command& command) {
  const auto result = apply(document, computed(document.setup), command);
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

/// your-sentence with an edit of a weight, of the input and of the mask, and choices that differ.
Document busy() {
  Document document = document_of(fresh(ExampleId::your_sentence, 0));
  document.setup.parameters.seed = 7;
  document.setup.scale = Scale{Scale::Kind::none, 1.0F};
  document.setup.masks[AttentionId::attention] = MaskKind::look_ahead;
  document.setup.edits = {
      {cell(AttentionId::attention, "q_proj_weight", {0, 1}), 2.0F},
      {cell(AttentionId::attention, "token_embedding", {0, 5, 1}), 3.0F},
      {cell(AttentionId::attention, "mask", {0, 0, 5, 5}), hidden},
  };
  return document;
}

// --- Choosing what is looked at changes the look and nothing else --------------------------------

TEST(Apply, LooksChangeOneField) {
  const Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  Document expected = start;
  expected.look.step = lesson::StepId::softmax;
  EXPECT_EQ(applied(start, ChooseStep{lesson::StepId::softmax}), expected);
  expected = start;
  expected.look.attention = AttentionId::cross_attention;
  EXPECT_EQ(applied(start, ChooseAttention{AttentionId::cross_attention}), expected);
  expected = start;
  expected.look.head = 1;
  EXPECT_EQ(applied(start, ChooseHead{1}), expected);
  expected = start;
  expected.look.all_heads = !start.look.all_heads;
  EXPECT_EQ(applied(start, ShowAllHeads{!start.look.all_heads}), expected);
  expected = start;
  expected.look.query = 2;
  EXPECT_EQ(applied(start, ChooseQuery{2}), expected);
  expected = start;
  expected.look.sample = 1;
  EXPECT_EQ(applied(start, ChooseSample{1}), expected);
  expected = start;
  expected.look.key = 2;
  EXPECT_EQ(applied(start, ChooseKey{2}), expected);
  expected = start;
  expected.look.all_samples = false;
  EXPECT_EQ(applied(start, ShowAllSamples{false}), expected);
  expected = start;
  expected.look.shared_scale = true;
  EXPECT_EQ(applied(start, ShareScale{true}), expected);
  expected = start;
  expected.look.projection = Projection::k;
  EXPECT_EQ(applied(start, ChooseProjection{Projection::k}), expected);
  expected = start;
  expected.look.scrub = 0.5F;
  EXPECT_EQ(applied(start, Scrub{0.5F}), expected);
  expected = start;
  expected.look.cell = CellRef{"q", {0, 0, 1}};
  EXPECT_EQ(applied(start, ChooseCell{expected.look.cell}), expected);
  expected = start;
  expected.look.framing = Framing{0.5F, 0.25F, 2.0F};
  EXPECT_EQ(applied(start, Frame{expected.look.framing}), expected);
  expected = start;
  expected.look.show = Show::figure;
  EXPECT_EQ(applied(start, ChooseShow{Show::figure}), expected);
  expected = start;
  expected.look.compare = true;
  EXPECT_EQ(applied(start, Compare{true}), expected);
  expected = start;
  expected.look.guessing = true;
  EXPECT_EQ(applied(start, Guess{true}), expected);
  expected = start;
  expected.look.theme = Theme::dark;
  EXPECT_EQ(applied(start, ChooseTheme{Theme::dark}), expected);
}

// --- Choosing what is computed -------------------------------------------------------------------

TEST(Apply, AnotherExampleStartsFreshAtItsFirstQuery) {
  Document start = busy();
  start.look.step = lesson::StepId::mask;
  start.look.head = 1;
  start.look.theme = Theme::light;
  const Document next = applied(start, ChooseExample{ExampleId::anthony_hopkins, 1});
  EXPECT_EQ(next.setup, fresh(ExampleId::anthony_hopkins, 1));
  EXPECT_EQ(next.look.query, 3U);
  EXPECT_EQ(next.look.head, 0U);
  EXPECT_EQ(next.look.attention, AttentionId::attention);
  EXPECT_EQ(next.look.step, lesson::StepId::mask);
  EXPECT_EQ(next.look.theme, Theme::light);
}

TEST(Apply, AnotherVariantKeepsSeedSentenceAndSizesOnly) {
  Document start = document_of(fresh(ExampleId::pool_beats_badminton, 2));
  start.setup.parameters.seed = 5;
  start.setup.parameters.num_heads = 2;
  start.setup.scale = Scale{Scale::Kind::none, 1.0F};
  start.setup.edits = {{cell(AttentionId::attention, "q_proj_weight", {0, 0}), 1.0F}};
  const Document next = applied(start, ChooseVariant{1});
  document::Setup expected = fresh(ExampleId::pool_beats_badminton, 1);
  expected.parameters.seed = 5;
  expected.parameters.num_heads = 2;
  EXPECT_EQ(next.setup, expected);
}

TEST(Apply, ASeedChangesTheSeedOnly) {
  const Document start = busy();
  Document expected = start;
  expected.setup.parameters.seed = 123;
  EXPECT_EQ(applied(start, SetSeed{123}), expected);
}

TEST(Apply, ASentenceTakesTheEditsOfItsOwnCellsAlong) {
  const Document start = busy();
  const Document next = applied(start, SetSentence{"two words"});
  Document expected = start;
  expected.setup.parameters.sentence = "two words";
  expected.setup.edits.resize(1);  // the weight's
  EXPECT_EQ(next, expected);
  // The sentence that is there already takes nothing along.
  EXPECT_EQ(applied(next, SetSentence{"two words"}), next);
}

TEST(Apply, SizesTakeWhatDoesNotFitAlong) {
  const Document start = busy();
  Document expected = start;
  expected.setup.parameters.num_heads = 4;
  EXPECT_EQ(applied(start, SetSizes{0, 4}), expected);
  expected.setup.parameters.embed_dim = 8;  // what it is anyway
  EXPECT_EQ(applied(start, SetSizes{8, 4}), expected);

  expected.setup.parameters.embed_dim = 16;
  expected.setup.edits = {start.setup.edits.back()};  // the mask's
  EXPECT_EQ(applied(start, SetSizes{16, 4}), expected);
}

TEST(Apply, SharedKeysTakeTheEditsOfTheirWeightsAlong) {
  Document start = busy();
  start.setup.parameters.num_heads = 4;
  const Edit mask = start.setup.edits.back();
  start.setup.edits.back() = {cell(AttentionId::attention, "k_proj_weight", {7, 0}), 1.0F};
  start.setup.edits.push_back({cell(AttentionId::attention, "v_proj_weight", {0, 1}), 1.0F});
  start.setup.edits.push_back(mask);
  EXPECT_EQ(applied(start, SetSizes{8, 4, 4}).setup.edits, start.setup.edits) << "as it was";
  Document shared = applied(start, SetSizes{8, 4, 2});
  EXPECT_EQ(shared.setup.parameters.num_kv_heads, 2U);
  EXPECT_EQ(shared.setup.edits, busy().setup.edits);
  // As many heads of keys, but half as wide.
  shared.setup.edits.push_back({cell(AttentionId::attention, "k_proj_weight", {3, 0}), 1.0F});
  EXPECT_EQ(applied(shared, SetSizes{8, 4, 2}).setup.edits, shared.setup.edits);
  EXPECT_EQ(applied(shared, SetSizes{8, 8, 2}).setup.edits, busy().setup.edits);
  // Other heads share nothing until that is chosen again.
  EXPECT_EQ(applied(shared, SetSizes{8, 2}).setup.parameters.num_kv_heads, 0U);
}

TEST(Apply, LengthsTakeTheEditsOfTokensAlong) {
  Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  const Edit weight{cell(AttentionId::cross_attention, "q_proj_weight", {0, 0}), 2.0F};
  start.setup.edits = {
      {cell(AttentionId::encoder_self_attention, "token_embedding", {0, 2, 0}), 1.0F},
      {cell(AttentionId::cross_attention, "mask", {0, 0, 1, 2}), -1.0F},
      weight};
  EXPECT_EQ(applied(start, SetLengths{0, 0}), start);
  EXPECT_EQ(applied(start, SetLengths{3, 2}).setup.edits, start.setup.edits)
      << "as the example has them";
  const Document shorter = applied(start, SetLengths{2, 0});
  EXPECT_EQ(shorter.setup.parameters.source_len, 2U);
  EXPECT_EQ(shorter.setup.edits, std::vector{weight});
  EXPECT_EQ(with_variant(shorter.setup, 0).parameters.source_len, 0U);
  EXPECT_EQ(command_error(document_of(fresh(ExampleId::your_sentence, 0)), SetLengths{2, 0}),
            "The lengths cannot be changed here. There are as many tokens as you type.");
}

TEST(Apply, APictureIsForTheExampleThatTakesOne) {
  EXPECT_EQ(command_error(document_of(fresh(ExampleId::you_are_welcome, 0)), SetPicture{{1, 2, 3}}),
            "you-are-welcome has no picture; image-patches takes one of yours.");
}

TEST(Apply, AScaleIsSet) {
  const Document start = busy();
  Document expected = start;
  expected.setup.scale = Scale{Scale::Kind::number, 3.0F};
  EXPECT_EQ(applied(start, SetScale{{Scale::Kind::number, 3.0F}}), expected);
}

TEST(Apply, AMaskReplacesWhatWasPaintedOnThatAttention) {
  Document start = document_of(fresh(ExampleId::you_are_welcome, 0));
  start.setup.edits = {{cell(AttentionId::encoder_self_attention, "mask", {0, 0, 1, 1}), hidden},
                       {cell(AttentionId::cross_attention, "mask", {0, 0, 1, 1}), hidden},
                       {cell(AttentionId::cross_attention, "q_proj_weight", {0, 1}), 2.0F}};
  Document expected = start;
  expected.setup.masks[AttentionId::cross_attention] = MaskKind::none;
  expected.setup.edits.erase(expected.setup.edits.begin() + 1);
  EXPECT_EQ(applied(start, SetMask{AttentionId::cross_attention, MaskKind::none}), expected);
}

TEST(Apply, PositionEncodingRenamesTheEditsOfTheInput) {
  const Document start = busy();
  const Document off = applied(start, SetPositionEncoding{false});
  EXPECT_EQ(off.setup.position_encoding, false);
  ASSERT_EQ(off.setup.edits.size(), 3U);
  EXPECT_EQ(off.setup.edits[1].cell.tensor, TensorId("query_input"));
  EXPECT_EQ(off.setup.edits[1].value, 3.0F);
  EXPECT_TRUE(compute(off.setup));
  const Document on = applied(off, SetPositionEncoding{true});
  EXPECT_EQ(on.setup.edits, start.setup.edits);
  EXPECT_TRUE(compute(on.setup));
}

TEST(Apply, AnEditGoesToTheEndAndReplacesTheOldOneOfItsCell) {
  Document start = document_of(fresh(ExampleId::pool_beats_badminton, 0));
  const CellAddress a = cell(AttentionId::attention, "query_input", {0, 0, 0});
  const CellAddress b = cell(AttentionId::attention, "query_input", {0, 0, 1});
  start = applied(start, EditCell{a, 1.0F});
  start = applied(start, EditCell{b, 2.0F});
  EXPECT_EQ(start.setup.edits, (std::vector<Edit>{{a, 1.0F}, {b, 2.0F}}));
  // Under another name of the same cell.
  CellAddress alias = a;
  alias.tensor = "key_input";
  const Document next = applied(start, EditCell{alias, 3.0F});
  EXPECT_EQ(next.setup.edits, (std::vector<Edit>{{b, 2.0F}, {alias, 3.0F}}));
}

TEST(Apply, ResetKeepsExampleVariantAndSentence) {
  Document start = busy();
  start.setup.parameters.sentence = "one two three four five six";
  start.setup.parameters.embed_dim = 16;
  start.look.step = lesson::StepId::mask;
  const Document next = applied(start, Reset{});
  document::Setup expected = fresh(ExampleId::your_sentence, 0);
  expected.parameters.sentence = "one two three four five six";
  EXPECT_EQ(next.setup, expected);
  EXPECT_EQ(next.look, start.look);
  const Document pool = document_of(fresh(ExampleId::pool_beats_badminton, 2));
  EXPECT_EQ(applied(pool, Reset{}), pool);
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

// --- Settling ------------------------------------------------------------------------------------

class Settling : public testing::Test {
 protected:
  Computed welcome_ = computed(fresh(ExampleId::you_are_welcome, 0));
  Computed pool_ = computed(fresh(ExampleId::pool_beats_badminton, 0));

  static Look look(AttentionId attention, std::size_t head, std::size_t query, std::size_t sample) {
    Look result;
    result.attention = attention;
    result.head = head;
    result.query = query;
    result.sample = sample;
    return result;
  }
};

TEST_F(Settling, WhatIsThereStays) {
  const Look wanted = look(AttentionId::cross_attention, 1, 1, 1);
  const auto settled = settle(wanted, {}, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(*settled, wanted);
}

TEST_F(Settling, WhatIsNotThereAnyMoreMovesToTheNearest) {
  const Look left = look(AttentionId::cross_attention, 1, 7, 1);
  const auto settled = settle(left, left, pool_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(*settled, look(AttentionId::attention, 0, 2, 0));
  // The decoder has two queries where the encoder has three.
  Look wanted = look(AttentionId::encoder_self_attention, 0, 2, 0);
  const Look before = wanted;
  wanted.attention = AttentionId::decoder_self_attention;
  const auto decoder = settle(wanted, before, welcome_);
  ASSERT_TRUE(decoder);
  EXPECT_EQ(decoder->query, 1U);
}

TEST_F(Settling, ACellIsChosenOnlyWhereItIs) {
  Look wanted;
  wanted.cell = CellRef{"q_heads", {0, 1, 2, 2}};
  const auto there = settle(wanted, {}, welcome_);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->cell, wanted.cell);
  // The pool example has no second head: what was chosen before is let go.
  Look left = wanted;
  left.attention = AttentionId::attention;
  const auto gone = settle(left, left, pool_);
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->cell, std::nullopt);
  wanted.cell = CellRef{"q_heads", {0, 2, 0, 0}};
  const auto outside = settle(wanted, {}, welcome_);
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().message,
            "There is no such cell of q_heads; its shape is [2,2,3,3], counted from 0.");
  wanted.cell = CellRef{"q_proj_weight", {0, 0}};
  wanted.attention = AttentionId::attention;
  const auto absent = settle(wanted, {}, pool_);
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().message,
            "This attention has no q_proj_weight, so no cell of it can be chosen.");
}

TEST_F(Settling, ScrubAndFramingHaveBounds) {
  for (const float scrub : {-0.01F, 1.01F, std::numeric_limits<float>::quiet_NaN()}) {
    Look wanted;
    wanted.scrub = scrub;
    EXPECT_FALSE(settle(wanted, {}, welcome_)) << scrub;
  }
  for (const Framing framing : {Framing{0.5F, 0.5F, 0.0F}, Framing{0.5F, 0.5F, 401.0F},
                                Framing{3.0F, 0.5F, 1.0F}, Framing{0.5F, -2.0F, 1.0F}}) {
    Look wanted;
    wanted.framing = framing;
    EXPECT_FALSE(settle(wanted, {}, welcome_)) << framing.zoom;
  }
}

TEST(AtStep, AnotherStepIsShownWholeAndFinished) {
  Look look;
  look.scrub = 0.25F;
  look.framing = Framing{0.1F, 0.1F, 9.0F};
  EXPECT_EQ(at_step(look, look.step), look);
  const Look next = at_step(look, lesson::StepId::scores);
  EXPECT_EQ(next.step, lesson::StepId::scores);
  EXPECT_EQ(next.scrub, 1.0F);
  EXPECT_EQ(next.framing, std::nullopt);
}

TEST_F(Settling, WhatIsAskedForAndNotThereIsRefused) {
  const Look before = look(AttentionId::attention, 0, 0, 0);
  const auto error = [&](const Look& wanted, const Computed& in) {
    const auto settled = settle(wanted, before, in);
    EXPECT_FALSE(settled);
    return settled ? "" : settled.error().message;
  };
  EXPECT_EQ(error(look(AttentionId::cross_attention, 0, 0, 0), pool_),
            "There is no cross_attention here; there is attention.");
  EXPECT_EQ(error(look(AttentionId::decoder_self_attention, 2, 0, 0), welcome_),
            "head 2 is not there; heads are counted from 0 to 1.");
  EXPECT_EQ(error(look(AttentionId::attention, 0, 3, 0), pool_),
            "query 3 is not there; queries are counted from 0 to 2.");
  EXPECT_EQ(
      error(look(AttentionId::attention, 0, 0, std::numeric_limits<std::size_t>::max()), pool_),
      "sample " + std::to_string(std::numeric_limits<std::size_t>::max()) +
          " is not there; samples are counted from 0 to 0.");
}

}  // namespace
}  // namespace document
