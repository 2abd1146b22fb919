#include "draw/panels/focus/arithmetic_lines.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "draw/panels/focus/equation_line.hpp"
#include "model/roles.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/equation.hpp"

namespace draw {

using model::Cell;
using model::Explanation;
using model::Rule;
using model::Term;
using stage::number_text;

namespace {

constexpr float row_height = 24.0F;
constexpr float numbers_size = 12.0F;
constexpr float product_width = 66.0F;
constexpr float times_width = 14.0F;

class Arithmetic {
 public:
  Arithmetic(const Screen& screen, Requests& requests, const Explanation& made)
      : screen_(screen), requests_(requests), made_(made) {}

  /// The lines of the rule; none where its words say it all.
  void draw() {
    switch (made_.rule) {
      case Rule::same_number:
      case Rule::copied:
        return copy();
      case Rule::divided:
        first_number();
        line(base::text("draw.inspector.divided_by"), made_.divisor);
        return result("=");
      case Rule::mean:
        return mean();
      case Rule::position:
        return position();
      case Rule::softmax_gradient:
        return softmax_gradient();
      case Rule::difference:
        for (const Term& term : made_.terms)
          line(model::name_of(term.a.tensor), term.a, term.value);
        return result("=");
      case Rule::function_gradient:
      case Rule::scaled:
        first_number();
        line(base::text("draw.inspector.times"), made_.factor);
        return result("=");
      case Rule::capped:
        return capped();
      case Rule::scaled_sum:
      case Rule::normed_products:
      case Rule::sink_gradient:
        terms();
        return result(base::text("draw.inspector.sum"));
      case Rule::softmax:
        return softmax();
      case Rule::sum:
      case Rule::dot_product:
      case Rule::product:
        return sum();
      default:
        return;
    }
  }

 private:
  void copy() {
    if (made_.terms.empty()) return;
    const Cell& source = made_.terms[0].a;
    line(address_text(screen_.attention, source.tensor, source.index), source, made_.result);
  }

  void mean() {
    terms();
    sum_line();
    line(base::text("draw.inspector.divided_by"), made_.divisor);
    line("=", made_.result, true);
  }

  /// Of section 3.5 of the paper: each pair of columns has a sine and a cosine of one angle.
  void position() {
    const tensor::Index& at = made_.cell.index;
    const std::size_t column = at.back();
    const std::size_t width = screen_.attention.trace[made_.cell.tensor].shape().back();
    line(base::text("draw.inspector.position"), static_cast<double>(at[at.rank() - 2]));
    line(base::text(
             "draw.inspector.divided_by_power",
             {{"exponent", std::to_string(column - column % 2) + "/" + std::to_string(width)}}),
         made_.divisor);
    result(column % 2 == 0 ? "sin" : "cos");
  }

  void softmax_gradient() {
    double sum = 0.0;
    for (const Term& term : made_.terms) sum += term.value;
    const Cell& own = made_.terms[made_.selected].a;
    const auto number = static_cast<double>(own.value);
    terms();
    sum_line();
    line(base::text("draw.inspector.sum_over_row"), sum);
    line(base::text("draw.inspector.own_gradient"), own, number);
    line(base::text("draw.inspector.own_less_sum"), number - sum);
    line(base::text("draw.inspector.times_weight"), made_.factor);
    line("=", made_.result, true);
  }

  void capped() {
    first_number();
    line(base::text("draw.inspector.divided_by_cap"), made_.divisor);
    line("tanh", made_.result / made_.divisor);
    line(base::text("draw.inspector.times_cap"), made_.divisor);
    result("=");
  }

