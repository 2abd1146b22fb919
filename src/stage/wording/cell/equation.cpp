#include "stage/wording/cell/equation.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace stage {

using document::ComputedAttention;
using model::Cell;
using model::Explanation;
using model::Rule;
using model::Term;

namespace {

class Line {
 public:
  Line(const ComputedAttention& attention, const Focus& focus, std::size_t most_terms)
      : attention_(attention),
        made_(model::explain(attention.trace, focus.cell.tensor, focus.cell.index)),
        added_(focus.added),
        most_(std::max<std::size_t>(1, most_terms)) {}

  /// The cell and what it holds.
  std::vector<EquationPart> number() {
    say(address_text(attention_, made_.cell.tensor, made_.cell.index), " = ", made_.cell);
    return std::move(parts_);
  }
  std::vector<EquationPart> parts() {
    say(address_text(attention_, made_.cell.tensor, made_.cell.index), " = ");
    arithmetic();
    if (!under_way()) {
      say(made_.cell);
      note();
    }
    return std::move(parts_);
  }

 private:
  /// What stands before the number itself.
  void arithmetic() {
    const std::vector<Term>& terms = made_.terms;
    switch (made_.rule) {
      case Rule::dot_product:
      case Rule::sum:
      case Rule::product:
        return added_sum();
      case Rule::divided:
        return say(terms[0].a, " / " + plain(made_.divisor), " = ");
      case Rule::mean:
        say("(");
        sum(terms.size());
        return say(") / " + plain(made_.divisor), " = ");
      case Rule::softmax:
        return softmax();
      case Rule::difference:
        return say(terms[0].a, " − ", terms[1].a, " = ");
      case Rule::half_squares:
        return half_squares();
      case Rule::softmax_gradient:
        return softmax_gradient();
      case Rule::layer_norm_gradient:
        return say("(", terms[made_.selected].value, " − ", made_.mean, " − ", made_.factor, "×",
                   made_.denominator, ") / ", made_.divisor, " = ");
      case Rule::rms_norm_gradient:
        return say("(", terms[made_.selected].value, " − ", made_.factor, "×", made_.denominator,
                   ") / ", made_.divisor, " = ");
      case Rule::function_gradient:
      case Rule::scaled:
        return say(terms[0].a, "×", made_.factor, " = ");
      case Rule::scaled_sum:
      case Rule::normed_products:
      case Rule::sink_gradient:
        return say(base::text("stage.equation.products", {{"count", terms.size()}}) + " = ");
      case Rule::cross_entropy:
        return say(std::string(base::text("stage.equation.cross_entropy")) + " = ");
      case Rule::cross_entropy_gradient:
        return say(std::string(base::text("stage.equation.cross_entropy_gradient")) + " = ");
      case Rule::rotated:
        return say(terms[0].a, "×", made_.cosine, " + ", terms[1].a, "×", made_.factor, " = ");
      case Rule::distance:
        return say(number_text_telling(static_cast<float>(made_.factor)),
                   " × " + plain(made_.distance), " = ");
      case Rule::rms_norm:
        say(terms[made_.selected].a, " / " + plain(made_.divisor));
        if (made_.weight) say("×", *made_.weight);
        return say(" = ");
      case Rule::capped:
        return say(plain(made_.divisor) + " · tanh(", terms[0].a,
                   " / " + plain(made_.divisor) + ")", " = ");
      case Rule::same_number:
      case Rule::copied:
        return say(address_text(attention_, terms[0].a.tensor, terms[0].a.index), " = ");
      default:
        return;
    }
  }

  /// Whether the animation is still adding up the terms.
  bool under_way() const {
    const bool is_sum =
        made_.rule == Rule::dot_product || made_.rule == Rule::sum || made_.rule == Rule::product;
    return is_sum && added_ && *added_ < made_.terms.size();
  }

