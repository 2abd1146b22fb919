#include "document/edits/address.hpp"

#include <gtest/gtest.h>

#include "document/setups.hpp"

namespace document {
namespace {

using lesson::Arrangement;
using lesson::AttentionId;
using model::TensorId;

TEST(Address, IsDescribedAsTheApiNamesIt) {
  EXPECT_EQ(describe(cell(AttentionId::cross_attention, "q_proj_weight", {0, 12})),
            "cross_attention.q_proj_weight[0,12]");
  EXPECT_EQ(describe(cell(AttentionId::attention, "mask", {})), "attention.mask[]");
}

TEST(Address, KeysAndValuesOfSelfAttentionAreItsQueries) {
  for (const TensorId tensor :
       {TensorId("query_input"), TensorId("key_input"), TensorId("value_input")}) {
    EXPECT_EQ(without_aliases(Arrangement::self, cell(AttentionId::attention, tensor, {0, 1, 2})),
              cell(AttentionId::attention, "query_input", {0, 1, 2}));
    for (const AttentionId id :
         {AttentionId::encoder_self_attention, AttentionId::decoder_self_attention}) {
      EXPECT_EQ(without_aliases(Arrangement::encoder_decoder, cell(id, tensor, {0, 1, 2})),
                cell(id, "query_input", {0, 1, 2}));
    }
  }
}

TEST(Address, ValuesOfCrossAttentionAreItsKeysAndNotItsQueries) {
  const CellAddress keys = cell(AttentionId::attention, "key_input", {0, 1, 2});
  EXPECT_EQ(
      without_aliases(Arrangement::cross, cell(AttentionId::attention, "value_input", {0, 1, 2})),
      keys);
  EXPECT_EQ(without_aliases(Arrangement::cross, keys), keys);
  const CellAddress queries = cell(AttentionId::attention, "query_input", {0, 1, 2});
  EXPECT_EQ(without_aliases(Arrangement::cross, queries), queries);
  EXPECT_EQ(without_aliases(Arrangement::encoder_decoder,
                            cell(AttentionId::cross_attention, "value_input", {0, 0, 0})),
            cell(AttentionId::cross_attention, "key_input", {0, 0, 0}));
}

TEST(Address, AMaskCellHoldsForAllHeads) {
  EXPECT_EQ(without_aliases(Arrangement::self, cell(AttentionId::attention, "mask", {1, 5, 2, 3})),
            cell(AttentionId::attention, "mask", {1, 0, 2, 3}));
}

TEST(Address, EverythingElseHasOneName) {
  for (const TensorId tensor : std::initializer_list<TensorId>{
           "token_embedding", "q_proj_weight", "out_proj_bias", "scores", "output"}) {
    const CellAddress own = cell(AttentionId::attention, tensor, {1, 1, 1, 1});
    EXPECT_EQ(without_aliases(Arrangement::self, own), own);
  }
}

TEST(Address, TheArrangementIsSeenInWhatWasComputed) {
  for (const document::Configuration& configuration : all_setups()) {
    EXPECT_EQ(arrangement_of(computed(configuration)), problem_of(configuration).arrangement)
        << name_of(configuration);
  }
}

TEST(ComesBefore, PutsEqualCellsSideBySide) {
  const CellAddress a = cell(AttentionId::attention, "mask", {0, 0, 1, 2});
  EXPECT_FALSE(comes_before(a, a));
  for (const CellAddress& later : {cell(AttentionId::attention, "mask", {0, 0, 2, 0}),
                                   cell(AttentionId::attention, "output", {0, 0, 0}),
                                   cell(AttentionId::cross_attention, "query_input", {0, 0, 0})}) {
    EXPECT_TRUE(comes_before(a, later));
    EXPECT_FALSE(comes_before(later, a));
  }
}

}  // namespace
}  // namespace document
