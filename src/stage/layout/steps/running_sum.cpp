#include "stage/layout/steps/running_sum.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/motion/motion.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage {

namespace {

constexpr float heading = 26.0F;
constexpr float least_line = 13.0F;
constexpr float most_line = 24.0F;
constexpr float width_of_sum = 58.0F;
constexpr float width_of_small_sum = 68.0F;  // gradients have more digits
// The share of one cell's time in which the products are added; the rest is for reading the sum.
constexpr float all_added = 0.9F;
/// The share of one product's time in which its factors travel to the line; then its bar grows.
constexpr float on_the_way = 0.55F;
constexpr std::size_t most_in_detail = 12;
/// From the figure to the middle of the gap that its factors fly through.
constexpr float beside_figure = 8.0F;

/// One line of the figure: a product, the bias, or the rest for which there is no room.
struct SumLine {
  std::string name;
  double value = 0.0;
  const model::Term* term = nullptr;
};

/// Without the sample, which the whole screen is about. Weights have none.
std::string index_text(const model::Trace& trace, const document::CellRef& cell) {
  std::string indices;
  const ops::Axes axes = trace.axes_of(cell.tensor);
  for (std::size_t axis = 0; axis < cell.index.rank(); ++axis) {
    if (axes[axis] == model::Axis::B) continue;
    indices += (indices.empty() ? "" : ", ") + std::to_string(cell.index[axis]);
  }
  return std::string(model::name_of(cell.tensor)) + "[" + indices + "]";
}

std::vector<SumLine> lines_of_sum(const document::ComputedAttention& attention,
                                  const model::Explanation& made, std::size_t room) {
  std::vector<SumLine> lines;
  const std::size_t fixed = made.bias ? 1 : 0;
  const std::size_t terms = made.terms.size();
  const std::size_t shown =
      terms + fixed <= room ? terms : std::max<std::size_t>(1, room - std::min(room, fixed + 1));
  const ShortenedSum sum = shortened(made.terms, shown);
  for (const std::size_t i : sum.shown)
    lines.push_back(
        {term_words(attention, made, made.terms[i]), made.terms[i].value, &made.terms[i]});
  if (shown < terms) {
    const std::size_t left = terms - shown;
    SumLine rest{left > 1 ? base::text("stage.sum.more", {{"count", left}}) : "+ 1"};
    rest.value = sum.rest;
    lines.push_back(std::move(rest));
  }
  if (made.bias)
    lines.push_back(
        {std::string(base::text("stage.sum.bias")), static_cast<double>(made.bias->value)});
  return lines;
}

double mixed_sum(double from, double to, float t) {
  return from + (to - from) * static_cast<double>(t);
}

/// How many terms have been added. The bias comes last: it takes time but is not counted.
std::size_t terms_added(float progress, const model::Explanation& made) {
  const auto lines = static_cast<float>(made.terms.size() + (made.bias ? 1 : 0));
  const auto added = static_cast<std::size_t>(progress / all_added * lines);
  return std::min(added, made.terms.size());
}

/// A sum of what `cell` is made from. Most gradients are small, and set so that they tell.
std::string sum_text(const model::Cell& cell, double value) {
  if (!cell.tensor.is_gradient()) return short_text(value);
  return equation_number(model::Cell{cell.tensor, {}, static_cast<float>(value)});
}

std::string signed_text(const model::Cell& cell, double value) {
  const std::string text = sum_text(cell, value);
  return value >= 0.0 && text != "0" ? "+" + text : text;
}

std::string factor_text(const model::Cell& factor) {
  return factor.tensor.is_gradient() ? equation_number(factor) : number_in(factor.value, 6, 2);
}

/// Maps sums to positions on the axis, which always includes 0.
struct Axis {
  float left = 0.0F;
  float width = 0.0F;
  double low = 0.0;
  double high = 0.0;

