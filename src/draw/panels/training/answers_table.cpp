#include "draw/panels/training/answers_table.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "base/text.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

namespace {

constexpr std::array keys = {"draw.training.token", "draw.training.answer", "draw.training.right"};

}  // namespace

std::string AnswersTable::row_name(std::size_t row) {
  if (row < keys.size()) return std::string(base::text(keys[row]));
  return base::text("draw.training.looks", {{"head", row - keys.size()}});
}

std::size_t AnswersTable::heads() const {
  for (const stage::TrainingWords::Asked& each : sequence_)
    if (!each.looks.empty()) return each.looks.size();
  return 0;
}

float AnswersTable::names_width() const {
  float widest = 0.0F;
  for (std::size_t row = 0; row < keys.size() + heads(); ++row)
    widest = std::max(widest, measure(screen_.type.words, type, row_name(row)).x);
  return widest + 10.0F;
}

float AnswersTable::column_width() const {
  float widest = 0.0F;
  for (const stage::TrainingWords::Asked& each : sequence_) {
    for (const std::string* text : {&each.token, &each.given, &each.right})
      widest = std::max(widest, measure(screen_.type.strong, type, *text).x);
    for (const stage::TrainingWords::Look& look : each.looks)
      widest = std::max(widest, measure(screen_.type.words, type, look.token).x);
  }
  return widest + 7.0F;
}

std::vector<std::size_t> AnswersTable::shown_in(float width) const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < sequence_.size(); ++i) shown.push_back(i);
  while (shown.size() > 1 && width_of(shown.size()) > width) {
    const auto unasked = std::find_if(shown.begin(), shown.end(),
                                      [this](std::size_t i) { return sequence_[i].right.empty(); });
    shown.erase(unasked == shown.end() ? shown.begin() : unasked);
  }
  return shown;
}

void AnswersTable::draw(ImDrawList* list, const stage::Rect& place) const {
  constexpr float line = 16.0F;
  const Theme& theme = screen_.theme;
  const std::vector<std::size_t> shown = shown_in(place.width);
  const float wide = column_width();
  const float names = names_width();
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown[i] == (i == 0 ? 0 : shown[i - 1] + 1)) continue;
    const float x = place.x + names + wide * static_cast<float>(i) - (i == 0 ? 6.0F : 0.0F);
    set_text(list, screen_.type.words, type, {x, place.y + line / 2.0F}, Align::centre,
             packed(theme.quiet), "…");
  }
  const auto room = static_cast<std::size_t>(std::max(0.0F, (place.height + 2.0F) / line));
  for (std::size_t row = 0; row < std::min(room, keys.size() + heads()); ++row) {
    const float y = place.y + line * (static_cast<float>(row) + 0.5F);
    set_text(list, screen_.type.words, type, {place.x, y}, Align::left, packed(theme.quiet),
             row_name(row));
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const stage::TrainingWords::Asked& asked = sequence_[shown[i]];
      if (row > 0 && asked.right.empty()) continue;
      const float x = place.x + names + wide * (static_cast<float>(i) + 0.5F);
      if (row >= keys.size()) {
        const stage::TrainingWords::Look& look = asked.looks[row - keys.size()];
        constexpr float palest = 0.35F;
        set_text(list, screen_.type.words, type, {x, y}, Align::centre,
                 packed(theme.text, std::clamp(look.weight * 1.5F, palest, 1.0F)), look.token);
        continue;
      }
      const std::string& text = row == 0 ? asked.token : row == 1 ? asked.given : asked.right;
      const bool wrong = row == 1 && asked.wrong();
      set_text(list, wrong ? screen_.type.strong : screen_.type.words, type, {x, y}, Align::centre,
               packed(wrong ? theme.wrong : theme.text), text);
    }
  }
}

}  // namespace draw
