// What is added to a score for the places of query and key alone: a row of a table, with a number
// for each head. Which row it is, is said by the places' difference: T5 (Raffel et al., 2020,
// section 2.1) has buckets of distances, Swin (Liu et al., 2021, section 3.2) a row for each
// difference of rows and columns in a window of M·M places. And the gradient of the table.
#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/operation.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Shape;
using tensor::Tensor;

/// The bucket of a distance: the first half of the buckets have one distance each, the others as
/// many as their logarithms say, up to `farthest`. In float32, as models were trained.
std::size_t bucket_of(std::size_t distance, std::size_t buckets, std::size_t farthest) {
  const std::size_t exact = buckets / 2;
  if (distance < exact) return distance;
  const float steps =
      std::log(static_cast<float>(distance) / static_cast<float>(exact)) /
      static_cast<float>(std::log(static_cast<double>(farthest) / static_cast<double>(exact))) *
      static_cast<float>(buckets - exact);
  return exact + std::min(static_cast<std::size_t>(steps), buckets - exact - 1);
}

/// Half of the buckets are for keys behind the query.
std::size_t bucket_both_ways(std::size_t query, std::size_t key, std::size_t buckets,
                             std::size_t farthest) {
  const std::size_t half = buckets / 2;
  return key > query ? half + bucket_of(key - query, half, farthest)
                     : bucket_of(query - key, half, farthest);
}

/// The row of a table of (2M − 1)² rows: how far down, then how far to the right.
std::size_t difference_in_window(std::size_t query, std::size_t key, std::size_t side) {
  const std::size_t down = query / side + side - 1 - key / side;
  const std::size_t right = query % side + side - 1 - key % side;
  return down * (2 * side - 1) + right;
}

/// Which row of a table of `rows` rows a query's bias for a key is in, where there are `keys` keys.
std::size_t row_of(const Constants& constants, std::size_t query, std::size_t key, std::size_t keys,
                   std::size_t rows) {
  switch (constants.distances) {
    case Distances::t5:
      return bucket_both_ways(query, key, rows, constants.farthest);
    case Distances::t5_look_back:
      return bucket_of(query > key ? query - key : 0, rows, constants.farthest);
    case Distances::shifted_windows:
      break;
  }
  const auto side = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(keys))));
  return difference_in_window(query, key, side);
}

Tensor forward(const Use& use) {
  const Tensor& table = use[0].tensor;
  Tensor bias(use.shape);
  float* cell = bias.mutable_data();
  for (std::size_t head = 0; head < use.shape[0]; ++head) {
    for (std::size_t query = 0; query < use.shape[1]; ++query) {
      for (std::size_t key = 0; key < use.shape[2]; ++key) {
        *cell++ = table.at({row_of(use.constants, query, key, use.shape[2], table.dim(0)), head});
      }
    }
  }
  return bias;
}

void explain(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const Tensor& table = use[0].tensor;
  const Index source{row_of(use.constants, at[1], at[2], use.shape[2], table.dim(0)), at[0]};
  made.copy_of({use[0].id, source, table.at(source)}, Rule::copied);
}

/// Calls `visit([head,query,key], row of the table)` for the biases of one head.
template <typename Visit>
void for_each_bias(const Use& use, std::size_t head, Visit visit) {
  const Shape& biases = use[0].tensor.shape();  // of their gradient
  for (std::size_t query = 0; query < biases[1]; ++query) {
    for (std::size_t key = 0; key < biases[2]; ++key)
      visit(Index{head, query, key}, row_of(use.constants, query, key, biases[2], use.shape[0]));
  }
}

/// A number of the table gets the gradients of all biases that it is.
Tensor gradient(const Use& use) {
  Tensor made(use.shape);
  for (std::size_t head = 0; head < use.shape[1]; ++head) {
    std::vector<double> sums(use.shape[0]);
    for_each_bias(use, head, [&](const Index& at, std::size_t row) {
      sums[row] += static_cast<double>(use[0].tensor.at(at));
    });
    for (std::size_t row = 0; row < sums.size(); ++row)
      made.set({row, head}, static_cast<float>(sums[row]));
  }
  return made;
}

void explain_gradient(const Use& use, Explanation& made) {
  made.rule = Rule::sum;
  for_each_bias(use, made.cell.index[1], [&](const Index& at, std::size_t row) {
    if (row == made.cell.index[0])
      made.terms.push_back(term_of({use[0].id, at, use[0].tensor.at(at)}));
  });
  made.add_up();
}

}  // namespace

constinit const Operation relative_bias{
    .name = "relative_bias",
    .needs = 1,
    .forward = forward,
    .explain = explain,
    .backward = {{{relative_bias_gradient, {Source::d_result}}}},
    .reads_constants = true};
constinit const Operation relative_bias_gradient{.name = "relative_bias_gradient",
                                                 .needs = 1,
                                                 .forward = gradient,
                                                 .explain = explain_gradient,
                                                 .reads_constants = true};

}  // namespace ops