  /// Words, cells, and numbers on the way to the cell's, each a part of its own.
  template <typename... Parts>
  void say(const Parts&... parts) {
    (add(parts), ...);
  }
  void add(std::string_view words) { parts_.push_back({std::string(words), {}}); }
  void add(const Cell& cell) { parts_.push_back({equation_number(cell), cell}); }
  /// With the digits that the cell's number gets.
  void add(double value) {
    add(equation_number(Cell{made_.cell.tensor, {}, static_cast<float>(value)}));
  }
  static std::string plain(double value) { return equation_number(static_cast<float>(value)); }

  /// Splits the text into words, so that the line may break between any two of them.
  void say_words(const std::string& text) {
    std::size_t begin = 0;
    for (std::size_t at = 1; at < text.size(); ++at) {
      if (text[at] != ' ' || text[at - 1] == ' ') continue;
      say(text.substr(begin, at - begin));
      begin = at;
    }
    say(text.substr(begin));
  }
  /// Adds to the number what is not arithmetic.
  void remark(std::string_view text, char sign = ':') {
    say_words(sign + ("  " + std::string(text)));
  }
  void term(const Term& term) {
    say(term.a);
    if (term.has_b) say("×", term.b);
  }

  /// The first `count` terms. Beyond the limit the largest are left, and the others are combined
  /// into one number.
  void sum(std::size_t count) {
    const std::size_t shown = count > most_ ? most_ - (most_ > 1 ? 1 : 0) : count;
    const std::vector<Term>& terms = made_.terms;
    const ShortenedSum sum = shortened({terms.data(), count}, shown);
    for (const std::size_t i : sum.shown) {
      if (i != sum.shown.front()) say(" + ");
      const std::size_t before = parts_.size();
      term(terms[i]);
      if (under_way() && i >= *added_) pend(before);
    }
    if (shown == count) return;
    say(" + ", sum.rest, " " + base::text("stage.equation.more", {{"count", count - shown}}));
  }
  /// The parts from the given one on have not been added yet.
  void pend(std::size_t first) {
    for (std::size_t i = first; i < parts_.size(); ++i) parts_[i].pending = true;
  }

  /// A sum, which an animation may still be adding up. All terms stand there from the beginning, so
  /// that the line can be read; of a sum too long for that, those that have been added.
  void added_sum() {
    const std::size_t count = made_.terms.size();
    const bool is_whole = !under_way() || count <= most_;
    const std::size_t named = is_whole ? count : *added_;
    sum(named);
    if (made_.bias && is_whole) {
      const std::size_t before = parts_.size();
      say(" + ", *made_.bias);
      if (under_way()) pend(before);
    }
    if (named > 0) say(" = ");
    if (!under_way()) return;
    double so_far = 0.0;
    for (std::size_t i = 0; i < *added_; ++i) so_far += made_.terms[i].value;
    say(so_far, " " + std::string(base::text("stage.equation.so_far")));
  }

  void softmax() {
    const Term& own = made_.terms[made_.selected];
    say("exp(", own.a);
    if (made_.maximum) {
      const auto largest =
          std::max_element(made_.terms.begin(), made_.terms.end(),
                           [](const Term& a, const Term& b) { return a.a.value < b.a.value; });
      const bool is_sink = made_.bias && made_.bias->value > largest->a.value;
      say(" − ", is_sink ? *made_.bias : largest->a);
    }
    say(") / Σ exp", " = ", own.value, " / ");
    if (made_.terms.size() <= most_) {
      std::string terms;
      for (const Term& each : made_.terms)
        terms += (terms.empty() ? "(" : " + ") + plain(each.value);
      if (made_.bias) {
        const double sink = std::exp(static_cast<double>(made_.bias->value) - *made_.maximum);
        terms += " + " + plain(sink);
      }
      say(terms + ")");
    } else {
      say(made_.denominator);
    }
    say(" = ");
  }

  /// ½ (a² + …): only the differences that are not 0, of which there are as many as targets.
  void half_squares() {
    say("½ (");
    std::size_t shown = 0;
    for (const Term& term : made_.terms) {
      if (term.a.value == 0.0F) continue;
      if (shown == most_) {
        say(" + …");
        break;
      }
      if (shown++ > 0) say(" + ");
      say(term.a, "²");
    }
    if (shown == 0) say("0");
    say(") = ");
  }

