#include "document/learning/learn.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/state/text.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::AttentionId;
using model::TensorId;
namespace roles = model::roles;

namespace {

/// What belongs to a bit of `Learns`: the embeddings are up to three tensors.
std::vector<TensorId> tensors_of(std::size_t bit) {
  switch (bit) {
    case 0:
      return {roles::embedding, roles::query, roles::key, roles::value};
    case 1:
      return {TensorId("q_proj_weight")};
    case 2:
      return {TensorId("k_proj_weight")};
    case 3:
      return {TensorId("v_proj_weight")};
    default:
      return {TensorId("out_proj_weight")};
  }
}

/// The tensors of a bit whose numbers are stored as edits under their own names.
std::vector<TensorId> learnable(const Computed& computed, const ComputedAttention& attention,
                                std::size_t bit) {
  std::vector<TensorId> tensors;
  for (const TensorId tensor : tensors_of(bit)) {
    const tensor::Tensor& numbers = attention.trace[tensor];
    if (!numbers.defined() || numbers.size() == 0 || !is_editable(attention, tensor)) continue;
    const CellAddress first{attention.id, tensor, tensor::Index::filled(numbers.rank(), 0)};
    if (canonical(computed, first).tensor == tensor) tensors.push_back(tensor);
  }
  return tensors;
}

/// The attention with the target, or the one at `id`.
const ComputedAttention& learner(const Computed& computed, const Configuration& configuration,
                                 AttentionId id) {
  return computed.find(configuration.target.empty() ? id
                                                    : configuration.target.front().cell.attention);
}

}  // namespace

std::optional<float> loss_of(const Computed& computed) {
  for (const ComputedAttention& attention : computed.attentions) {
    const tensor::Tensor& loss = attention.trace["loss"];
    if (loss.defined()) return loss.at({});
  }
  return std::nullopt;
}

Learns can_learn(const Computed& computed, const Configuration& configuration, AttentionId id) {
  const ComputedAttention& attention = learner(computed, configuration, id);
  Learns learns = 0;
  for (std::size_t bit = 0; bit < learns_names.size(); ++bit) {
    if (!learnable(computed, attention, bit).empty())
      learns = static_cast<Learns>(learns | (1U << bit));
  }
  return learns;
}

std::vector<Update> updates(const Computed& computed, const Document& document) {
  std::vector<Update> all;
  if (document.configuration.target.empty()) return all;
  const ViewState& view_state = document.view_state;
  const ComputedAttention& attention =
      learner(computed, document.configuration, view_state.attention);
  for (std::size_t bit = 0; bit < learns_names.size(); ++bit) {
    if ((view_state.learns >> bit & 1U) == 0) continue;
    for (const TensorId tensor : learnable(computed, attention, bit)) {
      const std::vector<float> gradients = attention.trace[tensor.gradient()].values();
      if (gradients.empty()) continue;  // the loss does not depend on it
      const std::vector<float> numbers = attention.trace[tensor].values();
      const tensor::Shape& shape = attention.trace[tensor].shape();
      tensor::Index index = tensor::Index::filled(shape.rank(), 0);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        all.push_back({{attention.id, tensor, index},
                       numbers[i],
                       gradients[i],
                       numbers[i] - view_state.learning_rate * gradients[i]});
        for (std::size_t axis = shape.rank(); axis-- > 0;) {
          if (++index[axis] < shape[axis]) break;
          index[axis] = 0;
        }
      }
    }
  }
  return all;
}

std::optional<Update> shown_update(const Computed& computed, const Document& document,
                                   const std::optional<CellRef>& cell) {
  const std::vector<Update> all = updates(computed, document);
  if (all.empty()) return std::nullopt;
  if (cell) {
    const CellAddress chosen =
        canonical(computed, {document.view_state.attention, cell->tensor.value(), cell->index});
    for (const Update& update : all) {
      if (update.cell == chosen) return update;
    }
  }
  return *std::max_element(all.begin(), all.end(), [](const Update& a, const Update& b) {
    return std::abs(a.gradient) < std::abs(b.gradient);
  });
}

Result<void> check_finite(const Computed& computed) {
  const auto is_wrong = [](float number) { return !std::isfinite(number); };
  for (const ComputedAttention& attention : computed.attentions) {
    for (const TensorId tensor : attention.trace.present()) {
      if (tensor == roles::mask || tensor == TensorId("masked_scores")) {
        const std::vector<float> values = attention.trace[tensor].values();  // −∞ is right there
        if (std::none_of(values.begin(), values.end(), [](float x) { return std::isnan(x); }))
          continue;
      }
      const std::vector<float> numbers = attention.trace[tensor].values();
      const auto wrong = std::find_if(numbers.begin(), numbers.end(), is_wrong);
      if (wrong == numbers.end()) continue;
      const std::string name =
          std::string(lesson::name_of(attention.id)) + "." + std::string(model::name_of(tensor));
      return fail(base::text("document.learning.not_finite",
                             {{"tensor", name}, {"number", number_text(*wrong)}}));
    }
  }
  return {};
}

Result<void> check_learning_rate(float rate) {
  if (rate > 0.0F && rate <= largest_learning_rate) return {};  // false for NaN
  return fail(base::text("document.learning.rate", {{"number", number_text(rate)}}));
}

Result<Configuration> learned(const Computed& computed, const Document& document) {
  if (document.configuration.target.empty()) return fail(base::text("document.learning.no_target"));
  if (auto finite = check_finite(computed); !finite) return fail(finite.error());
  const std::vector<Update> all = updates(computed, document);
  if (all.empty()) return fail(base::text("document.learning.nothing_learns"));
  Configuration next = document.configuration;
  std::vector<CellAddress> cells;
  cells.reserve(all.size());
  for (const Update& update : all) {
    if (!(std::abs(update.next) <= largest_value)) {
      return fail(
          base::text("document.learning.too_large",
                     {{"cell", describe(update.cell)}, {"number", number_text(update.next)}}));
    }
    cells.push_back(update.cell);
  }
  base::sort(cells, comes_before);
  std::erase_if(next.edits, [&](const Edit& edit) {
    return std::binary_search(cells.begin(), cells.end(), edit.cell, comes_before);
  });
  if (next.edits.size() + all.size() > max_edits) {
    return fail(
        base::text("document.learning.too_many", {{"count", all.size()}, {"most", max_edits}}));
  }
  for (const Update& update : all) next.edits.push_back({update.cell, update.next});
  return next;
}

}  // namespace document
