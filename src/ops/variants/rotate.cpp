// Rotary positions (Su et al., 2021, "RoFormer"), with the halves that Llama pairs: number i of a
// head and number i + D/2 are a point, which is turned by position · base^(−2i/D). The product of
// two such points depends on the distance of their positions only.
#include <cmath>
#include <vector>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

enum class Way : unsigned char { on, back };

/// By how much pair `pair` of the token at `place` is turned. In double, as position.cpp says.
double angle_of(const Use& use, std::size_t place, std::size_t pair) {
  const auto base = static_cast<double>(use.constants.rope_base);
  const auto width = static_cast<double>(use.shape.back());
  return static_cast<double>(place) *
         std::exp(-std::log(base) * static_cast<double>(2 * pair) / width);
}

/// x [..,L,D] turned by its positions along L, or back again.
Tensor turned(const Use& use, Way way) {
  const Tensor x = use[0].tensor.contiguous();
  const std::size_t tokens = use.shape[use.shape.rank() - 2];
  const std::size_t width = use.shape.back();
  const std::size_t half = width / 2;
  std::vector<float> cosines(tokens * half);
  std::vector<float> sines(tokens * half);
  for (std::size_t place = 0; place < tokens; ++place) {
    for (std::size_t pair = 0; pair < half; ++pair) {
      const double angle = angle_of(use, place, pair);
      cosines[place * half + pair] = static_cast<float>(std::cos(angle));
      sines[place * half + pair] = static_cast<float>(way == Way::on ? std::sin(angle)  //
                                                                     : -std::sin(angle));
    }
  }
  Tensor made = Tensor::uninitialized(use.shape);
  for (std::size_t row = 0; row < x.size() / width; ++row) {
    const float* const from = x.data() + row * width;
    float* const to = made.mutable_data() + row * width;
    const auto first = tensor::run(from, half);
    const auto second = tensor::run(from + half, half);
    const auto cosine = tensor::run(cosines.data() + row % tokens * half, half);
    const auto sine = tensor::run(sines.data() + row % tokens * half, half);
    auto first_made = tensor::run(to, half);
    auto second_made = tensor::run(to + half, half);
    xt::noalias(first_made) = first * cosine - second * sine;
    xt::noalias(second_made) = second * cosine + first * sine;
  }
  return made;
}

void explain_turned(const Use& use, Explanation& made, Way way) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  const std::size_t half = use.shape.back() / 2;
  const bool in_first_half = at[last] < half;
  Index partner = at;
  partner[last] = in_first_half ? at[last] + half : at[last] - half;
  made.rule = Rule::rotated;
  made.angle = angle_of(use, at[last - 1], at[last] % half);
  if (way == Way::back) made.angle = -made.angle;
  made.terms = {term_of(cell_of(use, 0, at)), term_of(cell_of(use, 0, partner))};
  made.terms[0].value *= std::cos(made.angle);
  made.factor = in_first_half ? -std::sin(made.angle) : std::sin(made.angle);
  made.terms[1].value *= made.factor;
  made.add_up();
}

Tensor on(const Use& use) { return turned(use, Way::on); }
void explain_on(const Use& use, Explanation& made) { explain_turned(use, made, Way::on); }
Tensor back(const Use& use) { return turned(use, Way::back); }
void explain_back(const Use& use, Explanation& made) { explain_turned(use, made, Way::back); }

}  // namespace

// A rotation keeps lengths, so its gradient is turned back by the same angle.
constinit const Operation rotate{.name = "rotate",
                                 .needs = 1,
                                 .forward = on,
                                 .explain = explain_on,
                                 .backward = {{{rotate_back, {Source::d_result}}}},
                                 .reads_constants = true};
constinit const Operation rotate_back{.name = "rotate_back",
                                      .needs = 1,
                                      .forward = back,
                                      .explain = explain_back,
                                      .reads_constants = true};

}  // namespace ops
