#include "stage/layout/lettering.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stage {

namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

/// The advance of a character in Inter at size 1, chosen by its first byte. Characters fall into a
/// few classes, each as wide as its widest member.
float advance(std::string_view character, bool strong) {
  const char first = character[0];
  const auto code = static_cast<unsigned char>(first);
  if (code >= 0xE3) return 1.05F;  // East Asian scripts are set in squares
  if (character == "…" || character == "∞") return 0.97F;
  if (code == 0xE2) return character == "“" || character == "”" ? 0.41F : 0.7F;
  if (code >= 0xC0) return 0.78F;
  const auto is_one_of = [first](std::string_view letters) {
    return letters.find(first) != std::string_view::npos;
  };
  if (is_one_of(" !',.:;Iijl")) return 0.31F;
  if (is_one_of("\"()/[\\]frt{|}")) return 0.4F;
  if (is_one_of("@MWm")) return strong ? 1.08F : 1.05F;
  if (is_one_of("%NOQGw+<=>ABCDHKRUVXY~&")) return strong ? 0.83F : 0.8F;
  return strong ? 0.66F : 0.62F;
}

}  // namespace

Figure figure_in(std::string name, const Rect& bounds) {
  Figure figure;
  figure.name = std::move(name);
  figure.bounds = bounds;
  return figure;
}

void zoom(Figure& figure, float factor, float dx, float dy) {
  const auto point = [=](Point& p) { p = {p.x * factor + dx, p.y * factor + dy}; };
  const auto rect = [=](Rect& r) {
    r = {r.x * factor + dx, r.y * factor + dy, r.width * factor, r.height * factor};
  };
  rect(figure.bounds);
  for (Patch& patch : figure.patches) rect(patch.place);
  for (Band& band : figure.bands) {
    for (float* y : {&band.top, &band.bottom}) *y = *y * factor + dy;
    for (float* x : {&band.upper[0], &band.upper[1], &band.lower[0], &band.lower[1]})
      *x = *x * factor + dx;
  }
  for (Bar& bar : figure.bars) rect(bar.place);
  for (Stroke& stroke : figure.strokes)
    std::for_each(stroke.points.begin(), stroke.points.end(), point);
  for (Words& words : figure.words) {
    point(words.at);
    words.size *= factor;
  }
  for (Target& target : figure.targets) rect(target.place);
}

void move(Figure& figure, float dx, float dy) { zoom(figure, 1.0F, dx, dy); }

Words words_at(Point at, Side side, std::string_view text, Tone tone, float size) {
  Words words;
  words.at = at;
  words.side = side;
  words.text = text;
  words.tone = tone;
  words.size = size;
  return words;
}

Words number_at(Point at, Side side, std::string_view text, Tone tone, float size) {
  Words words = words_at(at, side, text, tone, size);
  words.number = true;
  return words;
}

Stroke line_between(Point from, Point to, Tone tone) {
  Stroke stroke;
  stroke.points = {from, to};
  stroke.tone = tone;
  return stroke;
}

Words& add_words(Figure& figure, Point at, Side side, std::string_view text, Tone tone,
                 float size) {
  return figure.words.emplace_back(words_at(at, side, text, tone, size));
}

Words& add_number(Figure& figure, Point at, Side side, std::string_view text, Tone tone,
                  float size) {
  return figure.words.emplace_back(number_at(at, side, text, tone, size));
}

Stroke& add_line(Figure& figure, Point from, Point to, Tone tone) {
  return figure.strokes.emplace_back(line_between(from, to, tone));
}

void add_frame(Figure& figure, const Rect& around, Tone tone, float width) {
  const Point corner{around.x, around.y};
  Stroke& frame = add_line(figure, corner, {around.right(), around.y}, tone);
  frame.points.insert(frame.points.end(),
                      {{around.right(), around.bottom()}, {around.x, around.bottom()}, corner});
  frame.width = width;
}

float text_width(std::string_view text, float size, bool number, bool strong) {
  constexpr float figure = 0.6F;  // all glyphs of JetBrains Mono
  float width = 0.0F;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (end < text.size() && continues(text[end])) ++end;
    width += number ? figure : advance(text.substr(i, end - i), strong);
    i = end;
  }
  return width * size;
}

Rect place_of(const Words& words) {
  const float width = text_width(words.text, words.size, words.number, words.tone == Tone::strong);
  const float left = words.side == Side::left     ? words.at.x
                     : words.side == Side::centre ? words.at.x - width / 2.0F
                                                  : words.at.x - width;
  return {left, words.at.y - words.size / 2.0F, width, words.size};
}

std::string shortened(std::string_view text, const Fits& fits, float from_front) {
  if (fits(std::string(text))) return std::string(text);
  std::vector<std::size_t> ends{0};  // byte offsets where characters end
  for (std::size_t i = 1; i <= text.size(); ++i) {
    if (i == text.size() || !continues(text[i])) ends.push_back(i);
  }
  constexpr std::size_t least = 2;  // the first and the last letter
  for (std::size_t kept = ends.size() - 1; kept-- > least;) {
    const auto wanted = static_cast<std::size_t>(std::ceil(static_cast<float>(kept) * from_front));
    const std::size_t first = std::clamp<std::size_t>(wanted, 1, kept - 1);
    std::string made(text.substr(0, ends[first]));
    made += "…";
    made += text.substr(ends[ends.size() - 1 - (kept - first)]);
    if (fits(made)) return made;
  }
  return {};
}

std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, const Fits& fits) {
  std::vector<std::string> made;
  made.reserve(texts.size());
  bool whole = true;
  for (const std::string& text : texts) {
    made.push_back(shortened(text, fits));
    whole = whole && made.back() == text;
  }
  if (whole) return made;
  // Whether `as` in the place of text `i` would look like a different text's label.
  const auto is_like_another = [&](std::size_t i, const std::string& as) {
    for (std::size_t j = 0; j < texts.size(); ++j) {
      if (j != i && !as.empty() && made[j] == as && texts[j] != texts[i]) return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (made[i] == texts[i] || !is_like_another(i, made[i])) continue;
    std::string other = "#" + std::to_string(i);
    for (const float from_front : {0.0F, 1.0F}) {
      std::string tried = shortened(texts[i], fits, from_front);
      if (tried.empty() || is_like_another(i, tried)) continue;
      other = std::move(tried);
      break;
    }
    made[i] = std::move(other);
  }
  return made;
}

std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, float size,
                                         float width) {
  return shortened_apart(texts,
                         [&](const std::string& text) { return text_width(text, size) <= width; });
}

std::string cut_to(std::string_view text, float size, float width) {
  return shortened(text, [&](const std::string& made) { return text_width(made, size) <= width; });
}

std::string longest_fitting(const Lengths& texts, float size, float width, bool strong) {
  const Fits fits = [&](const std::string& text) {
    return text_width(text, size, false, strong) <= width;
  };
  for (const std::string& text : texts.all) {
    if (fits(text)) return text;
  }
  return texts.all.empty() ? std::string() : shortened(texts.all.back(), fits);
}

std::vector<std::string> lines_of(std::string_view text, float size, float width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    const std::string word(text.substr(0, space));
    text = space == std::string_view::npos ? std::string_view() : text.substr(space + 1);
    if (word.empty()) continue;
    if (!line.empty() && text_width(line + " " + word, size) <= width) {
      line += " " + word;
      continue;
    }
    if (!line.empty()) lines.push_back(std::move(line));
    line = cut_to(word, size, width);
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> lines_of(const std::vector<std::string>& texts, float size, float width) {
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    for (std::string& line : lines_of(text, size, width)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace stage
