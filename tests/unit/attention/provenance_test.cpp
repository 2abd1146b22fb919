#include "attention/provenance.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "attention/elementwise.hpp"
#include "attention/embedding.hpp"
#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/problems.hpp"
#include "attention/reference.hpp"

namespace attention {
namespace {

using test::compute;
using test::Numbers;
using test::random_weights;

/// The arithmetic that the rule stands for, from the terms alone.
double carried_out(const Provenance& made) {
  double sum = made.has_bias ? static_cast<double>(made.bias.value) : 0.0;
  for (const Term& term : made.terms) sum += term.value;
  switch (made.rule) {
    case Rule::softmax:
      return made.terms[made.selected].value / sum;
    case Rule::divided:
      return sum / made.divisor;
    case Rule::given:
    case Rule::given_by_hand:
    case Rule::position:
      EXPECT_TRUE(made.terms.empty());
      return made.result;
    default:
      return sum;
  }
}

/// Every cell named in the provenance is the number that lies there, and the arithmetic gives the
/// cell.
void expect_true(const Trace& trace, const Provenance& made, const std::string& what) {
  double magnitude = 0.0;
  for (const Term& term : made.terms) {
    EXPECT_EQ(term.a.value, trace[term.a.tensor].at(term.a.index)) << what;
    if (term.has_b) {
      EXPECT_EQ(term.b.value, trace[term.b.tensor].at(term.b.index)) << what;
    }
    magnitude += std::fabs(term.value);
    if (made.rule == Rule::dot_product || made.rule == Rule::product) {
      EXPECT_EQ(term.value, static_cast<double>(term.a.value) * static_cast<double>(term.b.value))
          << what;
    } else if (made.rule == Rule::softmax) {
      EXPECT_EQ(term.value, std::exp(static_cast<double>(term.a.value) - made.maximum)) << what;
    } else if (made.rule == Rule::fully_masked || made.rule == Rule::ablated ||
               made.rule == Rule::overwritten) {
      EXPECT_EQ(term.value, 0.0) << what;
    } else {
      EXPECT_EQ(term.value, static_cast<double>(term.a.value)) << what;
    }
  }
  if (made.has_bias) {
    EXPECT_EQ(made.bias.value, trace[made.bias.tensor].at(made.bias.index)) << what;
  }
  const double result = carried_out(made);
  if (std::isinf(made.result)) {
    EXPECT_EQ(result, made.result) << what;
    EXPECT_EQ(static_cast<double>(made.cell.value), made.result) << what;
    return;
  }
  EXPECT_NEAR(result, made.result, 1e-12 * (1.0 + magnitude)) << what;
  EXPECT_NEAR(static_cast<double>(made.cell.value), made.result, 1e-5 * (1.0 + magnitude)) << what;
}

/// Each tensor of the trace at random indices, and weighted_values.
void expect_all_true(const Trace& trace, Numbers& numbers, const std::string& what) {
  for (const TensorId id : trace.present()) {
    for (int i = 0; i < 25; ++i) {
      const Index index = numbers.index(trace[id].shape());
      const Provenance made = provenance(trace, id, index);
      EXPECT_EQ(made.cell.tensor, id);
      EXPECT_EQ(made.cell.index, index);
      EXPECT_EQ(made.cell.value, trace[id].at(index));
      expect_true(trace, made, what + ": " + std::string(name_of(id)) + describe(index));
      if (!is_given(id)) {
        EXPECT_NE(made.rule, Rule::given) << name_of(id);
      }
      const bool is_view = trace.view_of(id).has_value();
      EXPECT_EQ(made.rule == Rule::same_number, is_view) << name_of(id);
    }
  }
  const Config& config = trace.config;
  for (int i = 0; i < 25; ++i) {
    const Index index = numbers.index(
        {config.batch, config.num_heads, config.query_len, config.key_len, config.head_dim()});
    const Provenance made = provenance(trace, TensorId::weighted_values, index);
    EXPECT_EQ(made.rule, Rule::product);
    EXPECT_EQ(made.cell.value,
              trace.weighted_values(index[2]).at({index[0], index[1], 0, index[3], index[4]}));
    expect_true(trace, made, what + ": weighted_values" + describe(index));
  }
}

TEST(Provenance, OfEveryTensor) {
  Numbers numbers(1);
  const Inputs inputs{numbers.tensor({2, 4, 6}), numbers.tensor({2, 5, 7}),
                      numbers.tensor({2, 5, 3}), look_ahead_mask(4, 5)};
  const Weights weights = random_weights(numbers, 6, 7, 3, true);
  expect_all_true(compute(inputs, weights, {3, {}, {}}), numbers, "cross");
  expect_all_true(compute(inputs, random_weights(numbers, 6, 7, 3, false),
                          {1, {Scale::Kind::sqrt_keys, 1.0F}, {}}),
                  numbers, "one head, no bias");
  const Tensor x = numbers.tensor({2, 5, 12});
  expect_all_true(compute({x, x, x, {}}, {}, {4, {Scale::Kind::none, 1.0F}, {}}), numbers, "bare");
  expect_all_true(
      compute({x, x, x, numbers.tensor({2, 4, 5, 5})}, {}, {4, {Scale::Kind::number, -2.0F}, {}}),
      numbers, "any mask");
  const Tensor view = numbers.tensor({5, 2, 6}).transpose(0, 1);
  expect_all_true(compute({view, view.narrow(1, 1, 2), view.narrow(1, 1, 2), {}}, {}, {2, {}, {}}),
                  numbers, "views");
  const Tensor wide = numbers.tensor({1, 3, 300});
  expect_all_true(
      compute({wide, wide, wide, {}}, random_weights(numbers, 300, 300, 300, true), {6, {}, {}}),
      numbers, "wide");
}

TEST(Provenance, AScoreIsTheDotProductOfARowOfQAndARowOfK) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace = compute({x, x, x, {}}, random_weights(numbers, 6, 6, 6, true), {2, {}, {}});
  const Provenance made = provenance(trace, TensorId::scores, {1, 0, 2, 3});
  EXPECT_EQ(made.rule, Rule::dot_product);
  ASSERT_EQ(made.terms.size(), 3U);
  EXPECT_FALSE(made.has_bias);
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_EQ(made.terms[d].a.tensor, TensorId::q_heads);
    EXPECT_EQ(made.terms[d].a.index, (Index{1, 0, 2, d}));
    EXPECT_EQ(made.terms[d].b.tensor, TensorId::k_heads);
    EXPECT_EQ(made.terms[d].b.index, (Index{1, 0, 3, d}));
  }
}

