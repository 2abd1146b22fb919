// The words of the sentence and the arcs from the query to its keys.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/order.hpp"
#include "base/text.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {

float sentence_arc_width(float share, float height, float narrowed) {
  return 1.0F + narrowed * std::clamp(height * 0.08F, 6.0F, 13.0F) * std::clamp(share, 0.0F, 1.0F);
}

namespace sentence {

namespace {

void put_word(Figure& figure, const QueryRow& row, const Line& line, std::size_t i, float top,
              bool is_query, bool numbered) {
  const std::size_t token = line.tokens[i];
  const std::string& whole = is_query ? row.query_token(token) : row.key_token(token);
  const bool chosen = is_query && token == row.query();
  const float y = top + word_height / 2.0F;
  const float room = line.slot - (line.type > small_type ? 4.0F : 1.0F);
  const float width = text_width(whole, line.type, false, chosen);
  const std::string number = std::to_string(token);
  const float number_width = text_width(number, 10.5F, true) + 5.0F;
  const Tone tone = chosen ? Tone::strong : whole == lesson::pad_token ? Tone::quiet : Tone::text;
  const float x = line.middle(i) - (numbered ? number_width / 2.0F : 0.0F);
  std::vector<std::string> words;
  for (const std::size_t each : line.tokens)
    words.push_back(is_query ? row.query_token(each) : row.key_token(each));
  const std::string word = shortened_apart(words, line.type, room)[i];
  figure.words.push_back(words_at({x, y}, Side::centre, word, tone, line.type));
  if (numbered) {
    figure.words.push_back(
        number_at({x + width / 2.0F + 4.0F, y + 2.0F}, Side::left, number, Tone::quiet, 10.5F));
  }
}

/// Whether every word of the line has room for its index beside it.
bool has_numbers(const QueryRow& row, const Line& line, bool queries) {
  return std::all_of(line.tokens.begin(), line.tokens.end(), [&](std::size_t token) {
    const std::string& word = queries ? row.query_token(token) : row.key_token(token);
    const float width = text_width(word, line.type, false, queries) +
                        text_width(std::to_string(token), 10.5F, true) + 5.0F;
    return width <= line.slot - 2.0F;
  });
}

/// The part of a cubic Bézier curve from 0 to t, by de Casteljau's algorithm.
std::vector<Point> cut_off(const std::array<Point, 4>& curve, float t) {
  const auto mix = [t](Point a, Point b) {
    return Point{a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
  };
  const Point ab = mix(curve[0], curve[1]);
  const Point bc = mix(curve[1], curve[2]);
  const Point cd = mix(curve[2], curve[3]);
  const Point abc = mix(ab, bc);
  const Point bcd = mix(bc, cd);
  return {curve[0], ab, abc, mix(abc, bcd)};
}

/// The legs of the loop from the query to itself, from middle to middle.
float loop_width(float width) { return width + 10.0F; }

/// One arc for each key that has a slot.
struct Arcs {
  std::vector<float> widths;
  std::vector<float> starts;  ///< x of the middle, where they leave the query
};

/// Arcs start side by side in an order in which none crosses another: to the left, the arc to the
/// nearest key starts outermost. Where they are many and wide, all are narrowed until they have
/// room within the query's slot, but not so far that weights cannot be told apart.
Arcs arcs_from(const Places& places, std::size_t query, const std::vector<float>& shares) {
  const std::size_t count = places.keys.tokens.size();
  const float middle = places.queries.middle(query);
  std::vector<base::SortKey> order;
  for (std::size_t i = 0; i < count; ++i) {
    const float away = places.keys.middle(i) - middle;
    // In one line the arcs are nested, so far keys start in the middle; between two lines they fan
    // out.
    const float side = away < 0.0F ? -1.0F : away > 0.0F ? 1.0F : 0.0F;
    order.push_back({static_cast<double>(places.self ? side : away),
                     static_cast<double>(places.self ? -away : 0.0F)});
  }
  constexpr float gap = 1.5F;
  const float height = places.arcs_bottom() - places.arcs_top;
  const float slot = places.queries.slot * 0.92F;
  Arcs arcs;
  std::vector<float> taken(count);  // by each arc, side by side
  const auto lay_out = [&](float narrowed) {
    arcs.widths.clear();
    for (const float share : shares)
      arcs.widths.push_back(sentence_arc_width(share, height, narrowed));
    float sum = gap * static_cast<float>(count - 1);
    for (std::size_t i = 0; i < count; ++i) {
      const bool loop = places.self && i == query;
      taken[i] = arcs.widths[i] + (loop ? loop_width(arcs.widths[i]) : 0.0F);
      sum += taken[i];
    }
    return sum;
  };
  const float least = lay_out(0.0F);
  const float most = lay_out(1.0F);
  float sum = most;
  if (most > slot) sum = lay_out(std::max(sentence_arc_narrowest, (slot - least) / (most - least)));
  // Few thin arcs stand apart all the same.
  const float spread = std::max(std::min(sum, slot), std::min(places.queries.slot * 0.6F, 46.0F));
  const float between = count < 2 ? 0.0F : gap + (spread - sum) / static_cast<float>(count - 1);
  arcs.starts.assign(count, middle);
  float x = middle - (count < 2 ? sum : spread) / 2.0F;
  for (const std::size_t i : base::order_of(order)) {
    arcs.starts[i] = x + taken[i] / 2.0F;
    x += taken[i] + between;
  }
  return arcs;
}

/// The curve from the query to the i-th key.
std::array<Point, 4> curve_to(const Places& places, std::size_t i, float start, float farthest) {
  const float end = places.keys.middle(i);
  if (!places.self) {
    const Point from{start, places.arcs_top};
    const Point to{end, places.arcs_bottom()};
    const float bend = (to.y - from.y) * 0.5F;
    return {from, {from.x, from.y + bend}, {to.x, to.y - bend}, to};
  }
  // A cubic curve rises to three quarters of the height of its control points.
  const float base = places.arcs_bottom();
  const float room = base - places.arcs_top - 10.0F;
  const float away = std::fabs(end - start);
  const float rise = room * (0.3F + 0.7F * std::min(1.0F, away / farthest)) / 0.75F;
  return {Point{start, base}, {start, base - rise}, {end, base - rise}, {end, base}};
}

/// The loop from the query to itself, which stays inside its slot: two legs with half a circle on
/// top. A cubic curve would bend so sharply there that a wide stroke tears.
std::vector<Point> loop_over(const Places& places, std::size_t i, float start, float width) {
  const float base = places.arcs_bottom();
  const float room = base - places.arcs_top - 10.0F;
  const float half = loop_width(width) / 2.0F;
  const float edge = places.keys.slot / 2.0F - half - width / 2.0F;
  const float middle = places.keys.middle(i);
  const float x = edge > 0.0F ? std::clamp(start, middle - edge, middle + edge) : middle;
  const float rise = std::min(room, std::max(room * 0.3F, 14.0F + 1.5F * width));
  const float bend = base - std::max(rise - half, 0.0F);  // where the legs end
  constexpr int pieces = 24;
  std::vector<Point> points{{x - half, base}};
  for (int piece = 0; piece <= pieces; ++piece) {
    const float turn = std::numbers::pi_v<float> * static_cast<float>(piece) / pieces;
    points.push_back({x - half * std::cos(turn), bend - half * std::sin(turn)});
  }
  points.push_back({x + half, base});
  return points;
}

/// The first part of a line, t of its length.
std::vector<Point> cut_off(const std::vector<Point>& line, float t) {
  float length = 0.0F;
  for (std::size_t i = 1; i < line.size(); ++i)
    length += std::hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y);
  float left = length * t;
  std::vector<Point> part{line.front()};
  for (std::size_t i = 1; i < line.size() && left > 0.0F; ++i) {
    const Point from = line[i - 1];
    const Point to = line[i];
    const float piece = std::hypot(to.x - from.x, to.y - from.y);
    const float share = piece > left ? left / piece : 1.0F;
    part.push_back({from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
    left -= piece;
  }
  return part;
}

}  // namespace

/// Where not all queries have room, the way to the others.
void put_ways(Figure& figure, const QueryRow& row, const Places& places) {
  const std::vector<std::size_t>& shown = places.queries.tokens;
  constexpr float finger = 24.0F;
  const auto way = [&](std::size_t token, const char* sign, float x, float left,
                       const char* label) {
    const Point middle{x, places.queries_top + word_height / 2.0F};
    figure.words.push_back(words_at(middle, Side::centre, sign, Tone::accent, 17.0F));
    figure.targets.push_back({{left, places.queries_top, finger, word_height},
                              base::text(label, {{"token", row.query_token(token)}}),
                              document::ChooseQuery{token},
                              {}});
  };
  const float left = places.queries.left - room_for_way;
  const float right = places.queries.right() + room_for_way;
  if (shown.front() > 0)
    way(shown.front() - 1, "‹", left + room_for_way / 2.0F, left, "stage.query.previous");
  if (shown.back() + 1 < row.trace().config.query_len)
    way(shown.back() + 1, "›", right - room_for_way / 2.0F, right - finger, "stage.query.next");
}

void put_words(Figure& figure, const QueryRow& row, const Places& places) {
  const auto frame = [&](const Line& line, std::size_t i, float top) {
    return Rect{line.left + line.slot * static_cast<float>(i), top, line.slot, word_height};
  };
  const bool numbered = has_numbers(row, places.queries, true);
  for (std::size_t i = 0; i < places.queries.tokens.size(); ++i) {
    const std::size_t token = places.queries.tokens[i];
    const Rect place = frame(places.queries, i, places.queries_top);
    if (token == row.query()) {
      Bar under;
      under.place = place.inset(2.0F);
      under.tone = Tone::accent;
      under.opacity = 0.2F;
      figure.bars.push_back(under);
    }
    put_word(figure, row, places.queries, i, places.queries_top, true, numbered);
    Target target;
    target.place = place;
    target.label = base::text("stage.query.choose", {{"token", row.query_token(token)}});
    target.click = document::ChooseQuery{token};
    target.point = document::ChooseQuery{token};
    figure.targets.push_back(std::move(target));
  }
  if (places.self) return;
  put_ways(figure, row, places);
  const bool keys_numbered = has_numbers(row, places.keys, false);
  for (std::size_t i = 0; i < places.keys.tokens.size(); ++i)
    put_word(figure, row, places.keys, i, places.keys_top, false, keys_numbered);
}

void put_arcs(Figure& figure, const QueryRow& row, const Places& places,
              const std::vector<float>& weights, const std::vector<float>& grown, bool faint) {
  const float largest = largest_weight(row, places.mean, weights);
  const auto query = places.queries.of(row.query());
  if (!query || !(largest > 0.0F)) return;
  std::vector<float> shares;
  for (const std::size_t key : places.keys.tokens)
    shares.push_back(length_of(weights[key]) / largest);
  const auto [widths, starts] = arcs_from(places, *query, shares);
  const std::size_t count = places.keys.tokens.size();
  float farthest = 1.0F;
  for (std::size_t i = 0; i < count; ++i)
    farthest = std::max(farthest, std::fabs(places.keys.middle(i) - starts[i]));
  // Sort by width, so that the widest arc is drawn last, on top of the others.
  std::vector<base::SortKey> order;
  for (const std::size_t key : places.keys.tokens)
    order.push_back({static_cast<double>(length_of(weights[key])), static_cast<double>(key)});
  for (const std::size_t i : base::order_of(order)) {
    const float share = shares[i];
    if (!(share > 0.0F) || grown[i] <= 0.0F) continue;
    Stroke stroke;
    const bool loop = places.self && places.keys.tokens[i] == row.query();
    stroke.points = loop ? cut_off(loop_over(places, i, starts[i], widths[i]), grown[i])
                         : cut_off(curve_to(places, i, starts[i], farthest), grown[i]);
    stroke.curved = !loop;
    stroke.tone = weights[places.keys.tokens[i]] < 0.0F ? Tone::below : Tone::text;
    stroke.width = widths[i];
    stroke.opacity = 0.3F + 0.7F * std::min(1.0F, share);
    // Not by opacity: in tight bends a stroke lies on itself.
    if (faint) {
      stroke.tone = Tone::line;
      stroke.opacity = 1.0F;
    }
    figure.strokes.push_back(std::move(stroke));
  }
}

}  // namespace sentence

}  // namespace stage
