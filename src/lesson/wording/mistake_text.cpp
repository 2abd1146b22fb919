#include "lesson/wording/mistake_text.hpp"

#include <array>

namespace lesson {

using model::Mistake;

namespace {

constexpr std::array texts = {
    MistakeText{Mistake::none, "no mistake", "Everything is computed correctly.", StepId::overview},
    MistakeText{Mistake::no_transpose, "no transpose",
                "The numbers are reshaped straight to [H, L, D], without swapping the token axis "
                "and the head axis. The shape is right, so there is no error, but a head now holds "
                "numbers of other heads and other tokens, and everything after it is wrong.",
                StepId::transpose},
    MistakeText{Mistake::no_scale, "scale forgotten",
                "A divisor was chosen, but the scores go into the softmax undivided. Without √D "
                "they are √D times as large as they should be, so the softmax saturates: the "
                "largest score takes too much of the weight. An example that is meant to divide by "
                "1 is not changed by this.",
                StepId::scale},
    MistakeText{Mistake::softmax_over_queries, "softmax over queries",
                "The softmax runs down the columns instead of along the rows. The weights of each "
                "key then add up to 1, but those of each query do not.",
                StepId::softmax},
    MistakeText{Mistake::mask_after_softmax, "mask after softmax",
                "The softmax still sees the hidden keys; their weights are set to 0 afterwards. "
                "Their share is lost: the weights of a query add up to less than 1.",
                StepId::mask},
    MistakeText{Mistake::mask_with_zero, "mask with 0",
                "Hidden scores become 0 instead of −∞. A score of 0 is a score like any other: the "
                "softmax gives it weight, and hidden tokens leak into the result.",
                StepId::mask},
    MistakeText{Mistake::keys_not_transposed, "K not transposed",
                "The queries are multiplied by K instead of Kᵀ. The shapes allow this only where a "
                "head has as many dimensions as there are keys (D = Lk); the scores then compare "
                "numbers that have nothing to do with each other.",
                StepId::scores},
    MistakeText{Mistake::naive_softmax, "largest not subtracted",
                "exp is taken of the scores as they are. The weights are the same, until a score "
                "passes 88.7: there exp is too large for float32 and becomes ∞, and ∞ / ∞ is NaN. "
                "To see it, choose 0.001 as the divisor in Settings.",
                StepId::softmax},
};

}  // namespace

std::span<const MistakeText> mistake_texts() { return std::span(texts).subspan(1); }

const MistakeText& text_of(Mistake mistake) { return texts[static_cast<std::size_t>(mistake)]; }

std::span<const Mistake> mistakes_in(StepId step) {
  static constexpr Mistake transpose[] = {Mistake::no_transpose};
  static constexpr Mistake scores[] = {Mistake::keys_not_transposed};
  static constexpr Mistake scale[] = {Mistake::no_scale};
  static constexpr Mistake mask[] = {Mistake::mask_with_zero};
  static constexpr Mistake softmax[] = {Mistake::softmax_over_queries, Mistake::naive_softmax};
  static constexpr Mistake reweight[] = {Mistake::mask_after_softmax};
  switch (step) {
    case StepId::transpose:
    case StepId::merge:
      return transpose;
    case StepId::scores:
      return scores;
    case StepId::scale:
      return scale;
    case StepId::mask:
      return mask;
    case StepId::softmax:
      return softmax;
    case StepId::reweight:
      return reweight;
    default:
      return {};
  }
}

}  // namespace lesson
