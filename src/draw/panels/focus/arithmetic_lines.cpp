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
  void terms(const document::ComputedAttention& attention, const Explanation& provenance) {
    constexpr std::size_t all = 64;
    constexpr std::size_t at_the_ends = 8;
    const std::size_t count = provenance.terms.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (count > all && i == at_the_ends) {
        double folded = 0.0;
        const std::size_t next = count - at_the_ends;
        for (std::size_t j = i; j < next; ++j) folded += provenance.terms[j].value;
        line(base::text("draw.inspector.more", {{"count", next - i}}), folded);
        i = next;
      }
      const Term& term = provenance.terms[i];
      const char* after = provenance.rule != Rule::softmax ? ""
                          : provenance.maximum             ? "− max)"
                                                           : ")";
      term_line(stage::term_words(attention, provenance, term), term, after, i);
    }
  }

 private:
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
  const document::ComputedAttention& attention = screen.attention;
  Arithmetic lines(screen, requests, made);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{8.0F, 2.0F});
  widgets.words(made_of(screen, made), screen.theme.quiet, 12.5F);
  switch (made.rule) {
    case Rule::same_number:
    case Rule::copied:
      if (made.terms.empty()) break;
      lines.line(address_text(attention, made.terms[0].a.tensor, made.terms[0].a.index),
                 made.terms[0].a, made.result);
      break;
    case Rule::divided:
      lines.line(std::string(model::name_of(made.terms[0].a.tensor)), made.terms[0].a,
                 static_cast<double>(made.terms[0].a.value));
      lines.line(base::text("draw.inspector.divided_by"), made.divisor);
      lines.sum_line();
      lines.line("=", made.result, true);
      break;
    case Rule::mean:
      lines.terms(attention, made);
      lines.sum_line();
      lines.line(base::text("draw.inspector.divided_by"), made.divisor);
      lines.line("=", made.result, true);
      break;
    case Rule::softmax_gradient: {
      double mean = 0.0;
      for (const Term& term : made.terms) mean += term.value;
      lines.terms(attention, made);
      lines.sum_line();
      lines.line(base::text("draw.inspector.sum_over_row"), mean);
      lines.line(base::text("draw.inspector.own_gradient"), made.terms[made.selected].a,
                 static_cast<double>(made.terms[made.selected].a.value));
      lines.line(base::text("draw.inspector.own_less_sum"),
                 static_cast<double>(made.terms[made.selected].a.value) - mean);
      lines.line(base::text("draw.inspector.times_weight"), made.factor);
      lines.line("=", made.result, true);
      break;
    }
    case Rule::difference:
      for (const Term& term : made.terms)
        lines.line(std::string(model::name_of(term.a.tensor)), term.a, term.value);
      lines.sum_line();
      lines.line("=", made.result, true);
      break;
    case Rule::function_gradient:
    case Rule::scaled:
      lines.line(std::string(model::name_of(made.terms[0].a.tensor)), made.terms[0].a,
                 static_cast<double>(made.terms[0].a.value));
      lines.line(base::text("draw.inspector.times"), made.factor);
      lines.sum_line();
      lines.line("=", made.result, true);
      break;
    case Rule::capped:
      lines.line(std::string(model::name_of(made.terms[0].a.tensor)), made.terms[0].a,
                 static_cast<double>(made.terms[0].a.value));
      lines.line(base::text("draw.inspector.divided_by_cap"), made.divisor);
      lines.line("tanh", made.result / made.divisor);
      lines.line(base::text("draw.inspector.times_cap"), made.divisor);
      lines.sum_line();
      lines.line("=", made.result, true);
      break;
    case Rule::scaled_sum:
    case Rule::normed_products:
    case Rule::sink_gradient:
      lines.terms(attention, made);
      lines.sum_line();
      lines.line(base::text("draw.inspector.sum"), made.result, true);
      break;
    case Rule::softmax:
      if (made.maximum) {
        const bool column =
            stage::runs_down_columns(attention) && !screen.session.document().view_state.guessing;
        lines.line(
            base::text(column ? "draw.inspector.maximum_of_column" : "draw.inspector.maximum"),
            *made.maximum);
      }
      lines.terms(attention, made);
      if (made.bias) {
        lines.line(base::text("draw.inspector.exponential_of_sink"), *made.bias,
                   std::exp(static_cast<double>(made.bias->value) - *made.maximum));
      }
      lines.sum_line();
      lines.line(base::text("draw.inspector.sum_of_exponentials"), made.denominator);
      lines.line(base::text("draw.inspector.own_exponential"), made.terms[made.selected].value);
      lines.line(base::text("draw.inspector.own_by_sum"), made.result, true);
      break;
    case Rule::sum:
    case Rule::dot_product:
    case Rule::product: {
      lines.terms(attention, made);
      if (made.bias)
        lines.line(base::text("draw.inspector.bias"), *made.bias,
                   static_cast<double>(made.bias->value));
      lines.sum_line();
      double sum = made.result;
      const std::optional<std::size_t>& added = screen.focus.added;
      const bool under_way = added && *added < made.terms.size();
      if (under_way) {
        sum = 0.0;
        for (std::size_t i = 0; i < *added; ++i) sum += made.terms[i].value;
      }
      lines.line(under_way ? base::text("draw.inspector.so_far",
                                        {{"added", *added}, {"count", made.terms.size()}})
                           : std::string(base::text("draw.inspector.sum")),
                 sum, true);
      break;
    }
    default:
      break;  // the text above says it all
  }
  ImGui::PopStyleVar();
}

}  // namespace draw
