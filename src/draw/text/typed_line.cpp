#include "draw/text/typed_line.hpp"

#include <algorithm>
#include <cmath>

#include "draw/text/type.hpp"

namespace draw {

TypedLine::TypedLine(ImFont* font, float size, std::string_view text)
    : font_(font), size_(size), text_(text), to_left_(runs_to_left(text)) {
  for (const Piece& piece : pieces_of(text_)) {
    const auto begin = static_cast<std::size_t>(piece.text.data() - text_.data());
    const float wide = measure(font_, size_, piece.text).x;
    parts_.push_back({begin, begin + piece.text.size(), piece.to_left, width_, wide});
    width_ += wide;
  }
}

/// Where the caret stands in this part.
float TypedLine::place(const Part& part, std::size_t offset) const {
  if (offset <= part.begin) return part.to_left ? part.x + part.width : part.x;
  if (offset >= part.end) return part.to_left ? part.x : part.x + part.width;
  const std::string_view before(text_.data() + part.begin, offset - part.begin);
  const float wide = std::min(part.width, measure(font_, size_, before).x);
  return part.to_left ? part.x + part.width - wide : part.x + wide;
}

/// The part with the letter before the offset.
const TypedLine::Part* TypedLine::part_before(std::size_t offset) const {
  const auto part = std::find_if(parts_.begin(), parts_.end(), [offset](const Part& each) {
    return each.begin < offset && offset <= each.end;
  });
  return part == parts_.end() ? nullptr : &*part;
}

float TypedLine::caret(std::size_t offset) const {
  const Part* part = part_before(std::min(offset, text_.size()));
  if (part == nullptr) return to_left_ ? width_ : 0.0F;
  return place(*part, offset);
}

std::size_t TypedLine::offset_at(float x) const {
  if (parts_.empty()) return 0;
  const Part* at = &parts_.back();
  for (const Part& part : parts_) {
    if (x > part.x + part.width) continue;
    at = &part;
    break;
  }
  std::size_t nearest = at->begin;
  float least = std::fabs(place(*at, at->begin) - x);
  for (std::size_t offset = at->begin; offset < at->end;) {
    offset += character_end(std::string_view(text_).substr(offset, at->end - offset));
    const float away = std::fabs(place(*at, offset) - x);
    if (away >= least) continue;
    least = away;
    nearest = offset;
  }
  return nearest;
}

bool TypedLine::grows_left(std::size_t offset) const {
  const Part* part = part_before(std::min(offset, text_.size()));
  return part == nullptr ? to_left_ : part->to_left;
}

std::vector<std::pair<float, float>> TypedLine::selected(std::size_t begin, std::size_t end) const {
  std::vector<std::pair<float, float>> places;
  for (const Part& part : parts_) {
    const std::size_t first = std::max(begin, part.begin);
    const std::size_t last = std::min(end, part.end);
    if (first >= last) continue;
    const auto [left, right] = std::minmax({place(part, first), place(part, last)});
    places.emplace_back(left, right);
  }
  return places;
}

std::pair<std::size_t, std::size_t> TypedLine::word(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const std::size_t before = offset == 0 ? std::string::npos : text_.rfind(' ', offset - 1);
  return {before == std::string::npos ? 0 : before + 1,
          std::min(text_.find(' ', offset), text_.size())};
}

}  // namespace draw
