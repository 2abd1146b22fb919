#include "stage/highlight/sources.hpp"

#include <algorithm>

namespace stage {

using attention::TensorId;

namespace {

/// The tensor whose floats this one reads where it has none of its own, one step back.
std::optional<TensorId> read_from(TensorId tensor) {
  switch (tensor) {
    case TensorId::key_input:
    case TensorId::q:
      return TensorId::query_input;
    case TensorId::value_input:
    case TensorId::k:
      return TensorId::key_input;
    case TensorId::v:
      return TensorId::value_input;
    case TensorId::q_split:
      return TensorId::q;
    case TensorId::k_split:
      return TensorId::k;
    case TensorId::v_split:
      return TensorId::v;
    case TensorId::q_heads:
      return TensorId::q_split;
    case TensorId::k_heads:
      return TensorId::k_split;
    case TensorId::v_heads:
      return TensorId::v_split;
    case TensorId::merged_split:
      return TensorId::head_outputs;
    default:
      return std::nullopt;
  }
}

/// The nearest tensor before `tensor` on the stage that shows the very float of `cell`.
std::optional<Hit> find_same_float(const Stage& stage, const attention::Trace& trace,
                                   TensorId tensor, const attention::Cell& cell) {
  if (!trace.has(cell.tensor)) return std::nullopt;
  const attention::Tensor& source = trace[cell.tensor];
  const std::size_t position = source.position(cell.index);
  for (auto before = read_from(tensor); before; before = read_from(*before)) {
    if (!trace[*before].shares_storage_with(source)) break;
    const auto index = trace[*before].index_at(position);
    if (!index) break;
    if (const auto hit = find_cell(stage, *before, *index)) return hit;
  }
  return std::nullopt;
}

}  // namespace

Rect bounds_of(const Stage& stage, const CellRange& range) {
  const Block& block = stage.blocks[range.block];
  return block.cell(range.first_row, range.first_column)
      .united(block.cell(range.last_row, range.last_column));
}

std::vector<CellRange> sources_on(const Stage& stage, const attention::Trace& trace,
                                  const attention::Provenance& provenance) {
  // A view's provenance names the tensor that has the floats; on the stage it is read from its
  // neighbour.
  const bool is_view = provenance.rule == attention::Rule::same_number;
  std::vector<CellRange> ranges;
  const auto add = [&](const attention::Cell& cell) {
    auto hit = find_cell(stage, cell.tensor, cell.index);
    if (!hit)
      hit = find_same_float(stage, trace, is_view ? provenance.cell.tensor : cell.tensor, cell);
    if (!hit) return;
    const auto range = std::find_if(ranges.begin(), ranges.end(), [&](const CellRange& other) {
      return other.block == hit->block;
    });
    if (range == ranges.end()) {
      ranges.push_back({hit->block, hit->row, hit->column, hit->row, hit->column});
      return;
    }
    range->first_row = std::min(range->first_row, hit->row);
    range->first_column = std::min(range->first_column, hit->column);
    range->last_row = std::max(range->last_row, hit->row);
    range->last_column = std::max(range->last_column, hit->column);
  };
  for (const attention::Term& term : provenance.terms) {
    add(term.a);
    if (term.has_b) add(term.b);
  }
  if (provenance.has_bias) add(provenance.bias);
  return ranges;
}

}  // namespace stage
