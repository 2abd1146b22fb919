#include "document/edits/edit_cells.hpp"

#include <algorithm>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "document/edits/address.hpp"
#include "document/edits/interventions.hpp"
#include "document/state/text.hpp"
#include "model/roles.hpp"
#include "tensor/tensor.hpp"

namespace document {

using base::fail;
using base::Result;
namespace roles = model::roles;

namespace {

/// The configuration without edits of these cells, under whatever name.
Configuration without_edits(Configuration configuration, const Computed& computed,
                            const std::vector<Edit>& edits) {
  const lesson::Arrangement arrangement = arrangement_of(computed);
  std::vector<CellAddress> cells;
  cells.reserve(edits.size());
  for (const Edit& edit : edits) cells.push_back(without_aliases(arrangement, edit.cell));
  base::sort(cells, comes_before);
  std::erase_if(configuration.edits, [&](const Edit& edit) {
    return std::binary_search(cells.begin(), cells.end(), without_aliases(arrangement, edit.cell),
                              comes_before);
  });
  return configuration;
}

/// Sets one weight of a row, which an earlier edit of the same list may have set by hand already.
Result<Configuration> with_weight(Configuration configuration, const Computed& computed,
                                  const Edit& edit) {
  auto row = row_of_weights(computed, edit.cell);
  if (!row) return fail(row.error());
  for (const GivenRow& given : configuration.given_weights) {
    if (given.is_same_row(*row) && given.row.weights.size() == row->row.weights.size())
      *row = given;
  }
  row->row.weights[edit.cell.index[3]] = edit.value;
  return with_row(std::move(configuration), *std::move(row));
}

}  // namespace

Result<Configuration> with_cells(Configuration configuration, const Computed& computed,
                                 const std::vector<Edit>& edits) {
  std::vector<Edit> others;
  for (const Edit& edit : edits) {
    if (auto there = attention_of(computed, edit.cell.attention); !there)
      return fail(there.error());
    if (edit.cell.tensor != roles::weights) {
      others.push_back(edit);
      continue;
    }
    auto next = with_weight(std::move(configuration), computed, edit);
    if (!next) return next;
    configuration = *std::move(next);
  }
  configuration = without_edits(std::move(configuration), computed, others);
  configuration.edits.insert(configuration.edits.end(), others.begin(), others.end());
  return configuration;
}

Result<GivenRow> row_of_weights(const Computed& computed, const CellAddress& cell) {
  const auto there = attention_of(computed, cell.attention);
  if (!there) return fail(there.error());
  const tensor::Tensor& weights = (*there)->trace[roles::weights];
  if (!tensor::contains(weights.shape(), cell.index)) return lies_outside(cell, weights.shape());
  GivenRow row{cell.attention, {cell.index[0], cell.index[1], cell.index[2], {}}};
  for (std::size_t key = 0; key < weights.dim(3); ++key)
    row.row.weights.push_back(weights.at({cell.index[0], cell.index[1], cell.index[2], key}));
  return row;
}

std::vector<float> rescaled(const std::vector<float>& weights, std::size_t key, float value) {
  double others = 0.0;  // summed, since total − weights[key] would lose small weights to rounding
  for (std::size_t other = 0; other < weights.size(); ++other) {
    if (other != key) others += static_cast<double>(weights[other]);
  }
  double total = others + static_cast<double>(weights[key]);
  if (total == 0.0) total = 1.0;
  const double rest = std::max(0.0, total - static_cast<double>(value));
  const bool all_zero = others == 0.0;
  std::vector<float> result = weights;
  for (std::size_t other = 0; other < weights.size(); ++other) {
    const double share = all_zero ? 1.0 / static_cast<double>(weights.size() - 1)
                                  : static_cast<double>(weights[other]) / others;
    result[other] = static_cast<float>(rest * share);
  }
  result[key] = value;
  return result;
}

Result<GivenRow> dragged(GivenRow row, std::size_t key, float value) {
  if (!(value >= 0.0F && value <= 1.0F)) {
    return fail(base::text("document.weights.dragged_number", {{"number", number_text(value)}}));
  }
  row.row.weights = rescaled(row.row.weights, key, value);
  return row;
}

}  // namespace document
