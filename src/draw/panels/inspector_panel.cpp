#include <algorithm>
#include <limits>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

using model::Cell;
using model::Explanation;
using model::Rule;
using model::TensorId;
using model::Term;
using stage::number_text;

/// What a term of the sum is called: the key it belongs to, or the number of the dimension.
std::string term_label(const document::ComputedAttention& attention, const Explanation& provenance,
                       const Term& term) {
  const Cell& cell = term.a;
  const auto axes = attention.trace.axes_of(cell.tensor);
  // The axis that the sum runs along is the last of its first factor.
  const std::size_t last = cell.index.rank() - 1;
  const std::size_t sample = axes[0] == model::Axis::B ? cell.index[0] : 0;
  if (provenance.rule == Rule::sum) return std::string(model::name_of(cell.tensor));
  return words_for(attention, axes[last], sample, cell.index[last]);
}

class Arithmetic {
 public:
  explicit Arithmetic(const Screen& screen) : screen_(screen) {}

  void line(const std::string& left, const std::string& middle, const std::string& right,
            bool strong = false) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    constexpr float height = 19.0F;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const Type& type = screen_.type;
    const Theme& theme = screen_.theme;
    const float y = at.y + height / 2.0F;
    const float result = 78.0F;
    const float numbers = measure(type.numbers, 12.0F, middle).x;
    set_text(list, type.words, 12.5F, {at.x, y}, Align::left, packed(theme.quiet),
             fitting(type.words, 12.5F, left, std::max(20.0F, width - result - numbers - 12.0F)));
    set_text(list, type.numbers, 12.0F, {at.x + width - result, y}, Align::right,
             packed(theme.text), middle);
    set_text(list, strong ? type.strong_numbers : type.numbers, 12.0F, {at.x + width, y},
             Align::right, packed(theme.text), right);
    ImGui::Dummy({width, height});
  }

  void sum_line() {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddLine({at.x, at.y + 1.0F},
                                        {at.x + ImGui::GetContentRegionAvail().x, at.y + 1.0F},
                                        packed(screen_.theme.line));
    Widgets::space(5.0F);
  }

  /// All terms of a sum; a long one is folded in the middle.
  void terms(const document::ComputedAttention& attention, const Explanation& provenance) {
    constexpr std::size_t all = 12;
    constexpr std::size_t at_the_ends = 4;
    const std::size_t count = provenance.terms.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (count > all && i == at_the_ends) {
        double folded = 0.0;
        const std::size_t next = count - at_the_ends;
        for (std::size_t j = i; j < next; ++j) folded += provenance.terms[j].value;
        line("… " + std::to_string(next - i) + " more", "",
             number_text(static_cast<float>(folded), 4));
        i = next;
      }
      const Term& term = provenance.terms[i];
      std::string product;
      if (term.has_b)
        product = number_text(term.a.value, 3) + " × " + number_text(term.b.value, 3) + " =";
      if (provenance.rule == Rule::softmax)
        product = "exp(" + number_text(term.a.value, 3) + " − max) =";
      line(term_label(attention, provenance, term), product,
           number_text(static_cast<float>(term.value), 4),
           provenance.rule == Rule::softmax && i == provenance.selected);
    }
  }

 private:
  const Screen& screen_;
};

