#include <algorithm>

#include "model/part.hpp"

namespace model {
namespace {

using tensor::Tensor;

/// The tensor with the pinned numbers written over its own.
Tensor with_pins(Tensor made, const std::vector<Pin>& pins) {
  if (!pins.empty()) made = made.clone();
  for (const Pin& pin : pins) {
    std::size_t first = 0;
    std::size_t count = made.size();
    for (std::size_t axis = 0; axis < pin.begin.rank(); ++axis) {
      count /= made.dim(axis);
      first += pin.begin[axis] * count;
    }
    const std::vector<float> values = pin.values.values();
    float* cell = made.mutable_data() + first;
    for (std::size_t i = 0; i < count; ++i) cell[i] = values[i % values.size()];
  }
  return made;
}

class Computation {
 public:
  Computation(const Model& model, const std::vector<Trace>& last) : model_(model) {
    for (const Part& part : model) traces_.push_back(part.trace);
    for (std::size_t i = 0; i < model.size(); ++i)
      last_.push_back(i < last.size() && last[i].name == model[i].trace.name ? &last[i] : nullptr);
  }

  std::vector<Trace> run() {
    // For all parts first, because a part may read tensors of another one.
    for (std::size_t part = 0; part < model_.size(); ++part) keep_given(part);
    for (std::size_t part = 0; part < model_.size(); ++part) {
      for (const Binding& binding : model_[part].bindings) evaluate(part, binding.tensor);
      for (const Node& row : model_[part].trace.nodes) {
        if (!row.on_demand) evaluate(part, row.id);
      }
    }
    return std::move(traces_);
  }

 private:
  /// Replaces given tensors by those of last time where all bits are the same, so that rows that
  /// read them need not be computed again. Two tensors share storage afterwards only if they did
  /// before, because Trace::view_of takes sharing as its answer.
  void keep_given(std::size_t part) {
    if (last_[part] == nullptr) return;
    const Tensors& given = model_[part].trace.tensors;
    Tensors& kept = traces_[part].tensors;
    const std::vector<TensorId> present = given.present();
    for (const TensorId id : present) {
      const Tensor& before = (*last_[part])[id];
      if (given[id].has_same_bits(before) && given[id].strides() == before.strides())
        kept[id] = before;
    }
    const auto share_alike = [&](TensorId a, TensorId b) {
      if (!given[a].shares_storage_with(given[b])) return !kept[a].shares_storage_with(kept[b]);
      return kept[a].shares_storage_with(kept[b]) &&
             given[a].offset() + kept[b].offset() == kept[a].offset() + given[b].offset();
    };
    // Each tensor that is not kept may break the sharing of others, so repeat until none does.
    for (bool all_alike = false; !all_alike;) {
      all_alike = true;
      for (const TensorId id : present) {
        const bool alike = kept[id].is_same_view(given[id]) ||
                           std::all_of(present.begin(), present.end(),
                                       [&](TensorId other) { return share_alike(id, other); });
        if (!alike) kept[id] = given[id];
        all_alike = all_alike && alike;
      }
    }
  }

  void evaluate(std::size_t part, TensorId id) {
    Trace& trace = traces_[part];
    for (const Binding& binding : model_[part].bindings) {
      if (binding.tensor != id) continue;
      evaluate(binding.part, binding.source);
      trace.tensors[id] = traces_[binding.part][binding.source];
      return;
    }
    const Node* node = trace.made_by(id);
    if (trace.has(id) || node == nullptr) return;
    for (const TensorId operand : node->operands()) evaluate(part, operand);
    trace.tensors[id] = make(part, *node);
  }

  Tensor make(std::size_t part, const Node& node) const {
    const Trace& trace = traces_[part];
    if (const Tensor* kept = made_last_time(part, node)) return *kept;
    return with_pins(node.operation->forward(trace.use_of(node)), trace.pins_on(node.id));
  }

  /// The result of the same row with the same operands last time, or nullptr.
  const Tensor* made_last_time(std::size_t part, const Node& node) const {
    const Trace* last = last_[part];
    if (last == nullptr || !last->has(node.id)) return nullptr;
    const Trace& trace = traces_[part];
    const Node* row = last->made_by(node.id);
    if (row == nullptr || *row != node) return nullptr;
    // A reshape of the same numbers may have another number of heads now.
    if ((*last)[node.id].shape() != trace.lengths.shape_of(node.axes)) return nullptr;
    if (node.operation->reads_constants && last->constants != trace.constants) return nullptr;
    for (const TensorId operand : node.operands()) {
      const bool same = node.operation->reads_shape_only
                            ? (*last)[operand].shape() == trace[operand].shape()
                            : (*last)[operand].is_same_view(trace[operand]);
      if (!same) return nullptr;
    }
    return last->pins_on(node.id) == trace.pins_on(node.id) ? &(*last)[node.id] : nullptr;
  }

  const Model& model_;
  std::vector<Trace> traces_;
  std::vector<const Trace*> last_;
};

}  // namespace

void bind(Part& part, TensorId tensor, std::size_t source_part, TensorId source) {
  part.trace.tensors[tensor] = {};
  part.bindings.push_back({tensor, source_part, source});
}

std::vector<Trace> compute(const Model& model, const std::vector<Trace>& last) {
  return Computation(model, last).run();
}

void Evaluator::forget() {
  for (const auto& [part, id] : made_) model_[part].trace.tensors[id] = {};
  made_.clear();
}

const Tensor& Evaluator::at(std::size_t part, TensorId id) {
  Trace& trace = model_[part].trace;
  if (trace.has(id)) return trace[id];
  for (const Binding& binding : model_[part].bindings) {
    if (binding.tensor != id) continue;
    trace.tensors[id] = at(binding.part, binding.source);
    made_.emplace_back(part, id);
    return trace[id];
  }
  const Node* node = trace.made_by(id);
  if (node == nullptr) return trace[id];
  for (const TensorId operand : node->operands()) at(part, operand);
  trace.tensors[id] = with_pins(node->operation->forward(trace.use_of(*node)), trace.pins_on(id));
  made_.emplace_back(part, id);
  return trace[id];
}

}  // namespace model