TEST(Provenance, AProjectedNumberIsARowTimesARowOfTheWeight) {
  Numbers numbers(3);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Trace trace = compute({x, x, x, {}}, random_weights(numbers, 6, 6, 6, true), {2, {}, {}});
  for (const auto& [made, from, weight, bias] :
       {std::tuple{TensorId::k, TensorId::key_input, TensorId::k_proj_weight,
                   TensorId::k_proj_bias},
        std::tuple{TensorId::output, TensorId::merged, TensorId::out_proj_weight,
                   TensorId::out_proj_bias}}) {
    const Provenance why = provenance(trace, made, {0, 2, 5});
    ASSERT_EQ(why.terms.size(), 6U);
    EXPECT_EQ(why.terms[4].a.tensor, from);
    EXPECT_EQ(why.terms[4].a.index, (Index{0, 2, 4}));
    EXPECT_EQ(why.terms[4].b.tensor, weight);
    EXPECT_EQ(why.terms[4].b.index, (Index{5, 4}));
    EXPECT_TRUE(why.has_bias);
    EXPECT_EQ(why.bias.tensor, bias);
    EXPECT_EQ(why.bias.index, (Index{5}));
  }
}

TEST(Provenance, ASplitNumberIsTheSameNumber) {
  Numbers numbers(4);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace = compute({x, x, x, {}}, random_weights(numbers, 6, 6, 6, true), {2, {}, {}});
  const Provenance made = provenance(trace, TensorId::q_heads, {1, 1, 3, 2});
  EXPECT_EQ(made.rule, Rule::same_number);
  ASSERT_EQ(made.terms.size(), 1U);
  EXPECT_EQ(made.terms[0].a.tensor, TensorId::q);
  EXPECT_EQ(made.terms[0].a.index, (Index{1, 3, 1 * 3 + 2}));
  const Provenance merged = provenance(trace, TensorId::merged, {1, 3, 5});
  EXPECT_EQ(merged.rule, Rule::copied);
  EXPECT_EQ(merged.terms[0].a.tensor, TensorId::merged_split);
  EXPECT_EQ(merged.terms[0].a.index, (Index{1, 3, 1, 2}));
  const Provenance key = provenance(trace, TensorId::key_input, {0, 2, 1});
  EXPECT_EQ(key.terms[0].a.tensor, TensorId::query_input);
  EXPECT_EQ(key.terms[0].a.index, (Index{0, 2, 1}));
}