  void softmax() {
    if (made_.maximum) {
      const bool column = stage::runs_down_columns(screen_.attention) &&
                          !screen_.session.document().view_state.guessing;
      line(base::text(column ? "draw.inspector.maximum_of_column" : "draw.inspector.maximum"),
           *made_.maximum);
    }
    terms();
    if (made_.bias) {
      line(base::text("draw.inspector.exponential_of_sink"), *made_.bias,
           std::exp(static_cast<double>(made_.bias->value) - *made_.maximum));
    }
    sum_line();
    line(base::text("draw.inspector.sum_of_exponentials"), made_.denominator);
    line(base::text("draw.inspector.own_exponential"), made_.terms[made_.selected].value);
    line(base::text("draw.inspector.own_by_sum"), made_.result, true);
  }

  /// While it plays, the sum so far.
  void sum() {
    terms();
    if (made_.bias)
      line(base::text("draw.inspector.bias"), *made_.bias, static_cast<double>(made_.bias->value));
    const std::optional<std::size_t>& added = screen_.focus.added;
    if (!added || *added >= made_.terms.size()) return result(base::text("draw.inspector.sum"));
    double so_far = 0.0;
    for (std::size_t i = 0; i < *added; ++i) so_far += made_.terms[i].value;
    sum_line();
    line(base::text("draw.inspector.so_far", {{"added", *added}, {"count", made_.terms.size()}}),
         so_far, true);
  }

  void first_number() {
    const Cell& first = made_.terms[0].a;
    line(model::name_of(first.tensor), first, static_cast<double>(first.value));
  }
  void result(std::string_view name) {
    sum_line();
    line(name, made_.result, true);
  }

  /// A name on the left and a number on the right.
  void line(std::string_view left, double right, bool strong = false) {
    begin_row();
    label(left, width_ - product_width);
    product(right, strong);
  }

  /// A name, the number of one cell and its contribution.
  void line(std::string_view left, const Cell& cell, double right) {
    begin_row();
    const float wide = number_on_fill(nullptr, screen_, numbers_size, {}, cell);
    const float x = width_ - product_width - wide;
    label(left, x);
    number(cell, x);
    product(right, false);
  }

