// Dropout (Srivastava et al., 2014), inverted: a number is 0 with probability p, else it is divided
// by 1 − p. Which ones is a function of the seed and the place, so that nothing has to be kept for
// the way back, and NumPy can make the same choice.
#include <cstdint>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;

/// A hash of 32 bits that passes tests of randomness: Chris Wellons, "Hash function prospector",
/// lowbias32.
std::uint32_t mixed(std::uint32_t x) {
  x = (x ^ (x >> 16U)) * 0x21F0AAADU;
  x = (x ^ (x >> 15U)) * 0xD35A2D97U;
  return x ^ (x >> 15U);
}

/// What each number is multiplied with: 0 or 1 / (1 − p).
class Factors {
 public:
  explicit Factors(const Use& use)
      : share_(static_cast<double>(use.constants.dropout)),
        limit_(static_cast<std::uint32_t>(share_ * 4294967296.0)),
        kept_(static_cast<float>(1.0 / (1.0 - share_))),
        key_(mixed(static_cast<std::uint32_t>(*use[1].tensor.data()))) {}

  float operator[](std::size_t place) const {
    return mixed(static_cast<std::uint32_t>(place) + key_) < limit_ ? 0.0F : kept_;
  }

 private:
  double share_;
  std::uint32_t limit_;
  float kept_;
  std::uint32_t key_;
};

Tensor forward(const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const Factors factors(use);
  Tensor made = Tensor::uninitialized(use.shape);
  float* to = made.mutable_data();
  const float* from = x.data();
  for (std::size_t i = 0; i < x.size(); ++i) to[i] = from[i] * factors[i];
  return made;
}

void explain(const Use& use, Explanation& made) {
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < use.shape.rank(); ++axis)
    place = place * use.shape[axis] + made.cell.index[axis];
  made.rule = Rule::scaled;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.factor = static_cast<double>(Factors(use)[place]);
  made.result = made.terms[0].value * made.factor;
}

}  // namespace

constinit const Operation dropout{.name = "dropout",
                                  .needs = 2,
                                  .forward = forward,
                                  .explain = explain,
                                  .backward = {{{dropout, {Source::d_result, Source::operand1}}}},
                                  .reads_constants = true};

}  // namespace ops
