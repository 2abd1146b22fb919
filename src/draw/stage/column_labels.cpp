#include "draw/stage/column_labels.hpp"

#include <algorithm>
#include <array>

namespace draw {

namespace {

constexpr float index_share = 0.78F;  // of the size of the words
constexpr float index_gap = 3.0F;

bool is_number(const std::string& text) {
  return text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

ColumnLabels::ColumnLabels(const stage::Block& block, const stage::Rect& cells,
                           const stage::Rect& viewport, const Type& type, float size, ImU32 colour,
                           ImDrawList* list, std::vector<DrawnText>& texts)
    : block_(block),
      cells_(cells),
      viewport_(viewport),
      type_(type),
      size_(size),
      colour_(colour),
      list_(list),
      texts_(texts),
      names_((block.column_ticks.empty() ? block.column_labels : block.column_ticks).words()),
      column_width_(cells.width / static_cast<float>(block.columns())) {}

/// Whether every name has room in its column, and `beside` more.
bool ColumnLabels::have_room(float beside) const {
  return std::all_of(names_.begin(), names_.end(), [&](const std::string& name) {
    return measure(type_.words, size_, name).x + beside <= column_width_ - 3.0F;
  });
}

bool ColumnLabels::fit() const {
  constexpr float enough_for_a_beginning = 18.0F;
  return column_width_ >= enough_for_a_beginning || have_room(0.0F);
}

std::string ColumnLabels::index(std::size_t column) const {
  return std::to_string(block_.index_of(0, column)[*block_.column_axis]);
}

void ColumnLabels::put(ImFont* font, float size, const stage::Rect& place, const std::string& text,
                       const char* kind, bool upright) const {
  if (text.empty() || !place.overlaps(viewport_)) return;
  if (upright)
    set_upright(list_, font, size, {place.centre().x, place.bottom()}, colour_, text);
  else
    set_text(list_, font, size, {place.x, place.centre().y}, Align::left, colour_, text);
  texts_.push_back({place, text, kind, std::nullopt, std::nullopt, font, size, colour_, upright});
}

void ColumnLabels::put_level() const {
  const std::vector<std::string> labels =
      shortened_apart(type_.words, size_, names_, column_width_ - 3.0F);
  const float index_size = size_ * index_share;
  if (block_.column_axis && says_nothing(labels)) return put_numbers(index_size);
  float beside = 0.0F;
  if (block_.column_axis && !is_number(names_[0])) {
    const std::string last = index(block_.columns() - 1);
    beside = index_gap + measure(type_.numbers, index_size, last).x;
    if (!have_room(beside)) beside = 0.0F;
  }
  const float y = cells_.y - 6.0F - size_ * 0.6F;
  for (std::size_t column = 0; column < labels.size(); ++column) {
    const stage::Point extent = measure(type_.words, size_, labels[column]);
    const stage::Rect place{middle(column) - (extent.x + beside) / 2.0F, y - extent.y / 2.0F,
                            extent.x, extent.y};
    put(type_.words, size_, place, labels[column], "column label", false);
    if (beside == 0.0F) continue;
    const std::string number = index(column);
    const stage::Point digits = measure(type_.numbers, index_size, number);
    put(type_.numbers, index_size,
        {place.right() + index_gap, y - digits.y / 2.0F + 1.0F, digits.x, digits.y}, number,
        "index", false);
  }
}

/// Whether so little is left of a name that it could be any.
bool ColumnLabels::says_nothing(const std::vector<std::string>& labels) const {
  constexpr std::size_t least_letters = 4;  // one of them is the …
  for (std::size_t column = 0; column < labels.size(); ++column) {
    const std::string& label = labels[column];
    const auto letters = std::count_if(label.begin(), label.end(), [](char byte) {
      return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    });
    if (label != names_[column] && static_cast<std::size_t>(letters) < least_letters) return true;
  }
  return false;
}

void ColumnLabels::put_numbers(float size) const {
  for (std::size_t column = 0; column < block_.columns(); ++column) {
    const std::string number = index(column);
    put(type_.numbers, size, over(column, measure(type_.numbers, size, number)), number, "index",
        false);
  }
}

void ColumnLabels::put_upright(float room) const {
  const float bottom = cells_.y - 7.0F;  // above the bar in the head's hue
  const std::vector<std::string> labels = shortened_apart(type_.words, size_, names_, room);
  for (std::size_t column = 0; column < labels.size(); ++column) {
    const stage::Point extent = measure(type_.words, size_, labels[column]);
    put(type_.words, size_,
        {middle(column) - extent.y / 2.0F, bottom - extent.x, extent.y, extent.x}, labels[column],
        "column label", true);
  }
}

stage::Rect ColumnLabels::over(std::size_t column, const stage::Point& extent) const {
  const float last = std::max(cells_.x, cells_.right() - extent.x);
  const float x = std::clamp(middle(column) - extent.x / 2.0F, cells_.x, last);
  return {x, cells_.y - 6.0F - extent.y, extent.x, extent.y};
}

void ColumnLabels::put_ticks(std::optional<std::size_t> named) const {
  if (names_.empty() || !block_.column_axis) return;
  constexpr float apart = 5.0F;
  stage::Rect taken;
  if (named && *named < names_.size()) {
    // A name over more than a quarter of the columns would belong to any of them.
    const bool is_short = measure(type_.strong, size_, names_[*named]).x <= cells_.width / 4.0F;
    const std::string name = is_short ? names_[*named] : index(*named);
    taken = over(*named, measure(type_.strong, size_, name));
    put(type_.strong, size_, taken, name, is_short ? "column label" : "index", false);
    if (is_short) taken = taken.inset(-apart);  // a number stands like the others
  }
  const float index_size = size_ * index_share;
  const float widest = measure(type_.numbers, index_size, index(names_.size() - 1)).x + apart;
  constexpr std::array<std::size_t, 7> steps = {1, 2, 5, 10, 20, 50, 100};
  for (const std::size_t step : steps) {
    if (widest > column_width_ * static_cast<float>(step)) continue;
    for (std::size_t column = 0; column < names_.size(); column += step) {
      const std::string number = index(column);
      const stage::Rect place = over(column, measure(type_.numbers, index_size, number));
      if (taken.empty() || !taken.overlaps(place))
        put(type_.numbers, index_size, place, number, "index", false);
    }
    return;
  }
}

std::optional<std::size_t> key_in_focus(const Scene& scene, const stage::Stage& stage) {
  if (!scene.focus || scene.focus->block >= stage.blocks.size()) return std::nullopt;
  const stage::Block& block = stage.blocks[scene.focus->block];
  const bool of_keys =
      block.column_axis && model::axes_of(block.tensor)[*block.column_axis] == model::Axis::Lk;
  return of_keys ? std::optional(scene.focus->column) : std::nullopt;
}

}  // namespace draw
