// Rotary positions (Su et al., 2021, "RoFormer"): a pair of numbers of a head is a point, which is
// turned by position · base^(−2i/dims). The product of two such points depends on the distance of
// their positions only. RoFormer pairs neighbours, 2i and 2i + 1; Llama pairs halves, i and
// i + dims/2. Numbers from dims on stay as they are (GPT-NeoX).
#include <cmath>
#include <vector>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

enum class Way : unsigned char { on, back };

/// Which numbers of a head are turned with which.
struct Pairs {
  std::size_t count;
  bool neighbours;

  explicit Pairs(const Use& use)
      : count((use.constants.rope_dims > 0 ? use.constants.rope_dims : use.shape.back()) / 2),
        neighbours(use.constants.rope_neighbours) {}
  std::size_t first(std::size_t pair) const { return neighbours ? 2 * pair : pair; }
  std::size_t apart() const { return neighbours ? 1 : count; }
  std::size_t pair_of(std::size_t number) const { return neighbours ? number / 2 : number % count; }
  bool is_first(std::size_t number) const { return neighbours ? number % 2 == 0 : number < count; }
};

/// By how much pair `pair` of the token at `place` is turned. In double, as position.cpp says.
double angle_of(const Use& use, std::size_t place, std::size_t pair) {
  const auto position = static_cast<double>(place);
  if (use.count > 1) return position * static_cast<double>(use[1].tensor.at({pair}));
  const auto base = static_cast<double>(use.constants.rope_base);
  const auto width = static_cast<double>(2 * Pairs(use).count);
  return position * std::exp(-std::log(base) * static_cast<double>(2 * pair) / width);
}

/// x [..,L,D] turned by its positions along L, or back again.
Tensor turned(const Use& use, Way way) {
  const Pairs pairs(use);
  const std::size_t tokens = use.shape[use.shape.rank() - 2];
  const std::size_t width = use.shape.back();
  const auto factor = static_cast<double>(use.constants.rope_factor);
  std::vector<float> cosines(tokens * pairs.count);
  std::vector<float> sines(tokens * pairs.count);
  for (std::size_t place = 0; place < tokens; ++place) {
    for (std::size_t pair = 0; pair < pairs.count; ++pair) {
      const double angle = angle_of(use, place, pair);
      cosines[place * pairs.count + pair] = static_cast<float>(factor * std::cos(angle));
      sines[place * pairs.count + pair] =
          static_cast<float>(factor * (way == Way::on ? std::sin(angle) : -std::sin(angle)));
    }
  }
  Tensor made = use[0].tensor.clone();
  for (std::size_t row = 0; row < made.size() / width; ++row) {
    float* const numbers = made.mutable_data() + row * width;
    const float* const cosine = cosines.data() + row % tokens * pairs.count;
    const float* const sine = sines.data() + row % tokens * pairs.count;
    for (std::size_t pair = 0; pair < pairs.count; ++pair) {
      float& first = numbers[pairs.first(pair)];
      float& second = numbers[pairs.first(pair) + pairs.apart()];
      const float before = first;
      first = before * cosine[pair] - second * sine[pair];
      second = second * cosine[pair] + before * sine[pair];
    }
  }
  return made;
}

void explain_turned(const Use& use, Explanation& made, Way way) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  const Pairs pairs(use);
  if (at[last] >= 2 * pairs.count) return made.copy_of(cell_of(use, 0, at), Rule::copied);
  const bool is_first = pairs.is_first(at[last]);
  const auto factor = static_cast<double>(use.constants.rope_factor);
  Index partner = at;
  partner[last] = is_first ? at[last] + pairs.apart() : at[last] - pairs.apart();
  made.rule = Rule::rotated;
  made.angle = angle_of(use, at[last - 1], pairs.pair_of(at[last]));
  if (way == Way::back) made.angle = -made.angle;
  made.cosine = factor * std::cos(made.angle);
  made.factor = factor * (is_first ? -std::sin(made.angle) : std::sin(made.angle));
  made.terms = {term_of(cell_of(use, 0, at)), term_of(cell_of(use, 0, partner))};
  made.terms[0].value *= made.cosine;
  made.terms[1].value *= made.factor;
  made.add_up();
}

Tensor on(const Use& use) { return turned(use, Way::on); }
void explain_on(const Use& use, Explanation& made) { explain_turned(use, made, Way::on); }
Tensor back(const Use& use) { return turned(use, Way::back); }
void explain_back(const Use& use, Explanation& made) { explain_turned(use, made, Way::back); }

}  // namespace

// A rotation keeps lengths, so its gradient is turned back by the same angles.
constinit const Operation rotate{
    .name = "rotate",
    .needs = 1,
    .forward = on,
    .explain = explain_on,
    .backward = {{{rotate_back, {Source::d_result, Source::operand1}}}},
    .reads_constants = true};
constinit const Operation rotate_back{.name = "rotate_back",
                                      .needs = 1,
                                      .forward = back,
                                      .explain = explain_back,
                                      .reads_constants = true};

}  // namespace ops
