#include "draw/panels/training/loss_curve.hpp"

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/text.hpp"

namespace draw {

namespace {

/// Losses below this are drawn at the bottom.
constexpr double least_loss = 0.001;

/// How far above the bottom a loss is drawn.
float height_of(double loss, float height, double largest) {
  const double bounded = std::clamp(loss, least_loss, largest);
  return height *
         static_cast<float>(std::log(bounded / least_loss) / std::log(largest / least_loss));
}

}  // namespace

std::vector<int> labelled_powers(float height, double largest) {
  constexpr float least_apart = 15.0F;
  constexpr float label = 5.0F;  // half its height
  const auto apart = static_cast<double>(height) / std::log10(largest / least_loss);
  const int step = std::max(1, static_cast<int>(std::ceil(least_apart / apart)));
  std::vector<int> powers;
  for (int power = -6; power <= 6; ++power) {
    const double loss = std::pow(10.0, power);
    if (power % step != 0 || loss <= least_loss || loss >= largest) continue;
    if (height_of(loss, height, largest) >= label) powers.push_back(power);
  }
  return powers;
}

LossCurve::LossCurve(const Screen& screen, const stage::TrainingWords& words, std::size_t last_step,
                     const stage::Rect& place)
    : screen_(screen),
      words_(words),
      run_(*screen.session.training_run()),
      last_step_(last_step),
      place_(place),
      list_(ImGui::GetWindowDrawList()) {
  for (const float loss : run_.losses())
    largest_ = std::max(largest_, static_cast<double>(loss) * 1.2);
  largest_ = std::min(largest_, 1e6);
}

float LossCurve::x_of(double step) const {
  return place_.x + place_.width * static_cast<float>(step / static_cast<double>(last_step_));
}

float LossCurve::y_of(double loss) const {
  return place_.bottom() - height_of(loss, place_.height, largest_);
}

void LossCurve::powers_of_ten() {
  for (const int power : labelled_powers(place_.height, largest_)) {
    const double loss = std::pow(10.0, power);
    const float y = y_of(loss);
    list_->AddLine({place_.x, y}, {place_.right(), y}, packed(screen_.theme.border), 1.0F);
    set_text(list_, screen_.type.numbers, 10.5F, {place_.x - 5.0F, y}, Align::right,
             packed(screen_.theme.quiet), base::shortest_decimal(static_cast<float>(loss)));
  }
}

void LossCurve::draw() {
  const Theme& theme = screen_.theme;
  list_->AddRect({place_.x, place_.y}, {place_.right(), place_.bottom()}, packed(theme.border),
                 3.0F);
  powers_of_ten();
  training_line();
  held_out_line();
}

void LossCurve::held_out_line() {
  const Theme& theme = screen_.theme;
  ImVec2 last{};
  for (const document::TrainingRun::Measured& each : run_.measured()) {
    const ImVec2 at{x_of(static_cast<double>(each.steps)), y_of(each.held_out.loss)};
    if (each.steps > 0) list_->AddLine(last, at, packed(theme.accent), 2.0F);
    list_->AddCircleFilled(at, 2.5F, packed(theme.accent));
    last = at;
  }
}

bool LossCurve::stays_high(float words_width, float words_height) const {
  std::size_t at_the_top = 0;
  std::size_t at_the_bottom = 0;
  for (const document::TrainingRun::Measured& each : run_.measured()) {
    if (x_of(static_cast<double>(each.steps)) < place_.right() - words_width) continue;
    const float y = y_of(each.held_out.loss);
    at_the_top += y < place_.y + words_height ? 1 : 0;
    at_the_bottom += y > place_.bottom() - words_height ? 1 : 0;
  }
  return at_the_top > at_the_bottom;
}

void LossCurve::in_words() {
  const Theme& theme = screen_.theme;
  constexpr float row = 16.0F;
  constexpr float room_below = 22.0F;  // for the curve
  const bool in_a_row = place_.width >= 280.0F;
  const auto rows_fit = [&](float rows) { return place_.height >= rows * row + room_below; };
  const float rows = in_a_row ? 1.0F : 2.0F;
  const bool with_axis = rows_fit(rows + 1.0F);
  // They stand together where less of the curve is: at the bottom if it stays high.
  const bool below =
      stays_high(in_a_row ? 250.0F : 130.0F, row * (rows + (with_axis ? 1.0F : 0.0F)));
  float y = below ? place_.bottom() - 9.0F : place_.y + 9.0F;
  constexpr float sample = 16.0F;  // of a line, before its words
  float right = place_.right() - 6.0F;
  const auto line_in_words = [&](const std::string& words, Rgb colour, float thickness, bool dot) {
    right -= words_at(right, y, words, colour) + 3.0F;
    list_->AddRectFilled({right - sample - 3.0F, y - 7.0F}, {right, y + 7.0F}, packed(theme.page));
    list_->AddLine({right - sample, y}, {right - 4.0F, y}, packed(colour), thickness);
    if (dot) list_->AddCircleFilled({right - (sample + 4.0F) / 2.0F, y}, 2.5F, packed(colour));
  };
  const auto next_row = [&] {
    right = place_.right() - 6.0F;
    y += below ? -row : row;
  };
  line_in_words(words_.held_out_loss, theme.accent, 2.0F, true);
  if (in_a_row)
    right -= sample + 14.0F;
  else if (rows_fit(2.0F))
    next_row();
  else
    return;
  line_in_words(words_.training_loss, theme.quiet, 1.0F, false);
  if (!with_axis) return;
  next_row();
  words_at(right, y, base::text("draw.training.axis", {{"step", last_step_}}), theme.quiet);
}

float LossCurve::words_at(float right, float y, const std::string& words, Rgb colour) {
  const float width = measure(screen_.type.words, 11.5F, words).x;
  // No line of the chart runs through the words.
  list_->AddRectFilled({right - width - 3.0F, y - 7.0F}, {right + 3.0F, y + 7.0F},
                       packed(screen_.theme.page), 2.0F);
  set_text(list_, screen_.type.words, 11.5F, {right, y}, Align::right, packed(colour), words);
  return width;
}

void LossCurve::training_line() {
  const std::vector<float>& losses = run_.losses();
  std::vector<ImVec2> points;
  const auto columns = static_cast<std::size_t>(std::max(1.0F, place_.width / 2.0F));
  const std::size_t together = std::max<std::size_t>(1, last_step_ / columns);
  for (std::size_t first = 0; first < losses.size(); first += together) {
    const std::size_t count = std::min(together, losses.size() - first);
    double sum = 0.0;
    for (std::size_t i = first; i < first + count; ++i) sum += static_cast<double>(losses[i]);
    points.emplace_back(x_of(static_cast<double>(first) + static_cast<double>(count) / 2.0),
                        y_of(sum / static_cast<double>(count)));
  }
  list_->AddPolyline(points.data(), static_cast<int>(points.size()), packed(screen_.theme.quiet), 0,
                     1.0F);
}

}  // namespace draw
