#include "lesson/wording/mistake_text.hpp"

#include <array>
#include <string>

#include "base/text.hpp"

namespace lesson {

using model::Mistake;

namespace {

constexpr std::array texts = {
    MistakeText{Mistake::none, StepId::overview},
    MistakeText{Mistake::no_transpose, StepId::transpose},
    MistakeText{Mistake::no_scale, StepId::scale},
    MistakeText{Mistake::softmax_over_queries, StepId::softmax},
    MistakeText{Mistake::mask_after_softmax, StepId::mask},
    MistakeText{Mistake::mask_with_zero, StepId::mask},
    MistakeText{Mistake::keys_not_transposed, StepId::scores},
    MistakeText{Mistake::naive_softmax, StepId::softmax},
    MistakeText{Mistake::no_softmax, StepId::softmax},
};

std::string key_of(Mistake mistake) { return "lesson.mistake." + std::string(name_of(mistake)); }

}  // namespace

std::string_view MistakeText::label() const { return base::text(key_of(mistake) + ".label"); }
std::string_view MistakeText::text() const { return base::text(key_of(mistake) + ".text"); }
std::optional<std::string_view> MistakeText::sentence() const {
  return base::text_if_any(key_of(mistake) + ".sentence");
}
std::optional<std::string> MistakeText::formula(std::string_view q, std::string_view k,
                                                std::string_view scores) const {
  const std::string key = key_of(mistake) + ".formula";
  if (!base::text_if_any(key)) return std::nullopt;
  return base::text(key, {{"q", q}, {"k", k}, {"scores", scores}});
}

std::span<const MistakeText> mistake_texts() { return std::span(texts).subspan(1); }

const MistakeText& text_of(Mistake mistake) { return texts[static_cast<std::size_t>(mistake)]; }

std::span<const Mistake> mistakes_in(StepId step) {
  static constexpr Mistake transpose[] = {Mistake::no_transpose};
  static constexpr Mistake scores[] = {Mistake::keys_not_transposed};
  static constexpr Mistake scale[] = {Mistake::no_scale};
  static constexpr Mistake mask[] = {Mistake::mask_with_zero};
  static constexpr Mistake softmax[] = {Mistake::softmax_over_queries, Mistake::naive_softmax,
                                        Mistake::no_softmax};
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
