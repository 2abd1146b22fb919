// The contract of src/ops/explanation.hpp, held against an explanation: what it names is there, and
// what it says adds up to the cell.
#pragma once

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "ops/explanation.hpp"

namespace test {

/// The arithmetic that the rule stands for, from the terms alone.
inline double carried_out(const ops::Explanation& made) {
  using ops::Rule;
  const double bias = made.bias ? static_cast<double>(made.bias->value) : 0.0;
  double sum = 0.0;
  for (const ops::Term& term : made.terms) sum += term.value;
  switch (made.rule) {
    case Rule::softmax:
      if (made.bias) sum += std::exp(bias - *made.maximum);  // the sink's
      return made.terms[made.selected].value / sum;
    case Rule::divided:
      return sum / made.divisor;
    case Rule::mean:
      EXPECT_EQ(made.divisor, static_cast<double>(made.terms.size()));
      return sum / made.divisor;
    case Rule::layer_norm: {
      const double mean = sum / static_cast<double>(made.terms.size());
      return (made.terms[made.selected].value - mean) / made.divisor *
                 static_cast<double>(made.weight->value) +
             bias;
    }
    case Rule::softmax_gradient:
      return made.terms[made.selected].value - made.factor * sum;
    case Rule::layer_norm_gradient: {
      const double mean = sum / static_cast<double>(made.terms.size());
      return (made.terms[made.selected].value - mean - made.factor * made.denominator) /
             made.divisor;
    }
    case Rule::function_gradient:
      EXPECT_EQ(made.terms.size(), 1U);
      if (made.factor == 0.0) return 0.0;
      return static_cast<double>(made.terms[0].a.value) * made.factor;
    case Rule::scaled:
      EXPECT_EQ(made.terms.size(), 1U);
      return static_cast<double>(made.terms[0].a.value) * made.factor;
    case Rule::cross_entropy_gradient:
      EXPECT_EQ(made.terms.size(), 1U);
      return (made.factor - made.mean) / made.divisor;
    case Rule::rms_norm:
      return made.terms[made.selected].value / made.divisor *
             (made.weight ? static_cast<double>(made.weight->value) : 1.0);
    case Rule::rms_norm_gradient:
      return (made.terms[made.selected].value - made.factor * made.denominator) / made.divisor;
    case Rule::capped:
      EXPECT_EQ(made.terms.size(), 1U);
      return made.divisor * std::tanh(static_cast<double>(made.terms[0].a.value) / made.divisor);
    case Rule::distance:
      EXPECT_TRUE(made.terms.empty());
      return made.factor * made.distance;
    case Rule::given:
    case Rule::given_by_hand:
    case Rule::position:
      EXPECT_TRUE(made.terms.empty());
      return made.result;
    default:
      return sum + bias;
  }
}

/// What the rule makes of the numbers that a term names.
inline void expect_contribution(const ops::Explanation& made, const ops::Term& term) {
  using ops::Rule;
  const auto a = static_cast<double>(term.a.value);
  const auto is = [](double ours, double theirs) {
    return ours == theirs || (std::isnan(ours) && std::isnan(theirs));
  };
  switch (made.rule) {
    case Rule::dot_product:
    case Rule::product:
      EXPECT_TRUE(term.has_b);
      EXPECT_TRUE(is(term.value, a * static_cast<double>(term.b.value)));
      break;
    case Rule::softmax:
      // Where the largest is not subtracted, the explanation computes in float32, which overflows.
      EXPECT_TRUE(is(term.value, made.maximum ? std::exp(a - *made.maximum)
                                              : static_cast<double>(std::exp(term.a.value))));
      break;
    case Rule::fully_masked:
    case Rule::ablated:
    case Rule::overwritten:
      EXPECT_EQ(term.value, 0.0);
      break;
    case Rule::capped:
      EXPECT_FALSE(term.has_b);
      EXPECT_TRUE(is(term.value, made.divisor * std::tanh(a / made.divisor)));
      break;
    case Rule::function:
      break;  // which one is not said
    case Rule::difference:
      EXPECT_TRUE(is(term.value, &term == made.terms.data() ? a : -a));
      break;
    case Rule::half_squares:
      EXPECT_TRUE(is(term.value, 0.5 * a * a));
      break;
    case Rule::softmax_gradient:
      // Under Mistake::mask_after_softmax the weights that are meant are no tensor.
      if (!term.has_b) break;
      EXPECT_TRUE(is(term.value, a * static_cast<double>(term.b.value)));
      if (&term == &made.terms[made.selected]) {
        EXPECT_TRUE(is(made.factor, static_cast<double>(term.b.value)));
      }
      break;
    case Rule::layer_norm_gradient:
      EXPECT_TRUE(is(term.value, a * static_cast<double>(term.b.value)));
      break;
    case Rule::function_gradient:
      EXPECT_TRUE(is(term.value, made.factor == 0.0 ? 0.0 : a * made.factor));
      break;
    case Rule::scaled_sum:
      EXPECT_FALSE(term.has_b);
      EXPECT_TRUE(is(term.value, a * made.factor));
      break;
    case Rule::cross_entropy:
      EXPECT_FALSE(term.has_b);
      EXPECT_GE(term.value, 0.0);  // which its whole row decides
      break;
    case Rule::cross_entropy_gradient:
      EXPECT_FALSE(term.has_b);
      EXPECT_EQ(term.value, 0.0);  // the probability is in the factor
      break;
    case Rule::rms_norm_gradient:
      EXPECT_TRUE(is(term.value, term.has_b ? a * static_cast<double>(term.b.value) : a));
      break;
    case Rule::rotated:
      EXPECT_FALSE(term.has_b);
      if (&term == made.terms.data()) {
        EXPECT_TRUE(is(term.value, a * made.cosine));
      } else {
        EXPECT_TRUE(is(term.value, a * made.factor));
        EXPECT_NEAR(made.cosine * std::sin(made.angle),
                    std::copysign(made.factor, std::sin(made.angle)) * std::cos(made.angle), 1e-12);
      }
      break;
    case Rule::sink_gradient:
      EXPECT_TRUE(term.has_b);  // times the sink's share, which the whole row decides
      break;
    case Rule::normed_products:
      EXPECT_TRUE(term.has_b);  // times b as it is normalised, which its whole row decides
      break;
    default:
      EXPECT_FALSE(term.has_b);
      EXPECT_TRUE(is(term.value, a));
  }
}

/// `number_at(cell)`: the number that lies where a cell says.
template <typename NumberAt>
void expect_true(const ops::Explanation& made, NumberAt number_at, const std::string& what) {
  SCOPED_TRACE(what);
  const auto expect_there = [&](const ops::Cell& cell) {
    const float number = number_at(cell);
    EXPECT_TRUE(cell.value == number || (std::isnan(cell.value) && std::isnan(number)))
        << cell.value << " is named where " << number << " lies";
  };
  double magnitude = 0.0;
  for (const ops::Term& term : made.terms) {
    expect_there(term.a);
    if (term.has_b) expect_there(term.b);
    expect_contribution(made, term);
    magnitude += std::fabs(term.value);
  }
  if (made.bias) expect_there(*made.bias);
  if (made.weight) expect_there(*made.weight);
  if (made.rule == ops::Rule::fully_masked) {
    EXPECT_EQ(made.denominator, 0.0);
  }
  const auto cell = static_cast<double>(made.cell.value);
  const double result = carried_out(made);
  if (std::isnan(made.result)) {
    EXPECT_TRUE(std::isnan(cell)) << cell;
    EXPECT_TRUE(std::isnan(result)) << result;
  } else if (std::isinf(made.result)) {
    EXPECT_EQ(result, made.result);
    EXPECT_EQ(cell, made.result);
  } else {
    EXPECT_NEAR(result, made.result, 1e-12 * (1.0 + magnitude));
    EXPECT_NEAR(cell, made.result, 1e-5 * (1.0 + magnitude));
  }
}

}  // namespace test
