// −log p of the right token, where p is the softmax of the logits: the mean over the tokens that
// count. With label smoothing ε (Szegedy et al., 2016, section 7) the wanted distribution is 1 − ε
// on the right token and ε / V on every one, as torch.nn.CrossEntropyLoss has it.
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "ops/exponential.hpp"
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

/// Calls `visit(row of logits, the right token)` for each token that counts.
template <typename Visit>
void for_each_counted(const Use& use, const Tensor& logits, Visit visit) {
  const Tensor right = use[1].tensor.contiguous();
  const std::size_t width = logits.shape().back();
  for (std::size_t i = 0; i < right.size(); ++i) {
    const float token = right.data()[i];
    if (token >= 0.0F) visit(i, logits.data() + i * width, static_cast<std::size_t>(token));
  }
}

std::size_t counted(const Use& use) {
  const std::vector<float> right = use[1].tensor.values();
  return static_cast<std::size_t>(
      std::count_if(right.begin(), right.end(), [](float token) { return token >= 0.0F; }));
}

/// Σ in double. Eight sums side by side, which compilers make SIMD of.
double sum_of(const float* numbers, std::size_t count) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= count; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane)
      sums[lane] += static_cast<double>(numbers[i + lane]);
  }
  for (; i < count; ++i) sums[0] += static_cast<double>(numbers[i]);
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

float largest_of(const float* numbers, std::size_t count) {
  return xt::amax(tensor::run(numbers, count))();
}

/// Writes exp(logit − the largest) to `powers`; returns their sum.
double exponentials_of(const float* logits, std::size_t width, float* powers) {
  const float largest = largest_of(logits, width);
  auto row = tensor::run(powers, width);
  xt::noalias(row) = exponential(tensor::run(logits, width) - largest);
  return sum_of(powers, width);
}

/// log Σ exp(logits).
double log_of_sum(const float* logits, std::size_t width) {
  std::vector<float> powers(width);
  return static_cast<double>(largest_of(logits, width)) +
         std::log(exponentials_of(logits, width, powers.data()));
}

/// −Σ wanted p · log p of one token.
double loss_of(const Use& use, const float* logits, std::size_t width, std::size_t token) {
  const double total = log_of_sum(logits, width);
  const auto smoothing = static_cast<double>(use.constants.label_smoothing);
  double loss = (1.0 - smoothing) * (total - static_cast<double>(logits[token]));
  if (smoothing > 0.0)
    loss += smoothing * (total - sum_of(logits, width) / static_cast<double>(width));
  return loss;
}

Tensor forward(const Use& use) {
  const Tensor logits = use[0].tensor.contiguous();
  const std::size_t width = logits.shape().back();
  double sum = 0.0;
  for_each_counted(use, logits, [&](std::size_t, const float* row, std::size_t token) {
    sum += loss_of(use, row, width, token);
  });
  const auto count = static_cast<double>(std::max<std::size_t>(counted(use), 1));
  return Tensor::full(use.shape, static_cast<float>(sum / count));
}

void explain(const Use& use, Explanation& made) {
  const Tensor logits = use[0].tensor.contiguous();
  const std::size_t width = logits.shape().back();
  const auto count = static_cast<double>(std::max<std::size_t>(counted(use), 1));
  made.rule = Rule::cross_entropy;
  Index at = Index::filled(use[1].tensor.rank(), 0);
  std::size_t place = 0;
  do {
    const float token = use[1].tensor.at(at);
    if (token >= 0.0F) {
      Index cell = at;
      cell.push_back(static_cast<std::size_t>(token));
      made.terms.push_back(term_of(Cell{use[0].id, cell, logits.at(cell)}));
      made.terms.back().value =
          loss_of(use, logits.data() + place * width, width, cell.back()) / count;
    }
    ++place;
  } while (next_index(at, use[1].tensor.shape()));
  made.add_up();
}

/// (p − wanted p) / how many tokens count, times the gradient of the loss.
Tensor gradient(const Use& use) {
  const Tensor logits = use[0].tensor.contiguous();
  const std::size_t width = logits.shape().back();
  const float scale =
      *use[2].tensor.data() / static_cast<float>(std::max<std::size_t>(counted(use), 1));
  const float smoothing = use.constants.label_smoothing;
  const float spread = smoothing / static_cast<float>(width);
  Tensor made(use.shape);
  float* const to = made.mutable_data();
  for_each_counted(use, logits, [&](std::size_t place, const float* from, std::size_t token) {
    auto row = tensor::run(to + place * width, width);
    const auto total = static_cast<float>(exponentials_of(from, width, to + place * width));
    xt::noalias(row) = (row / total - spread) * scale;
    to[place * width + token] -= (1.0F - smoothing) * scale;
  });
  return made;
}

void explain_gradient(const Use& use, Explanation& made) {
  const Tensor logits = use[0].tensor.contiguous();
  const std::size_t width = logits.shape().back();
  Index token = made.cell.index;
  Index place;
  for (std::size_t axis = 0; axis + 1 < token.rank(); ++axis) place.push_back(token[axis]);
  const float right = use[1].tensor.at(place);
  made.rule = Rule::cross_entropy_gradient;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.terms[0].value = 0.0;
  made.divisor = static_cast<double>(std::max<std::size_t>(counted(use), 1)) /
                 static_cast<double>(*use[2].tensor.data());
  if (right < 0.0F) {  // does not count
    made.factor = 0.0;
    return;
  }
  Index first = token;
  first[first.rank() - 1] = 0;
  const double total = log_of_sum(logits.cell(first), width);
  const auto smoothing = static_cast<double>(use.constants.label_smoothing);
  made.factor = std::exp(static_cast<double>(logits.at(token)) - total);
  made.mean = smoothing / static_cast<double>(width);
  if (static_cast<std::size_t>(right) == token.back()) made.mean += 1.0 - smoothing;
  made.result = (made.factor - made.mean) / made.divisor;
}

}  // namespace

constinit const Operation cross_entropy{
    .name = "cross_entropy",
    .needs = 2,
    .forward = forward,
    .explain = explain,
    .backward = {{{cross_entropy_gradient,
                   {Source::operand0, Source::operand1, Source::d_result}}}},
    .reads_constants = true};
constinit const Operation cross_entropy_gradient{.name = "cross_entropy_gradient",
                                                 .needs = 3,
                                                 .forward = gradient,
                                                 .explain = explain_gradient,
                                                 .reads_constants = true};

}  // namespace ops
