#include "model/trace.hpp"

#include <algorithm>
#include <limits>

namespace model {
namespace {

using tensor::Index;

/// The last pin that wrote this cell, or nullptr.
const Pin* pin_of(const Trace& trace, const Cell& cell) {
  const auto found = std::find_if(trace.pins.rbegin(), trace.pins.rend(), [&](const Pin& pin) {
    return pin.tensor == cell.tensor &&
           std::equal(pin.begin.begin(), pin.begin.end(), cell.index.begin());
  });
  return found == trace.pins.rend() ? nullptr : &*found;
}

}  // namespace

Explanation explain(const Trace& trace, TensorId tensor, const Index& index) {
  Explanation made;
  made.cell = {tensor, index, std::numeric_limits<float>::quiet_NaN()};
  made.result = static_cast<double>(made.cell.value);
  const Node* node = trace.made_by(tensor);
  if (node != nullptr && node->on_demand) {  // the trace does not keep its numbers
    if (!contains(trace.lengths.shape_of(node->axes), index)) return made;
    node->operation->explain(trace.use_of(*node), made);
    made.cell.value = static_cast<float>(made.result);
    return made;
  }
  if (!trace.has(tensor) || !contains(trace[tensor].shape(), index)) return made;
  made.cell.value = trace[tensor].at(index);
  made.result = static_cast<double>(made.cell.value);  // of rule `given`, unless another applies
  const Pin* pin = pin_of(trace, made.cell);
  if (pin != nullptr && pin->rule == Rule::given_by_hand) {
    made.rule = pin->rule;
    return made;
  }
  if (const std::optional<TensorId> base = trace.view_of(tensor)) {
    const auto source = trace[*base].index_at(trace[tensor].position(index));
    if (source) made.copy_of({*base, *source, trace[*base].at(*source)}, Rule::same_number);
    return made;
  }
  if (node == nullptr || node->operation->explain == nullptr) return made;
  node->operation->explain(trace.use_of(*node), made);
  if (pin != nullptr) made.overwrite(pin->rule);
  return made;
}

}  // namespace model
