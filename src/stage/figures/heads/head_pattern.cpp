#include "stage/figures/heads/head_pattern.hpp"

#include <array>
#include <string>

#include "base/text.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "model/roles.hpp"

namespace stage {

namespace {

std::string_view text_of(Pattern pattern, const char* length) {
  constexpr std::array names = {"previous", "same", "next", "first", "last", "one", "mixed"};
  return base::text(std::string("stage.pattern.") + names[static_cast<std::size_t>(pattern)] +
                    length);
}

}  // namespace

HeadPattern pattern_of(const document::ComputedAttention& attention, std::size_t sample,
                       std::size_t head) {
  const bool self = lesson::kind_of(attention.id) != lesson::AttentionId::cross_attention;
  lesson::HeadMeasure measure;
  measure.add(attention.trace[model::roles::weights].select(0, sample).select(0, head), self);
  return lesson::pattern_of(measure.shares());
}

std::optional<HeadPattern> held_out_pattern_of(const document::Computed& computed,
                                               const document::ComputedAttention& attention,
                                               std::size_t head) {
  if (!computed.translated || !computed.translated->trained) return std::nullopt;
  const auto shares = lesson::recorded_shares(attention.trace.name, head);
  if (!shares) return std::nullopt;
  return lesson::pattern_of(*shares);
}

std::string_view words_for(Pattern pattern) { return text_of(pattern, ".long"); }

std::string_view short_words_for(Pattern pattern) { return text_of(pattern, ".short"); }

std::string held_out_words() {
  return base::text("stage.heads.held_out", {{"count", lesson::recorded_sentences()}});
}

std::string percent(float share) {
  return std::to_string(static_cast<int>(share * 100.0F + 0.5F)) + " %";
}

std::string meaning_of(const HeadPattern& does) {
  if (does.pattern != Pattern::one) return {};
  return ": " + base::text("stage.pattern.one.means", {{"share", percent(does.share)},
                                                       {"least", percent(lesson::least_share)}});
}

}  // namespace stage
