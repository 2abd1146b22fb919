#include "document/learning/target.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/given.hpp"
#include "document/state/text.hpp"
#include "model/gradients.hpp"
#include "model/roles.hpp"
#include "tensor/tensor.hpp"

namespace document {

using base::fail;
using base::Result;
using model::TensorId;
namespace roles = model::roles;

namespace {

bool takes_target(TensorId tensor) { return tensor == roles::output || tensor == roles::weights; }

tl::unexpected<base::Error> no_target(const CellAddress& cell) {
  return fail(base::text("document.target.not_here", {{"cell", describe(cell)}}));
}

tensor::Shape shape_of(const lesson::Problem& problem, const CellAddress& cell) {
  const tensor::Tensor& queries = query_sequence(problem, cell.attention).embedding;
  if (cell.tensor == roles::output) return queries.shape();
  return {queries.dim(0), problem.options.num_heads, queries.dim(1),
          key_sequence(problem, cell.attention).embedding.dim(1)};
}

Result<void> check(const Edit& edit, const CellAddress& first, const lesson::Problem& problem) {
  const CellAddress& cell = edit.cell;
  if (!takes_target(cell.tensor)) return no_target(cell);
  if (auto place = place_of(problem, cell.attention); !place) return fail(place.error());
  if (cell.tensor != first.tensor || cell.attention != first.attention) {
    return fail(base::text("document.target.two_tensors",
                           {{"cell", describe(first)}, {"other", describe(cell)}}));
  }
  const tensor::Shape shape = shape_of(problem, cell);
  if (!tensor::contains(shape, cell.index)) return lies_outside(cell, shape);
  const bool weight = cell.tensor == roles::weights;
  const float low = weight ? 0.0F : -largest_value;
  const float high = weight ? 1.0F : largest_value;
  if (edit.value >= low && edit.value <= high) return {};  // false for NaN
  return fail(base::text(weight ? "document.target.weight" : "document.target.number",
                         {{"cell", describe(cell)}, {"number", number_text(edit.value)}}));
}

bool is_before(const Edit& a, const Edit& b) { return comes_before(a.cell, b.cell); }

}  // namespace

std::optional<CellAddress> targeted(const ComputedAttention& attention, const CellRef& cell) {
  const CellAddress own{attention.id, cell.tensor, cell.index};
  if (takes_target(cell.tensor)) return own;
  const model::Trace& trace = attention.trace;
  const tensor::Tensor& output = trace[roles::output];
  if (trace.made_by(cell.tensor) == nullptr || !trace.has(cell.tensor)) return std::nullopt;
  if (!trace[cell.tensor].shares_storage_with(output)) return std::nullopt;
  const auto index = output.index_at(trace[cell.tensor].position(cell.index));
  if (!index) return std::nullopt;
  return CellAddress{attention.id, roles::output, *index};
}

std::optional<float> target_of(const Configuration& configuration, const CellAddress& cell) {
  for (const Edit& edit : configuration.target) {
    if (edit.cell == cell) return edit.value;
  }
  return std::nullopt;
}

Result<Configuration> with_target(Configuration configuration, const Computed& computed,
                                  const CellAddress& cell, float value) {
  const auto there = attention_of(computed, cell.attention);
  if (!there) return fail(there.error());
  const auto own = targeted(**there, {cell.tensor, cell.index});
  if (!own) return no_target(cell);
  std::vector<Edit>& target = configuration.target;
  std::erase_if(target, [&](const Edit& edit) {
    return edit.cell == *own || edit.cell.tensor != own->tensor ||
           edit.cell.attention != own->attention;
  });
  target.push_back({*own, value});
  return configuration;
}

Result<std::vector<Edit>> checked_target(const std::vector<Edit>& target,
                                         const lesson::Problem& problem) {
  if (target.size() > max_edits) {
    return fail(
        base::text("document.target.too_many", {{"count", target.size()}, {"most", max_edits}}));
  }
  for (const Edit& edit : target) {
    if (auto right = check(edit, target.front().cell, problem); !right) return fail(right.error());
  }
  std::vector<Edit> sorted = target;
  base::sort(sorted, is_before);
  const auto twice = std::adjacent_find(
      sorted.begin(), sorted.end(), [](const Edit& a, const Edit& b) { return a.cell == b.cell; });
  if (twice == sorted.end()) return sorted;
  return fail(base::text("document.target.twice", {{"cell", describe(twice->cell)}}));
}

std::size_t head_with_gradients(const Computed& computed, const ViewState& view_state) {
  const model::Trace& trace = computed.find(view_state.attention).trace;
  const std::size_t head = view_state.head;
  const model::TensorId d_scores = model::TensorId("scores").gradient();
  if (!trace.has(d_scores)) return head;
  std::vector<float> largest;
  for (std::size_t each = 0; each < trace.config.num_heads; ++each) {
    largest.push_back(0.0F);
    for (const float number : trace[d_scores].select(1, each).values())
      largest.back() = std::max(largest.back(), std::fabs(number));
  }
  if (head < largest.size() && largest[head] > 0.0F) return head;
  const auto most = std::max_element(largest.begin(), largest.end());
  return *most > 0.0F ? static_cast<std::size_t>(most - largest.begin()) : head;
}

void add_target(model::Model& model, std::size_t part, const std::vector<Edit>& target) {
  std::vector<model::Pin> cells;
  cells.reserve(target.size());
  for (const Edit& edit : target) {
    cells.push_back({TensorId("target"), edit.cell.index, tensor::Tensor::full({1}, edit.value),
                     model::Rule::given_by_hand});
  }
  model::add_squared_distance(model, part, target.front().cell.tensor, cells);
  model::add_gradients(model, part, TensorId("loss"));
}

}  // namespace document