  /// The weight × (its gradient − Σ gradient × weight): a weight near 0, or alone near 1, gives
  /// almost nothing.
  void softmax_gradient() {
    const Term& own = made_.terms[made_.selected];
    double mean = 0.0;
    for (const Term& term : made_.terms) mean += term.value;
    own.has_b ? say(own.b) : say(made_.factor);
    say(" × (", own.a, " − Σ d_weight×weight,", " ", mean, ") = ");
  }

  /// How the number came about, where that is not arithmetic.
  void note() {
    switch (made_.rule) {
      case Rule::given:
        return remark(given_words(attention_, made_.cell.tensor));
      case Rule::same_number:
        return remark(float_words(), ',');
      case Rule::copied:
        return remark(base::text("stage.equation.copied"), ',');
      case Rule::fully_masked:
        return remark(base::text("stage.equation.fully_masked"));
      case Rule::ablated:
        return remark(base::text("stage.equation.ablated"));
      case Rule::overwritten:
        return remark(base::text("stage.equation.overwritten"));
      case Rule::given_by_hand:
        return remark(base::text("stage.equation.by_hand"));
      case Rule::position:
        return remark(base::text(
            made_.cell.index.back() % 2 == 0 ? "stage.equation.sine" : "stage.equation.cosine",
            {{"divisor", plain(made_.divisor)}}));
      default:
        return;
    }
  }

  /// Which float of its sample the cell is: "float 1·3 + 2·6 + 0·1 = 15, the same place in memory".
  std::string float_words() const {
    const tensor::Tensor& tensor = attention_.trace[made_.cell.tensor];
    const auto axes = attention_.trace.axes_of(made_.cell.tensor);
    std::string sum;
    std::size_t place = 0;
    for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
      if (axes[axis] == model::Axis::B) continue;
      const std::size_t stride = tensor.strides()[axis];
      sum += (sum.empty() ? "" : " + ") + std::to_string(made_.cell.index[axis]) + "·" +
             std::to_string(stride);
      place += made_.cell.index[axis] * stride;
    }
    return base::text("stage.equation.same_float", {{"sum", sum}, {"place", place}});
  }

  const ComputedAttention& attention_;
  Explanation made_;
  std::optional<std::size_t> added_;
  std::size_t most_;
  std::vector<EquationPart> parts_;
};

}  // namespace

std::vector<EquationPart> equation(const ComputedAttention& attention, const Focus& focus,
                                   std::size_t most_terms, bool guessing) {
  Line line(attention, focus, most_terms);
  return guessing ? line.number() : line.parts();
}

std::string equation_number(float value) {
  constexpr int most = 3;
  for (int digits = 0; digits < most; ++digits) {
    std::string text = number_text(value, digits);
    float read = 0.0F;
    if (parse_number(text, read) && read == value) return text;
  }
  return number_text(value, most);
}

std::string equation_number(const model::Cell& cell) {
  // Smaller ones would be 0.000; below a millionth they are the rounding of a 0.
  constexpr float least = 1e-6F;
  const float size = std::fabs(cell.value);
  const bool tells = cell.tensor.is_gradient() ? cell.value != 0.0F && size < 0.1F
                                               : size >= least && size < 0.0005F;
  return tells ? number_text_telling(cell.value) : equation_number(cell.value);
}

std::string update_text(const document::ComputedAttention& attention,
                        const document::Update& update, float learning_rate) {
  return address_text(attention, update.cell.tensor, update.cell.index) + " ← " +
         number_text_telling(update.number) + " − " + number_text_telling(learning_rate) + " × " +
         number_text_telling(update.gradient) + " = " + number_text_telling(update.next);
}

std::string text_of(const std::vector<EquationPart>& parts) {
  std::string text;
  for (const EquationPart& part : parts) text += part.text;
  return text;
}

}  // namespace stage
