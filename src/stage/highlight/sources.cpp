#include "stage/highlight/sources.hpp"

#include <algorithm>

namespace stage {

using model::TensorId;

namespace {

/// The tensor before this one in the computation; this one may be a view of it.
std::optional<TensorId> before(const model::Trace& trace, TensorId tensor) {
  const model::Node* row = trace.made_by(tensor);
  return row != nullptr ? row->of[0] : trace.view_of(tensor);
}

/// Where the stage shows the very float of `cell`, in the nearest tensor before `tensor`.
std::optional<Hit> find_same_float(const Stage& stage, const model::Trace& trace, TensorId tensor,
                                   const model::Cell& cell) {
  if (!trace.has(cell.tensor)) return std::nullopt;
  const tensor::Tensor& source = trace[cell.tensor];
  const std::size_t position = source.position(cell.index);
  for (auto earlier = before(trace, tensor); earlier; earlier = before(trace, *earlier)) {
    if (!trace[*earlier].shares_storage_with(source)) break;
    const auto index = trace[*earlier].index_at(position);
    if (!index) break;
    if (const auto hit = find_cell(stage, *earlier, *index)) return hit;
  }
  return std::nullopt;
}

}  // namespace

Rect bounds_of(const Stage& stage, const CellRange& range) {
  const Block& block = stage.blocks[range.block];
  return block.cell(range.first_row, range.first_column)
      .united(block.cell(range.last_row, range.last_column));
}

std::vector<CellRange> sources_on(const Stage& stage, const model::Trace& trace,
                                  const model::Explanation& provenance) {
  // A view's explanation names the tensor that owns the floats, but on the stage the view reads
  // from its nearest predecessor.
  const bool is_view = provenance.rule == model::Rule::same_number;
  // The two numbers of a pair that is turned have others between them.
  const bool apart = provenance.rule == model::Rule::rotated;
  std::vector<CellRange> ranges;
  const auto add = [&](const model::Cell& cell) {
    auto hit = find_cell(stage, cell.tensor, cell.index);
    if (!hit)
      hit = find_same_float(stage, trace, is_view ? provenance.cell.tensor : cell.tensor, cell);
    const bool below = !hit && provenance.cell.tensor.is_gradient();
    if (below) hit = find_cell(stage, cell.tensor.gradient(), cell.index);
    if (!hit) return;
    const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const CellRange& other) {
      return other.block == hit->block && !apart;
    });
    if (range == ranges.end()) {
      ranges.push_back({hit->block, hit->row, hit->column, hit->row, hit->column, below});
      return;
    }
    range->below = range->below && below;
    range->first_row = std::min(range->first_row, hit->row);
    range->first_column = std::min(range->first_column, hit->column);
    range->last_row = std::max(range->last_row, hit->row);
    range->last_column = std::max(range->last_column, hit->column);
  };
  for (const model::Term& term : provenance.terms) {
    add(term.a);
    if (term.has_b) add(term.b);
  }
  if (provenance.bias) add(*provenance.bias);
  return ranges;
}

}  // namespace stage
