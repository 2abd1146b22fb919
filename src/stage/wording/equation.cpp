#include "stage/wording/equation.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/explanation_words.hpp"

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

  std::vector<EquationPart> parts() {
    say(address_text(attention_, made_.cell.tensor, made_.cell.index));
    say(" = ");
    switch (made_.rule) {
      case Rule::dot_product:
      case Rule::sum:
      case Rule::product:
        if (added_ && *added_ < made_.terms.size()) {
          sum_so_far();
          return std::move(parts_);
        }
        sum(made_.terms.size());
        if (made_.bias) {
          say(" + ");
          number(*made_.bias);
        }
        say(" = ");
        break;
      case Rule::divided:
        number(made_.terms[0].a);
        say(" / " + equation_number(static_cast<float>(made_.divisor)));
        say(" = ");
        break;
      case Rule::mean:
        say("(");
        sum(made_.terms.size());
        say(") / " + equation_number(static_cast<float>(made_.divisor)));
        say(" = ");
        break;
      case Rule::softmax:
        softmax();
        break;
      case Rule::difference:
        number(made_.terms[0].a);
        say(" − ");
        number(made_.terms[1].a);
        say(" = ");
        break;
      case Rule::half_squares:
        half_squares();
        break;
      case Rule::softmax_gradient:
        softmax_gradient();
        break;
      case Rule::layer_norm_gradient:
        say("(");
        say_number(made_.terms[made_.selected].value);
        say(" − ");
        say_number(made_.mean);
        say(" − ");
        say_number(made_.factor);
        say("×");
        say_number(made_.denominator);
        say(") / ");
        say_number(made_.divisor);
        say(" = ");
        break;
      case Rule::function_gradient:
      case Rule::scaled:
        number(made_.terms[0].a);
        say("×");
        say_number(made_.factor);
        say(" = ");
        break;
      case Rule::scaled_sum:
      case Rule::normed_products:
      case Rule::sink_gradient:
        say(base::text("stage.equation.products", {{"count", made_.terms.size()}}) + " = ");
        break;
      case Rule::cross_entropy:
        say(std::string(base::text("stage.equation.cross_entropy")) + " = ");
        break;
      case Rule::cross_entropy_gradient:
        say(std::string(base::text("stage.equation.cross_entropy_gradient")) + " = ");
        break;
      case Rule::rotated:
        number(made_.terms[0].a);
        say("×");
        say_number(std::cos(made_.angle));
        say(" + ");
        number(made_.terms[1].a);
        say("×");
        say_number(made_.factor);
        say(" = ");
        break;
      case Rule::distance:
        say_number(made_.factor);
        say(" × " + equation_number(static_cast<float>(made_.distance)));
        say(" = ");
        break;
      case Rule::rms_norm:
        number(made_.terms[made_.selected].a);
        say(" / " + equation_number(static_cast<float>(made_.divisor)));
        if (made_.weight) {
          say("×");
          number(*made_.weight);
        }
        say(" = ");
        break;
      case Rule::capped: {
        const std::string cap = equation_number(static_cast<float>(made_.divisor));
        say(cap + " · tanh(");
        number(made_.terms[0].a);
        say(" / " + cap + ")");
        say(" = ");
        break;
      }
      case Rule::rms_norm_gradient:
        say("(");
        say_number(made_.terms[made_.selected].value);
        say(" − ");
        say_number(made_.factor);
        say("×");
        say_number(made_.denominator);
        say(") / ");
        say_number(made_.divisor);
        say(" = ");
        break;
      case Rule::same_number:
      case Rule::copied:
        say(address_text(attention_, made_.terms[0].a.tensor, made_.terms[0].a.index));
        say(" = ");
        break;
      default:
        break;
    }
    number(made_.cell);
    note();
    return std::move(parts_);
  }

 private:
  void say(std::string text) { parts_.push_back({std::move(text), {}}); }
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
  void number(const Cell& cell) { parts_.push_back({equation_number(cell), cell}); }
  /// A number on the way to the cell's, with the digits that the cell's gets.
  void say_number(double value) {
    say(equation_number(Cell{made_.cell.tensor, {}, static_cast<float>(value)}));
  }

  void term(const Term& term) {
    number(term.a);
    if (!term.has_b) return;
    say("×");
    number(term.b);
  }

  /// The first `count` terms. Those beyond the limit are added up to one number.
  void sum(std::size_t count) {
    const std::size_t shown = count > most_ ? most_ - (most_ > 1 ? 1 : 0) : count;
    for (std::size_t i = 0; i < shown; ++i) {
      if (i > 0) say(" + ");
      term(made_.terms[i]);
    }
    if (shown == count) return;
    double rest = 0.0;
    for (std::size_t i = shown; i < count; ++i) rest += made_.terms[i].value;
    say(" + ");
    say_number(rest);
    say(" " + base::text("stage.equation.more", {{"count", count - shown}}));
  }

  /// The terms added so far, and the one that comes next.
  void sum_so_far() {
    sum(*added_);
    double so_far = 0.0;
    for (std::size_t i = 0; i < *added_; ++i) so_far += made_.terms[i].value;
    if (*added_ > 0) say(" = ");
    say_number(so_far);
    say(" " + std::string(base::text("stage.equation.so_far")));
    say(" " + std::string(base::text("stage.equation.next")) + " + ");
    term(made_.terms[*added_]);
  }

  void softmax() {
    const Term& own = made_.terms[made_.selected];
    say("exp(");
    number(own.a);
    if (made_.maximum) {
      say(" − ");
      const auto largest =
          std::max_element(made_.terms.begin(), made_.terms.end(),
                           [](const Term& a, const Term& b) { return a.a.value < b.a.value; });
      const bool is_sink = made_.bias && made_.bias->value > largest->a.value;
      number(is_sink ? *made_.bias : largest->a);
    }
    say(") / Σ exp");
    say(" = ");
    say_number(own.value);
    say(" / ");
    if (made_.terms.size() <= most_) {
      std::string terms;
      for (const Term& each : made_.terms)
        terms += (terms.empty() ? "(" : " + ") + equation_number(static_cast<float>(each.value));
      if (made_.bias) {
        const double sink = std::exp(static_cast<double>(made_.bias->value) - *made_.maximum);
        terms += " + " + equation_number(static_cast<float>(sink));
      }
      say(terms + ")");
    } else {
      say_number(made_.denominator);
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
      number(term.a);
      say("²");
    }
    if (shown == 0) say("0");
    say(") = ");
  }

  /// The weight × (its gradient − Σ gradient × weight): a weight near 0, or alone near 1, gives
  /// almost nothing.
  void softmax_gradient() {
    const Term& own = made_.terms[made_.selected];
    if (own.has_b)
      number(own.b);
    else
      say_number(made_.factor);
    say(" × (");
    number(own.a);
    say(" − Σ d_weight×weight,");
    double mean = 0.0;
    for (const Term& term : made_.terms) mean += term.value;
    say(" ");
    say_number(mean);
    say(") = ");
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
            {{"divisor", equation_number(static_cast<float>(made_.divisor))}}));
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
                                   std::size_t most_terms) {
  return Line(attention, focus, most_terms).parts();
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
  constexpr float small = 0.1F;
  const bool tells = cell.tensor.is_gradient() && std::fabs(cell.value) < small;
  return tells && cell.value != 0.0F ? number_text_telling(cell.value)
                                     : equation_number(cell.value);
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