  float at(double sum) const {
    const double range = std::max(high - low, 1e-12);
    return left + width * static_cast<float>((sum - low) / range);
  }
};

void put_bar(Figure& figure, const Axis& axis, double from, double to, float middle, float height) {
  const float a = axis.at(from);
  const float b = axis.at(to);
  Bar bar;
  bar.place = {std::min(a, b), middle - height / 2.0F, std::max(1.0F, std::fabs(b - a)), height};
  bar.tone = to < from ? Tone::below : Tone::result;
  bar.value = static_cast<float>(to - from);
  figure.bars.push_back(bar);
}

/// The point at t in 0 … 1 of the way from a cell to a line of the figure: level to the gap beside
/// the figure, up or down there, and along the line, which is still empty. Words stand elsewhere.
Point on_the_way_to(Point from, Point to, float gap, float t) {
  constexpr float at_gap = 0.35F;
  constexpr float at_line = 0.6F;
  if (t < at_gap) return {mixed(from.x, gap, t / at_gap), from.y};
  if (t < at_line) return {gap, mixed(from.y, to.y, (t - at_gap) / (at_line - at_gap))};
  return {mixed(gap, to.x, (t - at_line) / (1.0F - at_line)), to.y};
}

/// Names stay readable: what flies goes behind them.
bool covers_caption(const Stage& stage, const Rect& place) {
  return std::any_of(stage.groups.begin(), stage.groups.end(), [&place](const Group& group) {
    return !group.in_figure && !group.title.empty() && group.caption.overlaps(place);
  });
}

/// Draws the two factors of a product on their way to its line, one after the other, so that they
/// do not meet. They arrive on both sides of `to`, but not left of `name_ends`, past lines whose
/// numbers end at `numbers_end`. Where there is no room for both, the cells are only framed.
void put_on_the_way(Figure& figure, const Stage& stage, const model::Term& term, float way,
                    Point to, float name_ends, float numbers_end) {
  constexpr float behind = 0.45F;
  constexpr float type = 12.0F;
  constexpr float apart = 6.0F;
  const auto text_of = [](const model::Cell& cell) {
    return cell.tensor.is_gradient() ? equation_number(cell) : number_text(cell.value, 2);
  };
  const float first = text_width(text_of(term.a), type, true);
  to.x = std::max(to.x, name_ends + apart + (term.has_b ? first + apart : first / 2.0F));
  const float gap = figure.bounds.right() + beside_figure;
  const float second = term.has_b ? text_width(text_of(term.b), type, true) : 0.0F;
  const bool room = to.x + apart + second <= figure.bounds.right() &&
                    numbers_end + std::max(first, second) / 2.0F <= gap;
  const auto fly = [&](const model::Cell& cell, float begin, float side) {
    const auto hit = find_cell(stage, cell.tensor, cell.index);
    if (!hit) return;
    const Rect place = stage.blocks[hit->block].cell(hit->row, hit->column);
    add_frame(figure, place, Tone::accent, 1.5F);
    if (way < begin || !room) return;
    const std::string text = text_of(cell);
    const float aside = side * (apart + text_width(text, type, true) / 2.0F);
    const float t = eased(std::clamp((way - begin) / (1.0F - behind), 0.0F, 1.0F));
    Words number = number_at(on_the_way_to(place.centre(), {to.x + aside, to.y}, gap, t),
                             Side::centre, text, Tone::strong, type);
    number.plate = true;
    if (!covers_caption(stage, place_of(number))) figure.words.push_back(std::move(number));
  };
  fly(term.a, 0.0F, term.has_b ? -1.0F : 0.0F);
  if (term.has_b) fly(term.b, behind, 1.0F);
}

/// Frames the cell, and the row and the column that it is computed from.
void put_read(Figure& figure, const Stage& stage, const model::Trace& trace,
              const model::Explanation& made, const Rect& cell) {
  add_frame(figure, cell, Tone::accent, 1.5F);
  for (const CellRange& range : sources_on(stage, trace, made))
    add_frame(figure, bounds_of(stage, range).inset(-1.0F), Tone::quiet, 1.0F);
}

/// The figure of one sum: a line for each term, whose bars follow each other, and the sum below.
class SumFigure {
 public:
  SumFigure(const Stage& stage, const document::ComputedAttention& attention,
            const model::Explanation& made, const document::CellRef& cell, const RunningSum& sum)
      : stage_(stage),
        trace_(attention.trace),
        made_(made),
        cell_(cell),
        place_(sum.place),
        at_rest_(sum.progress >= 1.0F),
        figure_(figure_in("running-sum", sum.place)) {
    figure_.of_matrices = true;
    const auto room =
        static_cast<std::size_t>((place_.height - heading) / least_line) - 1;  // one for the sum
    lines_ = lines_of_sum(attention, made, room);
    count_ = static_cast<float>(lines_.size() + 1);
    pitch_ = std::clamp((place_.height - heading) / count_, least_line, most_line);
    type_ = std::clamp(pitch_ * 0.6F, 10.5F, 12.0F);
    thickness_ = std::min(pitch_ * 0.62F, 14.0F);
    for (const SumLine& line : lines_) sums_.push_back(sums_.back() + line.value);
    added_ = at_rest_ ? count_ : sum.progress / all_added * (count_ - 1.0F);
    columns();
  }

