#include "document/given_behind.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.hpp"
#include "model/roles.hpp"
#include "model/trace.hpp"

namespace document {

namespace {

using model::Cell;
using model::Explanation;
using model::Rule;
using model::Term;

/// The term with the largest share. That of a weight is its own score, that of a normalized number
/// the number itself: no other one moves it more.
const Term* largest_term(const Explanation& made) {
  if (made.terms.empty()) return nullptr;
  if (made.rule == Rule::softmax || made.rule == Rule::layer_norm || made.rule == Rule::rms_norm)
    return &made.terms[made.selected];
  return &*std::max_element(made.terms.begin(), made.terms.end(), [](const Term& a, const Term& b) {
    return std::abs(a.value) < std::abs(b.value);
  });
}

/// What to look at behind a cell, one cell of each tensor.
std::vector<Cell> sources_of(const Explanation& made) {
  std::vector<Cell> sources;
  // A row that is set by hand stays as it is, whatever its scores are.
  if (made.rule == Rule::given_by_hand) return sources;
  if (made.rule == Rule::sum) {
    // Its terms are of different tensors: what the mask adds is a source of its own.
    for (const Term& term : made.terms) sources.push_back(term.a);
  } else if (const Term* term = largest_term(made)) {
    sources.push_back(term->a);
    if (term->has_b) sources.push_back(term->b);
  }
  if (made.weight) sources.push_back(*made.weight);
  if (made.bias) sources.push_back(*made.bias);
  return sources;
}

bool is_bias(const CellAddress& cell) { return model::name_of(cell.tensor).ends_with("bias"); }

}  // namespace

std::vector<CellAddress> given_behind(const Computed& computed, const CellAddress& cell,
                                      std::size_t most) {
  const ComputedAttention& attention = computed.find(cell.attention);
  std::vector<CellAddress> given;
  std::vector<CellAddress> seen = {cell};
  for (std::size_t next_to_look_at = 0; next_to_look_at < seen.size(); ++next_to_look_at) {
    const CellAddress here = seen[next_to_look_at];
    const Explanation made = model::explain(attention.trace, here.tensor, here.index);
    const bool changeable = here.tensor == model::roles::weights
                                ? made.rule == Rule::given_by_hand
                                : is_editable(attention, here.tensor);
    if (changeable) {
      const CellAddress named = canonical(computed, here);
      const bool itself = here == cell;
      if (!itself && std::find(given.begin(), given.end(), named) == given.end())
        given.push_back(named);
      continue;
    }
    for (const Cell& source : sources_of(made)) {
      const CellAddress next{cell.attention, source.tensor, source.index};
      if (std::find(seen.begin(), seen.end(), next) == seen.end()) seen.push_back(next);
    }
  }
  given = base::sorted_by(std::move(given), [](const CellAddress& each) {
    return base::SortKey{is_bias(each) ? 1.0 : 0.0};
  });
  if (given.size() > most) given.resize(most);
  return given;
}

}  // namespace document
