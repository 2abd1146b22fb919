#include "stage/wording/translation_words.hpp"

#include <cmath>

#include "base/text.hpp"
#include "lesson/steps/formula.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

std::string two_decimals(double value) { return number_text(static_cast<float>(value), 2); }

}  // namespace

std::string probability_words(double probability) {
  const long tenths = std::lround(probability * 1000.0);
  if (tenths == 0) return "< 0.1 %";
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::string unchanged_words(const lesson::Translated& translated, const Fits& fits) {
  if (!translated.unchanged) return {};
  const lesson::Translated::Unchanged& unchanged = *translated.unchanged;
  const auto about = [&](const std::string& text) {
    return base::text("stage.translation.unchanged",
                      {{"text", text},
                       {"now", probability_words(std::exp(unchanged.log_probability_now))},
                       {"before", probability_words(std::exp(unchanged.log_probability))},
                       {"log_now", two_decimals(unchanged.log_probability_now)},
                       {"log_before", two_decimals(unchanged.log_probability)}});
  };
  const auto fits_about = [&](const std::string& text) { return !fits || fits(about(text)); };
  return about(shortened(unchanged.text, fits_about));
}

std::string finished_words(const lesson::Translated::Finished& finished) {
  return base::text("stage.translation.finished",
                    {{"sum", two_decimals(finished.log_probability)},
                     {"mean", two_decimals(finished.mean_log_probability())}});
}

std::size_t kept_bytes(const document::ComputedAttention& attention) {
  const model::Config& config = attention.trace.config;
  return config.key_len * attention.kept_layers * 2 * config.num_kv_heads * config.head_dim() *
         sizeof(float);
}

std::string step_text(const lesson::Step& step, const document::ComputedAttention& attention,
                      bool guessing) {
  std::string text = lesson::text_for(step, attention.trace, guessing);
  if (step.id != lesson::StepId::project) return text;
  if (document::keeps_tokens(attention)) text += ' ' + std::string(base::text("stage.cache.step"));
  if (attention.kept_layers == 0) return text;
  const bool cross = lesson::kind_of(attention.id) == lesson::AttentionId::cross_attention;
  text += ' ';
  text += base::text(cross ? "stage.translation.kept_source" : "stage.translation.kept_target");
  const model::Config& config = attention.trace.config;
  text += ' ' + base::text("stage.translation.kept_bytes", {{"tokens", config.key_len},
                                                            {"layers", attention.kept_layers},
                                                            {"heads", config.num_kv_heads},
                                                            {"width", config.head_dim()},
                                                            {"bytes", kept_bytes(attention)}});
  return text;
}

}  // namespace stage