TEST(Provenance, AWeightIsItsShareOfTheRow) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Trace trace = compute({x, x, x, look_ahead_mask(4, 4)}, {}, {2, {}, {}});
  const Provenance made = provenance(trace, TensorId::attention_weights, {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::softmax);
  ASSERT_EQ(made.terms.size(), 4U);
  EXPECT_EQ(made.selected, 1U);
  double largest = -HUGE_VAL;
  double sum = 0.0;
  for (std::size_t key = 0; key < 4; ++key) {
    EXPECT_EQ(made.terms[key].a.tensor, TensorId::masked_scores);
    EXPECT_EQ(made.terms[key].a.index, (Index{0, 1, 2, key}));
    largest = std::fmax(largest, static_cast<double>(made.terms[key].a.value));
    sum += made.terms[key].value;
  }
  EXPECT_EQ(made.maximum, largest);
  EXPECT_EQ(made.denominator, sum);
  EXPECT_EQ(made.terms[3].value, 0.0) << "a later key";
}

TEST(Provenance, FullyMaskedIsZeroByDefinition) {
  Numbers numbers(6);
  const Tensor x = numbers.tensor({1, 3, 4});
  Tensor mask({3, 3});
  for (std::size_t key = 0; key < 3; ++key) mask.set({1, key}, hidden);
  const Trace trace = compute({x, x, x, mask}, {}, {2, {}, {}});
  for (const TensorId id : {TensorId::attention_weights, TensorId::head_outputs}) {
    const Provenance made = provenance(trace, id, {0, 1, 1, 1});
    EXPECT_EQ(made.rule, Rule::fully_masked) << name_of(id);
    EXPECT_EQ(made.result, 0.0);
    EXPECT_EQ(made.terms.size(), 3U);
    EXPECT_NE(provenance(trace, id, {0, 1, 2, 1}).rule, Rule::fully_masked);
  }
  expect_all_true(trace, numbers, "fully masked");
}

TEST(Provenance, FullyMaskedByNanScoresToo) {
  const Tensor query({1, 1, 1}, {std::numeric_limits<float>::quiet_NaN()});
  const Tensor key({1, 2, 1}, {1, 2});
  const Trace trace = compute({query, key, key, Tensor::full({1, 2}, hidden)}, {}, {1, {}, {}});
  const Provenance made = provenance(trace, TensorId::attention_weights, {0, 0, 0, 1});
  EXPECT_EQ(made.rule, Rule::fully_masked);
  EXPECT_EQ(made.result, 0.0);
}

TEST(Provenance, NanIsNotHidden) {
  const Tensor query({1, 1, 1}, {1});
  const Tensor key({1, 2, 1}, {1, std::numeric_limits<float>::quiet_NaN()});
  const Trace trace = compute({query, key, key, Tensor({1, 2}, {hidden, 0})}, {}, {1, {}, {}});
  const Provenance made = provenance(trace, TensorId::attention_weights, {0, 0, 0, 0});
  EXPECT_EQ(made.rule, Rule::softmax);
  EXPECT_TRUE(std::isnan(made.result));
  EXPECT_TRUE(std::isnan(made.cell.value));
}

