#include "stage/layout/tip_labels.hpp"

#include <algorithm>
#include <cstddef>

#include "stage/layout/lettering.hpp"

namespace stage {

namespace {

constexpr std::size_t most_lines = 2;  // that may run through quiet words

/// Whether the line from a to b runs through the rectangle; the method is that of W. Liang and B.
/// Barsky, "A new concept and method for line clipping", ACM Transactions on Graphics 3 (1984).
bool runs_through(const Rect& rect, Point a, Point b) {
  float begin = 0.0F;
  float end = 1.0F;
  const auto cut = [&](float start, float way, float low, float high) {
    if (way == 0.0F) return start > low && start < high;
    const float first = (low - start) / way;
    const float last = (high - start) / way;
    begin = std::max(begin, std::min(first, last));
    end = std::min(end, std::max(first, last));
    return begin < end;
  };
  return cut(a.x, b.x - a.x, rect.x, rect.right()) && cut(a.y, b.y - a.y, rect.y, rect.bottom());
}

/// How many segments of the figure's strokes run through a place.
std::size_t lines_through(const Figure& figure, const Rect& place) {
  std::size_t count = 0;
  for (const Stroke& stroke : figure.strokes) {
    for (std::size_t i = 0; i + 1 < stroke.points.size(); ++i) {
      if (runs_through(place, stroke.points[i], stroke.points[i + 1])) ++count;
    }
  }
  return count;
}

}  // namespace

void TipLabels::put(Figure& figure, Point tip, const std::string& text, Tone tone, float size) {
  if (text.empty()) return;
  const bool right = tip.x >= origin_.x;
  const bool up = tip.y <= origin_.y;
  const float beside = right ? 7.0F : -7.0F;
  const float over = (up ? -1.0F : 1.0F) * (size / 2.0F + 6.0F);
  const Side out = right ? Side::left : Side::right;
  const Side in = right ? Side::right : Side::left;
  const Words tries[] = {words_at({tip.x + beside, tip.y}, out, text, tone, size),
                         words_at({tip.x, tip.y + over}, Side::centre, text, tone, size),
                         words_at({tip.x + beside, tip.y + over}, out, text, tone, size),
                         words_at({tip.x, tip.y - over}, Side::centre, text, tone, size),
                         words_at({tip.x + beside, tip.y - over}, out, text, tone, size),
                         words_at({tip.x - beside, tip.y + over}, in, text, tone, size),
                         words_at({tip.x - beside, tip.y}, in, text, tone, size),
                         words_at({tip.x, tip.y + over * 2.0F}, Side::centre, text, tone, size),
                         words_at({tip.x, tip.y - over * 2.0F}, Side::centre, text, tone, size)};
  const Words* best = nullptr;
  std::size_t fewest = 0;
  for (const Words& words : tries) {
    const Rect place = place_of(words);
    if (!is_free(place)) continue;
    const std::size_t lines = lines_through(figure, place);
    if (best != nullptr && lines >= fewest) continue;
    best = &words;
    fewest = lines;
    if (lines == 0) break;
  }
  if (best == nullptr || (tone == Tone::quiet && fewest > most_lines)) return;
  taken_.push_back(place_of(*best));
  figure.words.push_back(*best);
}

bool TipLabels::is_free(const Rect& place) const {
  if (place.x < area_.x || place.y < area_.y || place.right() > area_.right() ||
      place.bottom() > area_.bottom()) {
    return false;
  }
  return std::none_of(taken_.begin(), taken_.end(),
                      [&](const Rect& other) { return other.inset(-1.0F).overlaps(place); });
}

}  // namespace stage
