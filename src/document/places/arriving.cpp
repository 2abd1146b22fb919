#include "document/places/arriving.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "document/commands.hpp"
#include "model/roles.hpp"

namespace document {

namespace roles = model::roles;

bool hides_a_key(const model::Trace& trace, std::size_t sample) {
  if (!trace.has(roles::mask)) return false;
  const tensor::Tensor& mask = trace[roles::mask];
  const std::vector<float> cells = mask.select(0, std::min(sample, mask.dim(0) - 1)).values();
  return std::any_of(cells.begin(), cells.end(), [](float cell) { return std::isinf(cell); });
}

std::optional<std::size_t> sample_with_a_hidden_key(const model::Trace& trace) {
  for (std::size_t sample = 0; sample < trace.config.batch; ++sample)
    if (hides_a_key(trace, sample)) return sample;
  return std::nullopt;
}

namespace {

/// The query, or if it sees one key only, whose weight no divisor changes, the first that sees two.
std::size_t query_with_a_choice(const model::Trace& trace, std::size_t sample, std::size_t query) {
  const model::Config& config = trace.config;
  query = std::min(query, config.query_len - 1);
  if (!trace.has(roles::mask)) return query;
  const auto sees_two = [&](std::size_t row) {
    std::size_t seen = 0;
    for (std::size_t key = 0; key < config.key_len; ++key)
      seen += std::isinf(trace[roles::mask].at({sample, 0, row, key})) ? 0 : 1;
    return seen >= 2;
  };
  if (sees_two(query)) return query;
  for (std::size_t row = 0; row < config.query_len; ++row)
    if (sees_two(row)) return row;
  return query;
}

/// The query, or if the mask hides nothing from it, another from which it hides a key: under a
/// look-ahead mask one in the middle, which has hidden keys and others.
std::size_t query_with_a_hidden_key(const model::Trace& trace, std::size_t sample,
                                    std::size_t query) {
  const model::Config& config = trace.config;
  query = std::min(query, config.query_len - 1);
  if (!trace.has(roles::mask)) return query;
  const auto hides = [&](std::size_t row) {
    for (std::size_t key = 0; key < config.key_len; ++key)
      if (std::isinf(trace[roles::mask].at({sample, 0, row, key}))) return true;
    return false;
  };
  if (hides(query)) return query;
  const std::size_t middle = config.query_len / 2;
  for (std::size_t i = 0; i < config.query_len; ++i) {
    const std::size_t row = (middle + i) % config.query_len;
    if (hides(row)) return row;
  }
  return query;
}

/// The same step where it has something to show: `scale` in an attention where √D and √Lk are two
/// numbers, at a query that sees two keys, `mask` in a sample with a hidden key, at a query from
/// which one is hidden. Where there is none, the view state as it is.
ViewState where_it_can_be_seen(ViewState view_state, const Computed& computed) {
  const auto shows_something = [&](const ComputedAttention& attention, std::size_t sample) {
    const model::Config& config = attention.trace.config;
    if (view_state.step == lesson::StepId::scale) return config.key_len != config.head_dim();
    return view_state.step != lesson::StepId::mask || hides_a_key(attention.trace, sample);
  };
  for (const ComputedAttention& attention : computed.attentions) {
    for (std::size_t sample = 0; sample < attention.trace.config.batch; ++sample) {
      if (!shows_something(attention, sample)) continue;
      view_state.landed = {attention.id != view_state.attention || sample != view_state.sample,
                           view_state.query, view_state.query};
      view_state.attention = attention.id;
      view_state.sample = sample;
      if (view_state.step == lesson::StepId::scale)
        view_state.query = query_with_a_choice(attention.trace, sample, view_state.query);
      if (view_state.step == lesson::StepId::mask)
        view_state.query = query_with_a_hidden_key(attention.trace, sample, view_state.query);
      view_state.landed.query_taken = view_state.query;
      return view_state;
    }
  }
  return view_state;
}

bool is_same_place(const ViewState& a, const ViewState& b) {
  return a.attention == b.attention && a.sample == b.sample;
}

/// Whether one comes from the one step to the other without a leap. The map is beside all steps.
bool are_neighbours(lesson::StepId a, lesson::StepId b) {
  if (a == lesson::StepId::overview || b == lesson::StepId::overview) return true;
  return std::abs(static_cast<int>(a) - static_cast<int>(b)) <= 1;
}

bool compares_with_a_key(lesson::StepId step) {
  return step >= lesson::StepId::scores && step <= lesson::StepId::softmax;
}

/// The key that the chosen query attends to most, in the chosen head.
std::size_t key_with_the_largest_weight(const ViewState& view_state, const Computed& computed) {
  const model::Trace& trace = computed.find(view_state.attention).trace;
  const model::Config& config = trace.config;
  tensor::Index index{std::min(view_state.sample, config.batch - 1),
                      std::min(view_state.head, config.num_heads - 1),
                      std::min(view_state.query, config.query_len - 1), 0};
  std::size_t most = 0;
  float largest = 0.0F;
  for (index[3] = 0; index[3] < config.key_len; ++index[3]) {
    const float weight = trace[roles::weights].at(index);
    if (weight > largest) {
      largest = weight;
      most = index[3];
    }
  }
  return most;
}

/// Another step. One who goes from step to step follows the same attention, sample and query
/// through all of them. Who leaps, and chose no attention, sample or cell, lands where the step has
/// something to show, and leaping on comes back to where the example opens, and to the reader's
/// query.
ViewState place_in_step(const Document& document, const Computed& computed, lesson::StepId step) {
  const ViewState& now = document.view_state;
  if (are_neighbours(now.step, step)) return at_step(now, step);
  ViewState opening = now;
  opening.attention = lesson::example(document.configuration.example).attentions.front();
  opening.sample = 0;
  opening.landed = {};
  if (now.query == now.landed.query_taken) opening.query = now.landed.query_before;
  const bool chosen = now.cell || (!is_same_place(now, opening) && !now.landed.by_itself);
  return chosen ? at_step(now, step) : where_it_can_be_seen(at_step(opening, step), computed);
}

}  // namespace

ViewState at_step_of(const Document& document, const Computed& computed, lesson::StepId step) {
  const ViewState& now = document.view_state;
  ViewState there = place_in_step(document, computed, step);
  if (!is_same_place(there, now)) there.key = 0;
  const bool begins = compares_with_a_key(step) && !compares_with_a_key(now.step);
  if (begins && !there.cell && there.key == 0) there.key = first_key(there, computed);
  return there;
}

ViewState first_place_in(lesson::StepId step, lesson::ExampleId example, const Computed& computed) {
  ViewState first = first_view_state({}, example);
  first.step = step;
  return where_it_can_be_seen(first, computed);
}

std::size_t first_key(const ViewState& view_state, const Computed& computed) {
  // What the mask does is seen at a key that it hides: stage::step_cell finds it.
  const bool compares =
      compares_with_a_key(view_state.step) && view_state.step != lesson::StepId::mask;
  return compares ? key_with_the_largest_weight(view_state, computed) : 0;
}

}  // namespace document
