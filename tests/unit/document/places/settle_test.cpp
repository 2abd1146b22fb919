#include "document/places/settle.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "document/commands.hpp"
#include "document/setups.hpp"

namespace document {
namespace {

using lesson::AttentionId;
using lesson::ExampleId;
using model::TensorId;

class Settling : public testing::Test {
 protected:
  Computed welcome_ = computed(fresh(ExampleId::you_are_welcome, 0));
  Computed pool_ = computed(fresh(ExampleId::pool_beats_badminton, 0));

  static ViewState view_state(AttentionId attention, std::size_t head, std::size_t query,
                              std::size_t sample) {
    ViewState result;
    result.attention = attention;
    result.head = head;
    result.query = query;
    result.sample = sample;
    return result;
  }
};

TEST_F(Settling, WhatIsThereStays) {
  const ViewState wanted = view_state(AttentionId::cross_attention, 1, 1, 1);
  const auto settled = settle(wanted, {}, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(*settled, wanted);
}

TEST_F(Settling, WhatIsNotThereAnyMoreMovesToTheNearest) {
  const ViewState left = view_state(AttentionId::cross_attention, 1, 7, 1);
  const auto settled = settle(left, left, pool_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(*settled, view_state(AttentionId::attention, 0, 2, 0));
  // The decoder has two queries where the encoder has three.
  ViewState wanted = view_state(AttentionId::encoder_self_attention, 0, 2, 0);
  const ViewState before = wanted;
  wanted.attention = AttentionId::decoder_self_attention;
  const auto decoder = settle(wanted, before, welcome_);
  ASSERT_TRUE(decoder);
  EXPECT_EQ(decoder->query, 1U);
}

TEST_F(Settling, ACellIsChosenOnlyWhereItIs) {
  ViewState wanted;
  wanted.cell = CellRef{"q_heads", {0, 1, 2, 2}};
  const auto there = settle(wanted, {}, welcome_);
  ASSERT_TRUE(there);
  EXPECT_EQ(there->cell, wanted.cell);
  // The pool example has no second head: what was chosen before is let go.
  ViewState left = wanted;
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

// Chosen cell and chosen places say the same.
TEST_F(Settling, ACellSetsSampleHeadQueryAndKey) {
  ViewState wanted;
  wanted.cell = CellRef{"scores", {1, 1, 2, 1}};
  auto settled = settle(wanted, {}, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->sample, 1U);
  EXPECT_EQ(settled->head, 1U);
  EXPECT_EQ(settled->query, 2U);
  EXPECT_EQ(settled->key, 1U);
  // Heads lie side by side in its rows.
  wanted.cell = CellRef{"q", {0, 1, 4}};
  settled = settle(wanted, {}, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->head, 1U);
  EXPECT_EQ(settled->query, 1U);
}

TEST_F(Settling, AChosenCellGoesAlongWithAnotherQueryOrHead) {
  ViewState before;
  before.cell = CellRef{"scores", {0, 0, 1, 2}};
  before = *settle(before, {}, welcome_);
  ViewState wanted = before;
  wanted.query = 2;
  wanted.head = 1;
  auto settled = settle(wanted, before, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->cell, (CellRef{"scores", {0, 1, 2, 2}}));
  before.cell = CellRef{"q", {0, 1, 2}};
  before = *settle(before, {}, welcome_);
  wanted = before;
  wanted.head = 1;
  settled = settle(wanted, before, welcome_);
  ASSERT_TRUE(settled);
  EXPECT_EQ(settled->cell, (CellRef{"q", {0, 1, 5}}));
}

TEST_F(Settling, ProgressAndFramingHaveBounds) {
  for (const float progress : {-0.01F, 1.01F, std::numeric_limits<float>::quiet_NaN()}) {
    ViewState wanted;
    wanted.progress = progress;
    EXPECT_FALSE(settle(wanted, {}, welcome_)) << progress;
  }
  for (const Framing framing : {Framing{0.5F, 0.5F, 0.0F}, Framing{0.5F, 0.5F, 401.0F},
                                Framing{3.0F, 0.5F, 1.0F}, Framing{0.5F, -2.0F, 1.0F}}) {
    ViewState wanted;
    wanted.framing = framing;
    EXPECT_FALSE(settle(wanted, {}, welcome_)) << framing.zoom;
  }
}

TEST_F(Settling, WhatIsAskedForAndNotThereIsRefused) {
  const ViewState before = view_state(AttentionId::attention, 0, 0, 0);
  const auto error = [&](const ViewState& wanted, const Computed& in) {
    const auto settled = settle(wanted, before, in);
    EXPECT_FALSE(settled);
    return settled ? "" : settled.error().message;
  };
  EXPECT_EQ(error(view_state(AttentionId::cross_attention, 0, 0, 0), pool_),
            "There is no cross_attention here; there is attention.");
  EXPECT_EQ(error(view_state(AttentionId::decoder_self_attention, 2, 0, 0), welcome_),
            "head 2 is not there; heads are counted from 0 to 1.");
  EXPECT_EQ(error(view_state(AttentionId::attention, 0, 3, 0), pool_),
            "query 3 is not there; queries are counted from 0 to 2.");
  EXPECT_EQ(error(view_state(AttentionId::attention, 0, 0, std::numeric_limits<std::size_t>::max()),
                  pool_),
            "sample " + std::to_string(std::numeric_limits<std::size_t>::max()) +
                " is not there; samples are counted from 0 to 0.");
}

}  // namespace
}  // namespace document
