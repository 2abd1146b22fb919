#include "model/trace.hpp"

#include <algorithm>
#include <iterator>

#include "model/roles.hpp"

namespace model {

using tensor::Tensor;

const Node* Trace::made_by(TensorId id) const {
  const Node* row = find(nodes, id);
  return row != nullptr && row->operation != &ops::given ? row : nullptr;
}

ops::Axes Trace::axes_of(TensorId id) const {
  const Node* row = find(nodes, id.value());
  return row == nullptr ? model::axes_of(id) : row->axes;
}

std::vector<Pin> Trace::pins_on(TensorId id) const {
  std::vector<Pin> on_it;
  std::copy_if(pins.begin(), pins.end(), std::back_inserter(on_it),
               [id](const Pin& pin) { return pin.tensor == id; });
  return on_it;
}

std::size_t Trace::sharing(TensorId id) const {
  const ops::Axes axes = axes_of(id);
  return axes.has(Axis::G) || axes.has(Axis::K) ? lengths[Axis::R] : 1;
}

ops::Use Trace::use_of(const Node& node) const {
  ops::Use use;
  for (const TensorId id : node.operands())
    use.operands[use.count++] = {tensors[id], axes_of(id), id};
  use.axes = node.axes;
  use.shape = lengths.shape_of(node.axes);
  use.constants = constants;
  return use;
}

std::optional<TensorId> Trace::view_of(TensorId id) const {
  if (!has(id)) return std::nullopt;
  // In the order of the rows: that of the tables has k_rotated behind k_shared, which is a view of
  // it where heads share keys.
  std::vector<TensorId> in_order;
  for (const Node& row : nodes) in_order.push_back(row.id);
  if (find(nodes, id) == nullptr) in_order = present();
  for (const TensorId earlier : in_order) {
    if (earlier == id) break;
    // Sharing is not enough: two weights may be two slices of one run of numbers, neither a view of
    // the other.
    if (has(earlier) && tensors[earlier].covers(tensors[id])) return earlier;
  }
  return std::nullopt;
}

bool Trace::fully_masked(std::size_t sample, std::size_t head, std::size_t query) const {
  const Node* weights = made_by(roles::weights);
  if (weights == nullptr) return false;
  const auto operands = weights->operands();
  if (std::find(operands.begin(), operands.end(), roles::mask) == operands.end()) return false;
  return ops::hides_all(tensors[roles::mask], {sample, head, query});
}

bool Trace::is_on_demand(TensorId id) const {
  const Node* row = made_by(id);
  return row != nullptr && row->on_demand;
}

Tensor Trace::at_query(TensorId id, std::optional<std::size_t> query) const {
  if (!is_on_demand(id)) return tensors[id];
  if (query && *query >= config.query_len) return {};
  const Node& row = *made_by(id);
  ops::Use use = use_of(row);
  if (!query) return row.operation->forward(use);
  use.shape[row.axes.place_of(Axis::Lq)] = 1;
  for (ops::Operand& operand : use.operands) {
    const std::size_t axis = operand.axes.place_of(Axis::Lq);
    if (axis < operand.axes.rank()) operand.tensor = operand.tensor.narrow(axis, *query, 1);
  }
  return row.operation->forward(use);
}

}  // namespace model