TEST(Provenance, AWeightGivenByHand) {
  Numbers numbers(7);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = compute({x, x, x, Tensor::full({1, 3}, hidden)}, {},
                              {2, {}, {{{0, 1, 2, {0.5F, 0.25F, 0.2F}}}, {}, Mistake::none}});
  const Provenance made = provenance(trace, TensorId::attention_weights, {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::given_by_hand);
  EXPECT_EQ(made.result, 0.25);
  EXPECT_EQ(provenance(trace, TensorId::head_outputs, {0, 1, 2, 1}).rule, Rule::dot_product);
  EXPECT_EQ(provenance(trace, TensorId::attention_weights, {0, 0, 2, 1}).rule, Rule::fully_masked);
  expect_all_true(trace, numbers, "given by hand");
}

TEST(Provenance, OfEveryTensorUnderEveryMistake) {
  Numbers numbers(10);
  Tensor mask = look_ahead_mask(4, 3);
  for (std::size_t key = 0; key < 3; ++key) mask.set({2, key}, hidden);
  Tensor finite = numbers.tensor({2, 1, 4, 3});
  for (std::size_t query = 0; query < 4; ++query) finite.set({1, 0, query, 2}, hidden);
  for (const std::string_view name : mistake_names()) {
    for (const Tensor& any : {Tensor(), mask, finite}) {
      const Inputs inputs{numbers.tensor({2, 4, 6}), numbers.tensor({2, 3, 7}),
                          numbers.tensor({2, 3, 5}), any};
      const Interventions interventions{
          {{1, 1, 3, {0.5F, 0.25F, 0.2F}}}, {0}, *mistake_named(name)};
      expect_all_true(
          compute(inputs, random_weights(numbers, 6, 7, 5, true), {2, {}, interventions}), numbers,
          std::string(name));
      const Tensor bare = numbers.tensor({2, 3, 6});
      const Tensor bare_mask = any.defined() ? any.narrow(any.rank() - 2, 1, 3) : Tensor();
      expect_all_true(
          compute({bare, bare, bare, bare_mask}, {}, {2, {}, {{}, {}, interventions.mistake}}),
          numbers, std::string(name) + ", bare");
      const Tensor view = numbers.tensor({3, 2, 6}).transpose(0, 1);
      expect_all_true(
          compute({view, view, view, bare_mask}, {}, {2, {}, {{}, {}, interventions.mistake}}),
          numbers, std::string(name) + ", views");
    }
  }
}

TEST(Provenance, NamesWhatAMistakeDid) {
  Numbers numbers(11);
  const Tensor x = numbers.tensor({2, 3, 6});
  const auto made = [&](Mistake mistake, TensorId id, const Index& index) {
    const Trace trace = compute({x, x, x, look_ahead_mask(3, 3)},
                                random_weights(numbers, 6, 6, 6, true), {2, {}, {{}, {}, mistake}});
    return provenance(trace, id, index);
  };
  // Head 1, token 2 of [H,L,D] = [2,3,3] is the 15th to 17th number of a sample: token 2, columns
  // 3 to 5. Head 0, token 1 is the 3rd to 5th: token 0, columns 3 to 5, which are head 1's.
  const Provenance wrong = made(Mistake::no_transpose, TensorId::q_heads, {1, 0, 1, 2});
  EXPECT_EQ(wrong.rule, Rule::same_number);
  EXPECT_EQ(wrong.terms[0].a.tensor, TensorId::q);
  EXPECT_EQ(wrong.terms[0].a.index, (Index{1, 0, 5}));
  const Provenance merged = made(Mistake::no_transpose, TensorId::merged, {1, 0, 5});
  EXPECT_EQ(merged.terms[0].a.tensor, TensorId::head_outputs);
  EXPECT_EQ(merged.terms[0].a.index, (Index{1, 0, 1, 2}));

  EXPECT_EQ(made(Mistake::no_scale, TensorId::scaled_scores, {0, 0, 0, 0}).rule, Rule::same_number);

  const Provenance weight =
      made(Mistake::softmax_over_queries, TensorId::attention_weights, {0, 1, 2, 1});
  EXPECT_EQ(weight.rule, Rule::softmax);
  EXPECT_EQ(weight.selected, 2U);
  ASSERT_EQ(weight.terms.size(), 3U);
  for (std::size_t query = 0; query < 3; ++query)
    EXPECT_EQ(weight.terms[query].a.index, (Index{0, 1, query, 1}));

  const Index hidden_cell{0, 1, 0, 2};
  EXPECT_EQ(made(Mistake::mask_after_softmax, TensorId::masked_scores, hidden_cell).rule,
            Rule::same_number);
  const Provenance hidden_weight =
      made(Mistake::mask_after_softmax, TensorId::attention_weights, hidden_cell);
  EXPECT_EQ(hidden_weight.rule, Rule::overwritten);
  EXPECT_EQ(hidden_weight.cell.value, 0.0F);
  const Provenance zero = made(Mistake::mask_with_zero, TensorId::masked_scores, hidden_cell);
  EXPECT_EQ(zero.rule, Rule::overwritten);
  EXPECT_EQ(zero.cell.value, 0.0F);

  const Provenance score = made(Mistake::keys_not_transposed, TensorId::scores, {0, 1, 2, 0});
  ASSERT_EQ(score.terms.size(), 3U);
  EXPECT_EQ(score.terms[1].a.index, (Index{0, 1, 2, 1}));
  EXPECT_EQ(score.terms[1].b.index, (Index{0, 1, 1, 0}));
}

TEST(Provenance, AnAblatedHeadIsSaidToBeOne) {
  Numbers numbers(12);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = compute({x, x, x, {}}, {}, {2, {}, {{}, {1}, Mistake::none}});
  const Provenance made = provenance(trace, TensorId::head_outputs, {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::ablated);
  EXPECT_EQ(made.result, 0.0);
  EXPECT_EQ(made.terms.size(), 3U);
  EXPECT_EQ(provenance(trace, TensorId::head_outputs, {0, 0, 2, 1}).rule, Rule::dot_product);
}

TEST(Provenance, AnInputWithPositionEncoding) {
  Numbers numbers(8);
  const Tensor embedding = numbers.tensor({2, 3, 5});
  const Tensor encoding = position_encoding(3, 5);
  const Tensor x = add(embedding, encoding);
  Trace trace = compute({x, x, x, {}}, {}, {1, {}, {}});
  EXPECT_EQ(provenance(trace, TensorId::query_input, {1, 2, 3}).rule, Rule::given);
  trace.put(TensorId::token_embedding, embedding);
  trace.put(TensorId::position_encoding, encoding);
  const Provenance made = provenance(trace, TensorId::query_input, {1, 2, 3});
  EXPECT_EQ(made.rule, Rule::sum);
  EXPECT_EQ(made.terms[0].a.index, (Index{1, 2, 3}));
  EXPECT_EQ(made.terms[1].a.index, (Index{2, 3}));
  const Provenance position = provenance(trace, TensorId::position_encoding, {2, 3});
  EXPECT_EQ(position.rule, Rule::position);
  EXPECT_EQ(position.divisor, std::pow(10000.0, 2.0 / 5.0));
  EXPECT_NEAR(position.result, std::cos(2.0 / position.divisor), 1e-15);
  expect_all_true(trace, numbers, "position encoding");
}

TEST(Provenance, OutsideIsGivenNan) {
  Numbers numbers(9);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = compute({x, x, x, {}}, {}, {2, {}, {}});
  for (const auto& [id, index] : {std::pair{TensorId::scores, Index{0, 2, 0, 0}},
                                  {TensorId::scores, Index{0, 0, 0}},
                                  {TensorId::mask, Index{0, 0, 0, 0}},
                                  {TensorId::weighted_values, Index{0, 0, 3, 0, 0}},
                                  {TensorId::weighted_values, Index{0, 0, 0, 0}}}) {
    const Provenance made = provenance(trace, id, index);
    EXPECT_EQ(made.rule, Rule::given);
    EXPECT_TRUE(std::isnan(made.cell.value));
    EXPECT_TRUE(std::isnan(made.result));
    EXPECT_TRUE(made.terms.empty());
  }
}

}  // namespace
}  // namespace attention
