#include <algorithm>
#include <cstring>

#include "model/part.hpp"

namespace model {
namespace {

using tensor::Tensor;

/// What a row makes, with the pinned numbers written over it.
Tensor with_pins(Tensor made, TensorId id, const std::vector<Pin>& pins) {
  bool copied = false;
  for (const Pin& pin : pins) {
    if (pin.tensor != id) continue;
    if (!copied) made = made.clone();
    copied = true;
    tensor::Index first = tensor::Index::filled(made.rank(), 0);
    std::size_t count = 1;
    for (std::size_t axis = 0; axis < made.rank(); ++axis) {
      if (axis < pin.begin.rank()) {
        first[axis] = pin.begin[axis];
      } else {
        count *= made.dim(axis);
      }
    }
    float* cell = made.mutable_data() + made.position(first);
    for (std::size_t i = 0; i < count; ++i) cell[i] = pin.values[i % pin.values.size()];
  }
  return made;
}

/// The same pins on this tensor, bit by bit: 0 and −0 are not the same weight.
bool same_pins(const Trace& a, const Trace& b, TensorId id) {
  const auto pins_of = [id](const Trace& of) {
    std::vector<const Pin*> pins;
    for (const Pin& pin : of.pins) {
      if (pin.tensor == id) pins.push_back(&pin);
    }
    return pins;
  };
  const std::vector<const Pin*> ours = pins_of(a);
  const std::vector<const Pin*> theirs = pins_of(b);
  return std::equal(
      ours.begin(), ours.end(), theirs.begin(), theirs.end(), [](const Pin* x, const Pin* y) {
        const std::size_t bytes = x->values.size() * sizeof(float);
        return x->begin == y->begin && x->rule == y->rule && x->values.size() == y->values.size() &&
               std::memcmp(x->values.data(), y->values.data(), bytes) == 0;
      });
}

class Computation {
 public:
  Computation(const Model& model, const std::vector<Trace>& last) : model_(model) {
    for (const Part& part : model) traces_.push_back(part.trace);
    for (std::size_t i = 0; i < model.size(); ++i)
      last_.push_back(i < last.size() && last[i].name == model[i].trace.name ? &last[i] : nullptr);
  }

  std::vector<Trace> run() {
    // Of all parts, before one of them asks another for a tensor.
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
  /// Given numbers that are the ones of last time keep their storage: what was made of them stands.
  void keep_given(std::size_t part) {
    if (last_[part] == nullptr) return;
    const std::vector<TensorId> present = traces_[part].present();
    for (std::size_t first = 0; first < present.size(); ++first) {
      const Tensor& leader = traces_[part][present[first]];
      // Those that share their numbers are kept together or not at all: a trace says who shares.
      std::vector<TensorId> sharing;
      std::vector<TensorId> others;
      for (const TensorId id : present)
        (traces_[part][id].shares_storage_with(leader) ? sharing : others).push_back(id);
      if (sharing.front() == present[first] && stay(part, sharing, others)) {
        for (const TensorId id : sharing) traces_[part].tensors[id] = (*last_[part])[id];
      }
    }
  }

  /// True where `sharing`, the given tensors of one storage, were the same last time, laid out and
  /// shared alike, and no other tensor uses the storage that they had.
  bool stay(std::size_t part, const std::vector<TensorId>& sharing,
            const std::vector<TensorId>& others) const {
    const Tensors& now = traces_[part].tensors;
    const Tensors& before = last_[part]->tensors;
    const TensorId first = sharing.front();
    const auto same = [&](TensorId id) {
      return now[id].has_same_bits(before[id]) && now[id].strides() == before[id].strides() &&
             before[id].shares_storage_with(before[first]) &&
             now[id].offset() + before[first].offset() == before[id].offset() + now[first].offset();
    };
    return std::all_of(sharing.begin(), sharing.end(), same) &&
           std::none_of(others.begin(), others.end(),
                        [&](TensorId id) { return now[id].shares_storage_with(before[first]); });
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
    return with_pins(node.operation->forward(trace.use_of(node)), node.id, trace.pins);
  }

  /// What the same row made of the same tensors last time, or nullptr.
  const Tensor* made_last_time(std::size_t part, const Node& node) const {
    const Trace* last = last_[part];
    if (last == nullptr || !last->has(node.id)) return nullptr;
    const Trace& trace = traces_[part];
    const Node* row = last->made_by(node.id);
    if (row == nullptr || *row != node) return nullptr;
    // As many heads as before, say, of the same numbers.
    if ((*last)[node.id].shape() != trace.lengths.shape_of(node.axes)) return nullptr;
    if (node.operation->reads_constants && last->constants != trace.constants) return nullptr;
    for (const TensorId operand : node.operands()) {
      const bool same = node.operation->reads_shape_only
                            ? (*last)[operand].shape() == trace[operand].shape()
                            : (*last)[operand].is_same_view(trace[operand]);
      if (!same) return nullptr;
    }
    return same_pins(*last, trace, node.id) ? &(*last)[node.id] : nullptr;
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

}  // namespace model
