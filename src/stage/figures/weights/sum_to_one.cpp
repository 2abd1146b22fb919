#include "stage/figures/weights/sum_to_one.hpp"

#include <cmath>

#include "base/text.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

std::optional<document::Command> sum_to_one(const QueryRow& row) {
  if (!row.trace().overrides.gives(row.sample(), row.head(), row.query())) return std::nullopt;
  std::vector<float> weights = row.values("attention_weights");
  double sum = 0.0;
  for (const float weight : weights) sum += static_cast<double>(weight);
  if (sum <= 0.0 || std::abs(sum - 1.0) < 0.0005) return std::nullopt;
  for (float& weight : weights) weight = static_cast<float>(static_cast<double>(weight) / sum);
  return document::SetWeights{row.attention().id,
                              {row.sample(), row.head(), row.query(), std::move(weights)}};
}

std::string rounded_sum(const std::vector<float>& weights, int decimals) {
  const double parts = std::pow(10.0, decimals);
  double sum = 0.0;
  double printed = 0.0;
  for (const float weight : weights) {
    sum += static_cast<double>(weight);
    printed += std::nearbyint(static_cast<double>(weight) * parts) / parts;
  }
  const std::string text = number_text(static_cast<float>(printed), decimals);
  return text == number_text(static_cast<float>(sum), decimals) ? std::string() : text;
}

bool put_sum_to_one(Figure& figure, const QueryRow& row, Point at, Side side, float room,
                    float size) {
  std::optional<document::Command> command = sum_to_one(row);
  if (!command) return false;
  constexpr float padding = 7.0F;
  const std::string words = longest_fitting(
      {base::text("stage.sum.make_one"), base::text("stage.sum.make_one.short"), ""}, size,
      room - 2.0F * padding);
  if (words.empty()) return false;
  const float width = text_width(words, size) + 2.0F * padding;
  const float height = size + 7.0F;
  const float left = side == Side::right ? at.x - width : at.x;
  const Rect button{left, at.y - height / 2.0F, width, height};
  add_frame(figure, button, Tone::line, 1.0F);
  add_words(figure, button.centre(), Side::centre, words, Tone::accent, size);
  figure.targets.push_back(
      {button, std::string(base::text("stage.sum.make_one.label")), std::move(command), {}});
  return true;
}

}  // namespace stage