  void sum_line() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 1.0F},
                                        {at.x + ImGui::GetContentRegionAvail().x, at.y + 1.0F},
                                        packed(screen_.theme.line));
    Widgets::space(5.0F);
  }

  /// All terms of a sum; the middle part of a long one is combined into one line.
  void terms() {
    constexpr std::size_t all = 64;
    constexpr std::size_t at_the_ends = 8;
    const std::size_t count = made_.terms.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (count > all && i == at_the_ends) {
        double folded = 0.0;
        const std::size_t next = count - at_the_ends;
        for (std::size_t j = i; j < next; ++j) folded += made_.terms[j].value;
        line(base::text("draw.inspector.more", {{"count", next - i}}), folded);
        i = next;
      }
      const Term& term = made_.terms[i];
      const char* after = made_.rule != Rule::softmax ? "" : made_.maximum ? "− max)" : ")";
      term_line(stage::term_words(screen_.attention, made_, term), term, after, i);
    }
  }

  /// `after`: what follows the number if the term is an exponential.
  void term_line(std::string_view left, const Term& term, std::string_view after, std::size_t i) {
    begin_row();
    const std::optional<std::size_t>& added = screen_.focus.added;
    if (added && i == *added) {
      // Highlight the term that will be added next.
      ImGui::GetWindowDrawList()->AddRectFilled({at_.x - 6.0F, at_.y},
                                                {at_.x + width_ + 6.0F, at_.y + row_height},
                                                packed(screen_.theme.border, 0.6F), 4.0F);
    }
    const Cell& last = term.has_b ? term.b : term.a;
    const float right = number_on_fill(nullptr, screen_, numbers_size, {}, last);
    const float behind = measure(screen_.type.numbers, 11.5F, after).x;
    float x = width_ - product_width - behind - right;
    if (behind > 0.0F) sign(after, x + right + 3.0F + behind / 2.0F);
    number(last, x);
    if (term.has_b) {
      sign("×", x - times_width / 2.0F);
      x -= times_width + number_on_fill(nullptr, screen_, numbers_size, {}, term.a);
      number(term.a, x);
    } else if (behind > 0.0F) {
      x -= 30.0F;
      sign("exp(", x + 13.0F);
    }
    label(left, x);
    if (added && i >= *added) {
      set_text(ImGui::GetWindowDrawList(), screen_.type.numbers, numbers_size,
               {at_.x + width_, middle()}, Align::right, packed(screen_.theme.quiet), "· · ·");
    } else {
      product(term.value, false);
    }
  }

  void begin_row() {
    at_ = ImGui::GetCursorScreenPos();
    start_ = ImGui::GetCursorPos();
    width_ = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({width_, row_height});
    end_ = ImGui::GetCursorPos();
  }
  float middle() const { return at_.y + row_height / 2.0F; }

  void label(std::string_view text, float room) {
    set_text(ImGui::GetWindowDrawList(), screen_.type.words, 12.5F, {at_.x, middle()}, Align::left,
             packed(screen_.theme.quiet),
             fitting(screen_.type.words, 12.5F, text, std::max(20.0F, room - 6.0F)));
  }
  void sign(std::string_view text, float x) {
    set_text(ImGui::GetWindowDrawList(), screen_.type.numbers, 11.5F, {at_.x + x, middle()},
             Align::centre, packed(screen_.theme.quiet), text);
  }
  void product(double value, bool strong) {
    set_text(ImGui::GetWindowDrawList(),
             strong ? screen_.type.strong_numbers : screen_.type.numbers, numbers_size,
             {at_.x + width_, middle()}, Align::right, packed(screen_.theme.text),
             number_of(made_.cell.tensor, static_cast<float>(value)));
  }

  /// The number of a cell; a click leads there.
  void number(const Cell& cell, float x) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float wide = number_on_fill(list, screen_, numbers_size, {at_.x + x, middle()}, cell);
    ImGui::SetCursorPos({start_.x + x, start_.y});
    ImGui::PushID(next_++);
    if (ImGui::InvisibleButton("number", {wide, row_height}))
      requests_.go_to = CellRef{cell.tensor, cell.index};
    if (is_pointed_at()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRect({at_.x + x, at_.y + 2.0F}, {at_.x + x + wide, at_.y + row_height - 2.0F},
                    packed(screen_.theme.accent), 3.0F, 0, 1.5F);
      if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip))
        tooltip(base::text("draw.inspector.go_to",
                           {{"cell", address_text(screen_.attention, cell.tensor, cell.index)}}));
    }
    ImGui::PopID();
    ImGui::SetCursorPos(end_);
  }

  const Screen& screen_;
  Requests& requests_;
  const Explanation& made_;
  ImVec2 at_;
  ImVec2 start_;
  ImVec2 end_;
  float width_ = 0.0F;
  int next_ = 0;
};

/// The rule or, for sums, their operands, such as "sum of q_heads × k_heads".
std::string made_of(const Screen& screen, const Explanation& made) {
  if (made.terms.empty() || (made.rule != Rule::dot_product && made.rule != Rule::product))
    return std::string(
        stage::made_by(screen.attention, made, screen.session.document().view_state.guessing));
  const Term& term = made.terms.front();
  const std::string_view a = model::name_of(term.a.tensor);
  if (!term.has_b) return base::text("draw.inspector.sum_of", {{"tensor", a}});
  return base::text("draw.inspector.sum_of_products",
                    {{"a", a}, {"b", model::name_of(term.b.tensor)}});
}

}  // namespace

std::string number_of(model::TensorId tensor, float value) {
  return tensor.is_gradient() ? stage::equation_number(Cell{tensor, {}, value})
                              : number_text(value, 4);
}

void arithmetic(const Screen& screen, Widgets& widgets, Requests& requests,
                const Explanation& made) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{8.0F, 2.0F});
  widgets.words(made_of(screen, made), screen.theme.quiet, 12.5F);
  Arithmetic(screen, requests, made).draw();
  ImGui::PopStyleVar();
}

}  // namespace draw