  static bool has_room(const Rect& place) {
    return place.width >= 96.0F && place.height >= heading + 3.0F * least_line;
  }

  Figure made() {
    title();
    if (finite_)
      add_line(figure_, {axis_.at(0.0), top()}, {axis_.at(0.0), top() + pitch_ * count_},
               Tone::line);
    for (std::size_t i = 0; i < lines_.size(); ++i) line(i);
    total();
    return std::move(figure_);
  }

 private:
  /// How the width is shared by names, numbers and bars.
  void columns() {
    const model::Term& first = made_.terms.front();
    factors_ = place_.width >= 330.0F && first.has_b;
    const float factors = factors_ ? width_of_factors() : 0.0F;
    names_ = name_terms(factors_ ? std::max(60.0F, place_.width * 0.4F - factors) : 78.0F);
    if (factors_) names_ = std::max(150.0F, names_ + factors);
    const float sum_width = std::min(
        place_.width - names_, cell_.tensor.is_gradient() ? width_of_small_sum : width_of_sum);
    numbers_end_ = place_.x + names_ + sum_width;
    axis_.left = numbers_end_ + 12.0F;
    axis_.width = std::max(8.0F, place_.right() - axis_.left - 2.0F);
    const auto [low, high] = std::minmax_element(sums_.begin(), sums_.end());
    axis_.low = *low;
    axis_.high = *high;
    constexpr float least_axis = 24.0F;
    finite_ = std::isfinite(axis_.low) && std::isfinite(axis_.high) &&
              axis_.left + least_axis <= place_.right();
  }

  float width_of_factors() const {
    float widest = 0.0F;
    for (const SumLine& line : lines_)
      if (line.term != nullptr)
        widest = std::max(widest, text_width(factors_of(line), type_, true));
    return widest;
  }

  /// Calls all terms by their place instead of in words, where those need more than `room`. Returns
  /// the width that the names of all lines take.
  float name_terms(float room) {
    constexpr float after = 8.0F;
    constexpr float least = 36.0F;
    float widest = 0.0F;
    for (const SumLine& line : lines_)
      if (line.term != nullptr || !factors_)
        widest = std::max(widest, text_width(line.name, type_));
    if (widest + after <= room) return std::max(widest + after, least);
    for (SumLine& line : lines_)
      if (line.term != nullptr) line.name = std::to_string(line.term - made_.terms.data());
    return lines_.size() < made_.terms.size() + (made_.bias ? 1 : 0) ? room : least;
  }

  static std::string factors_of(const SumLine& line) {
    return factor_text(line.term->a) + " × " + factor_text(line.term->b);
  }

  float top() const { return place_.y + heading; }
  float middle_of(float line) const { return top() + pitch_ * (line + 0.5F); }

  void title() {
    const std::string name = index_text(trace_, cell_);
    const std::string title = base::counted_text(made_.bias ? "stage.sum.products_and_bias"
                                                 : made_.terms.front().has_b ? "stage.sum.products"
                                                                             : "stage.sum.numbers",
                                                 made_.terms.size(), {{"cell", name}});
    add_words(figure_, {place_.x, place_.y + 9.0F}, Side::left,
              longest_fitting({title, name}, 12.5F, place_.width, true), Tone::strong, 12.5F);
  }