void arithmetic(const Screen& screen, Widgets& widgets, const Explanation& provenance) {
  const document::ComputedAttention& attention = screen.session.attention();
  Arithmetic lines(screen);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{8.0F, 2.0F});
  widgets.words(stage::made_by(provenance.rule), screen.theme.quiet, 12.5F);
  const std::string result = number_text(static_cast<float>(provenance.result), 4);
  switch (provenance.rule) {
    case Rule::same_number:
    case Rule::copied:
      if (provenance.terms.empty()) break;
      widgets.numbers(
          address_text(attention, provenance.terms[0].a.tensor, provenance.terms[0].a.index),
          screen.theme.text, 12.5F);
      break;
    case Rule::divided:
      lines.line(std::string(model::name_of(provenance.terms[0].a.tensor)),
                 number_text(provenance.terms[0].a.value, 4) + " / " +
                     number_text(static_cast<float>(provenance.divisor), 4) + " =",
                 result, true);
      break;
    case Rule::softmax:
      lines.line("max of the row", "", number_text(static_cast<float>(provenance.maximum), 4));
      lines.terms(attention, provenance);
      lines.sum_line();
      lines.line("Σ", "", number_text(static_cast<float>(provenance.denominator), 4));
      lines.line("weight",
                 number_text(static_cast<float>(provenance.terms[provenance.selected].value), 4) +
                     " / " + number_text(static_cast<float>(provenance.denominator), 4) + " =",
                 result, true);
      break;
    case Rule::sum:
    case Rule::dot_product:
    case Rule::product:
      lines.terms(attention, provenance);
      if (provenance.bias) lines.line("+ bias", "", number_text(provenance.bias->value, 4));
      lines.sum_line();
      lines.line("Σ", "", result, true);
      break;
    default:
      break;  // the words above say it all
  }
  ImGui::PopStyleVar();
}

/// Where in memory the number lies, within its sample: position = offset + Σ index·stride.
void memory(const Screen& screen, Widgets& widgets, const CellRef& cell) {
  const model::Trace& trace = screen.session.attention().trace;
  if (!trace.has(cell.tensor)) return;
  const tensor::Tensor& tensor = trace[cell.tensor];
  const auto axes = trace.axes_of(cell.tensor);
  std::size_t position = tensor.position(cell.index);
  std::size_t size = tensor.storage().size();
  std::string strides;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    const std::size_t stride = tensor.strides()[axis];
    if (axes[axis] == model::Axis::B) {
      position -= cell.index[axis] * stride;
      if (stride > 0) size /= tensor.dim(axis);
      continue;
    }
    strides += (strides.empty() ? "" : ", ") + std::to_string(stride);
  }
  widgets.numbers("float " + std::to_string(position) + " of " + std::to_string(size) +
                      " · strides [" + strides + "]",
                  screen.theme.quiet, 11.5F);
}

}  // namespace

void inspector(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const CellRef* cell = &screen.focus.cell;
  const bool chosen = screen.session.document().view_state.cell == *cell;
  const document::ComputedAttention& attention = screen.session.attention();
  const Explanation provenance = model::explain(attention.trace, cell->tensor, cell->index);
  // A sheet over the stage is low, and opens for what was chosen: it needs no heading.
  if (screen.chrome.form == stage::Form::page) widgets.heading("In focus");
  widgets.numbers(number_text(provenance.cell.value, 4), screen.theme.text, 21.0F, true);
  widgets.numbers(address_text(attention, cell->tensor, cell->index), screen.theme.text, 13.5F);
  widgets.words(stage::place_words(attention, *cell), screen.theme.quiet, 12.5F);
  if (chosen && document::is_editable(attention, cell->tensor)) {
    if (widgets.text_button("Change (Enter)")) {
      view.editing = true;
      view.edit_starts = true;
      view.select_all = true;
      view.edit_text = stage::number_for_editing(provenance.cell.value);
    }
    if (cell->tensor == "mask") {
      const bool hidden = provenance.cell.value < 0.0F;
      Widgets::same_line(2.0F);
      if (widgets.text_button(hidden ? "Show this key" : "Hide this key")) {
        const float value = hidden ? 0.0F : -std::numeric_limits<float>::infinity();
        requests.add(document::EditCell{{attention.id, cell->tensor, cell->index}, value});
      }
    }
  }
  arithmetic(screen, widgets, provenance);
  Widgets::space(4.0F);
  memory(screen, widgets, *cell);
  if (chosen) {
    Widgets::space(8.0F);
    copy_controls(screen, view, requests);
  }
}

}  // namespace draw
