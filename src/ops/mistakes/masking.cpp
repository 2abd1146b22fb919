// Masks applied wrongly on purpose.
#include <algorithm>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

/// score + mask where the mask is finite; where it hides, what `instead` makes of the score.
template <typename Instead>
Tensor add_unless_hidden(const Use& use, Instead instead) {
  return tensor::by_rows(
      [&](auto& sum, const auto& scores, const auto& mask) {
        noalias(sum) = xt::where(xt::equal(mask, hidden), instead(scores), scores + mask);
      },
      spread(use[0], use), spread(use[1], use));
}

bool hides(const Use& use, const Explanation& made) {
  return cell_of(use, 1, made.cell.index).value == hidden;
}

// A hidden score becomes 0 instead of −∞, so its key gets a weight like any other.
Tensor zero_forward(const Use& use) {
  return add_unless_hidden(use, [](const auto&) { return 0.0F; });
}

void zero_explain(const Use& use, Explanation& made) {
  add.explain(use, made);
  if (hides(use, made)) made.overwrite(Rule::overwritten);
}

// A hidden score stays as it is, so that the softmax sees every key.
Tensor finite_forward(const Use& use) {
  const std::vector<float> mask = use[1].tensor.values();
  const bool only_hides = std::all_of(mask.begin(), mask.end(),
                                      [](float cell) { return cell == 0.0F || cell == hidden; });
  if (only_hides) return use[0].tensor;  // no score would change
  return add_unless_hidden(
      use, [](const auto& scores) -> const auto& { return scores; });
}

void finite_explain(const Use& use, Explanation& made) {
  if (!hides(use, made)) return add.explain(use, made);
  made.copy_of(cell_of(use, 0, made.cell.index), Rule::copied);
}

// Without a softmax: the scores are the weights. −∞ makes a weight of 0 in a softmax alone; times a
// value it would make every sum ∞ or NaN, so a hidden key gets the 0 at once.
Tensor unweighed_forward(const Use& use) {
  if (use.count < 2) return use[0].tensor.clone();
  return tensor::by_rows(
      [](auto& weights, const auto& scores, const auto& mask) {
        noalias(weights) = xt::where(xt::equal(mask, hidden), 0.0F, scores);
      },
      use[0].tensor, spread(use[1], use));
}

void unweighed_explain(const Use& use, Explanation& made) {
  made.copy_of(cell_of(use, 0, made.cell.index), Rule::copied);
  if (use.count > 1 && hides(use, made)) made.overwrite(Rule::overwritten);
}

// A score that was overwritten gets no gradient, nor does a mask that was not added.
Tensor unhidden_gradient(const Use& use) {
  if (use.count < 2) return use[0].tensor.clone();
  return tensor::by_rows(
      [](auto& made, const auto& g, const auto& mask) {
        noalias(made) = xt::where(xt::equal(mask, hidden), 0.0F, g);
      },
      spread(use[0], use), spread(use[1], use));
}

void explain_unhidden_gradient(const Use& use, Explanation& made) { unweighed_explain(use, made); }

constinit const Operation gradient_where_seen{.name = "gradient_where_seen",
                                              .needs = 1,
                                              .forward = unhidden_gradient,
                                              .explain = explain_unhidden_gradient};
constexpr Gradient where_seen{gradient_where_seen, {Source::d_result, Source::operand1}};

}  // namespace

constinit const Operation mask_with_zero{.name = "mask_with_zero",
                                         .needs = 2,
                                         .forward = zero_forward,
                                         .explain = zero_explain,
                                         .backward = {{where_seen, where_seen}}};
constinit const Operation add_finite{.name = "add_finite",
                                     .needs = 2,
                                     .forward = finite_forward,
                                     .explain = finite_explain,
                                     .backward = {{{sum, {Source::d_result}}, where_seen}}};

constinit const Operation scores_as_weights{.name = "scores_as_weights",
                                            .needs = 1,
                                            .forward = unweighed_forward,
                                            .explain = unweighed_explain,
                                            .backward = {{where_seen}}};

}  // namespace ops