  /// A line as far as it has come: its name, its factors on their way, its number and its bar.
  void line(std::size_t i) {
    const SumLine& line = lines_[i];
    const float middle = middle_of(static_cast<float>(i));
    const float done = std::clamp(added_ - static_cast<float>(i), 0.0F, 1.0F);
    add_words(figure_, {place_.x, middle}, Side::left, line.name, Tone::quiet, type_);
    const bool flies = !at_rest_ && line.term != nullptr && lines_.size() <= most_in_detail + 1;
    if (done <= 0.0F) return;
    if (flies && done < on_the_way) {
      put_on_the_way(figure_, stage_, *line.term, done / on_the_way,
                     {place_.x + names_ / 2.0F + 28.0F, middle},
                     place_.x + text_width(line.name, type_), numbers_end_);
      return;
    }
    if (factors_ && line.term != nullptr) {
      add_number(figure_, {place_.x + names_, middle}, Side::right, factors_of(line), Tone::quiet,
                 type_);
    }
    add_number(figure_, {numbers_end_, middle}, Side::right, signed_text(made_.cell, line.value),
               Tone::text, type_);
    if (!finite_) return;
    const float grown = flies ? std::min(1.0F, (done - on_the_way) / (1.0F - on_the_way)) : done;
    put_bar(figure_, axis_, sums_[i], mixed_sum(sums_[i], sums_[i + 1], grown), middle, thickness_);
    if (i == 0) return;
    // This connects the bar to the end of the one before.
    const float x = axis_.at(sums_[i]);
    add_line(figure_, {x, middle - pitch_ + thickness_ / 2.0F}, {x, middle - thickness_ / 2.0F},
             Tone::quiet);
  }

  /// The sum so far; once it is complete, it is the number in the cell.
  void total() {
    const float middle = middle_of(count_ - 1.0F);
    add_line(figure_, {place_.x, middle - pitch_ / 2.0F}, {numbers_end_, middle - pitch_ / 2.0F},
             Tone::line);
    const bool whole = added_ >= count_ - 1.0F;
    const auto landed = static_cast<std::size_t>(std::min(added_, count_ - 1.0F));
    add_words(figure_, {place_.x, middle}, Side::left,
              base::text(whole ? "stage.sum.sum" : "stage.sum.so_far"), Tone::quiet, type_);
    Words& number = add_number(
        figure_, {numbers_end_, middle}, Side::right,
        sum_text(made_.cell, whole ? static_cast<double>(made_.cell.value) : sums_[landed]),
        Tone::strong, type_);
    if (whole) number.cell = cell_;
    if (finite_)
      put_bar(figure_, axis_, 0.0, whole ? sums_.back() : sums_[landed], middle, thickness_);
  }

  const Stage& stage_;
  const model::Trace& trace_;
  const model::Explanation& made_;
  const document::CellRef& cell_;
  const Rect place_;
  bool at_rest_;
  Figure figure_;
  std::vector<SumLine> lines_;
  std::vector<double> sums_{0.0};  ///< before the first line, and after each
  float count_ = 0.0F;             ///< of lines, that of the sum included
  float pitch_ = 0.0F;
  float type_ = 0.0F;
  float thickness_ = 0.0F;  ///< of a bar
  float added_ = 0.0F;      ///< how many lines are in the sum
  bool factors_ = false;    ///< they are written out, instead of a name's few letters
  float names_ = 0.0F;      ///< width of names and factors
  float numbers_end_ = 0.0F;
  Axis axis_;
  bool finite_ = false;  ///< bars can be drawn
};

}  // namespace

RunningSum explained_by(const Sweep& sweep, const Block& made, const Hit& rest, float progress) {
  RunningSum sum;
  sum.cell = rest;
  if (progress >= 1.0F) return sum;
  const std::size_t columns = made.columns();
  const Done done = done_at(sweep, made.rows() * columns, progress);
  std::size_t at = sweep.slow_first;
  if (done.cells >= sweep.slow_first && done.cells < sweep.slow_first + sweep.slow_count) {
    at = done.cells;
    sum.progress = done.next;
  } else if (done.cells > 0) {
    at = done.cells - 1;
  } else {
    sum.progress = 0.0F;
  }
  sum.cell = {sweep.block, at / columns, at % columns};
  return sum;
}

void put_running_sum(Stage& stage, const FigureInput& input, const RunningSum& sum) {
  const model::Trace& trace = input.attention.trace;
  const Block& block = stage.blocks[sum.cell.block];
  const document::CellRef cell{block.tensor, block.index_of(sum.cell.row, sum.cell.column)};
  const model::Explanation made = model::explain(trace, cell.tensor, cell.index);
  if (made.terms.empty()) return;
  const bool at_rest = sum.progress >= 1.0F;
  if (!at_rest) stage.growing = Growing{cell, terms_added(sum.progress, made)};
  if (!SumFigure::has_room(sum.place)) return;
  Figure figure = SumFigure(stage, input.attention, made, cell, sum).made();
  const Rect place = block.cell(sum.cell.row, sum.cell.column);
  if (at_rest)
    put_read(figure, stage, trace, made, place);
  else
    add_frame(figure, place, Tone::accent, 2.0F);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
