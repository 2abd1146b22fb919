#include "model/gradients.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace model {
namespace {

using ops::Gradient;
using ops::Source;
using tensor::Tensor;

/// A tensor of one part of a model.
using Place = std::pair<std::size_t, TensorId>;

class Backward {
 public:
  Backward(Model& model, Place loss, const Wanted& wanted) : model_(model), wanted_(wanted) {
    made_[loss] = true;
    Trace& trace = model[loss.first].trace;
    trace.tensors[loss.second.gradient()] = Tensor::full({}, 1.0F);
    for (const Part& each : model) {
      rows_.push_back(each.trace.nodes);
      bindings_.push_back(each.bindings);
    }
  }

  void run() {
    for (std::size_t part = 0; part < rows_.size(); ++part) {
      // From the end, so that each part has its rows in the order in which they are computed.
      for (std::size_t row = rows_[part].size(); row-- > 0;) make({part, rows_[part][row].id});
    }
  }

 private:
  /// Adds the rows of this gradient, and of those that it is computed from. False if the loss does
  /// not depend on the tensor.
  bool make(Place place) {
    if (const auto known = made_.find(place); known != made_.end()) return known->second;
    if (!is_needed(place)) return made_[place] = false;
    const auto [part, id] = place;
    std::vector<Node> parts;      // each computes a part of the gradient
    std::vector<Binding> arrive;  // and these take one from another part of the model
    for (const Node& row : rows_[part]) {
      if (row.on_demand) continue;
      for (std::size_t operand = 0; operand < row.count; ++operand) {
        if (row.of[operand] != id || operand >= row.operation->backward.size()) continue;
        const Gradient& gradient = row.operation->backward[operand];
        if (gradient.operation == nullptr || !make({part, row.id})) continue;
        parts.push_back(row_of(part, row, gradient));
      }
    }
    for (std::size_t reader = 0; reader < rows_.size(); ++reader) {
      for (const Binding& binding : bindings_[reader]) {
        const bool reads = binding.part == part && binding.source == id;
        if (reads && make({reader, binding.tensor}))
          arrive.push_back({{}, reader, binding.tensor.gradient()});
      }
    }
    add_up(place, std::move(parts), arrive);
    return made_[place] = model_has(place);
  }

  /// Whether something that is wanted is computed before the tensor, or it is wanted itself.
  bool is_needed(Place place) {
    if (const auto known = needed_.find(place); known != needed_.end()) return known->second;
    const auto [part, id] = place;
    bool needed = false;
    bool given = true;
    for (const Binding& binding : bindings_[part]) {
      if (binding.tensor != id) continue;
      given = false;
      needed = is_needed({binding.part, binding.source});
    }
    for (const Node& row : rows_[part]) {
      if (row.id != id || row.operation == &ops::given) continue;
      given = false;
      for (std::size_t operand = 0; operand < row.count && !needed; ++operand)
        needed = is_needed({part, row.of[operand]});
    }
    if (given) needed = wanted_(model_[part].trace, id);
    return needed_[place] = needed;
  }

  /// One row if there is one part, else a row for each and one that adds them up.
  void add_up(Place place, std::vector<Node> parts, const std::vector<Binding>& arrive) {
    const auto [part, id] = place;
    const std::size_t count = parts.size() + arrive.size();
    const auto name_of_part = [&, id = id](std::size_t i) {
      return count == 1 ? id.gradient() : id.part_of_gradient(i);
    };
    std::vector<Node>& rows = model_[part].trace.nodes;
    std::size_t next = 0;
    for (Node& row : parts) {
      row.id = name_of_part(next++);
      row.axes = model_[part].trace.axes_of(id);
      rows.push_back(row);
    }
    for (Binding binding : arrive) {
      binding.tensor = name_of_part(next++);
      model_[part].bindings.push_back(binding);
    }
    if (count < 2) return;
    // Three at a time: a sum has at most three operands.
    TensorId so_far = id.part_of_gradient(0);
    for (std::size_t done = 1; done < count;) {
      const std::size_t more = std::min<std::size_t>(2, count - done);
      Node sum;
      sum.operation = &ops::add;
      sum.axes = model_[part].trace.axes_of(id);
      sum.of[sum.count++] = so_far;
      for (std::size_t i = 0; i < more; ++i) sum.of[sum.count++] = id.part_of_gradient(done + i);
      done += more;
      sum.id = done == count ? id.gradient() : id.part_of_gradient(count + done);
      so_far = sum.id;
      rows.push_back(sum);
    }
  }

  bool model_has(Place place) const {
    const Part& part = model_[place.first];
    const TensorId gradient = place.second.gradient();
    if (find(part.trace.nodes, gradient) != nullptr) return true;
    return std::any_of(part.bindings.begin(), part.bindings.end(),
                       [&](const Binding& binding) { return binding.tensor == gradient; });
  }

  static Node node(TensorId of_tensor, const ops::Operation& operation,
                   std::initializer_list<TensorId> operands) {
    Node made;
    made.id = of_tensor;
    made.operation = &operation;
    for (const TensorId operand : operands) made.of[made.count++] = operand;
    return made;
  }

  Node row_of(std::size_t part, const Node& row, const Gradient& gradient) {
    Node made;
    made.operation = gradient.operation;
    for (std::size_t i = 0; i < gradient.count; ++i) {
      const Source source = gradient.of[i];
      if (source == Source::result) {
        made.of[made.count++] = row.id;
      } else if (source == Source::d_result) {
        made.of[made.count++] = passed_on(part, row);
      } else if (static_cast<std::size_t>(source) < row.count) {
        made.of[made.count++] = row.of[static_cast<std::size_t>(source)];
      }
    }
    return made;
  }

  /// The gradient of what the row computed: 0 in cells over which other numbers were written.
  TensorId passed_on(std::size_t part, const Node& row) {
    Trace& trace = model_[part].trace;
    const std::vector<Pin> pins = trace.pins_on(row.id);
    if (pins.empty()) return row.id.gradient();
    constexpr std::size_t place = 200;  // behind those that are added up
    const TensorId passed = row.id.part_of_gradient(place);
    if (find(trace.nodes, passed) != nullptr) return passed;
    Node copy = node(passed, ops::same, {row.id.gradient()});
    copy.axes = row.axes;
    trace.nodes.push_back(copy);
    for (const Pin& pin : pins)
      trace.pins.push_back({passed, pin.begin, Tensor({1}), ops::Rule::overwritten});
    return passed;
  }

  Model& model_;
  std::vector<std::vector<Node>> rows_;         ///< of each part, without those of gradients
  std::vector<std::vector<Binding>> bindings_;  ///< likewise
  std::map<Place, bool> made_;                  ///< whether the loss depends on it
  std::map<Place, bool> needed_;
  const Wanted& wanted_;
};

}  // namespace

void add_squared_distance(Model& model, std::size_t part, TensorId output, Tensor target) {
  Trace& trace = model[part].trace;
  const ops::Axes axes = trace.axes_of(output);
  for (Node row : nodes_of<tables::squared_distance>) {
    if (row.axes.rank() > 0) row.axes = axes;
    if (row.operation == &ops::subtract) row.of[0] = output;
    trace.nodes.push_back(row);
  }
  trace.tensors["target"] = std::move(target);
}

void add_squared_distance(Model& model, std::size_t part, TensorId output,
                          const std::vector<Pin>& cells) {
  add_squared_distance(model, part, output, Tensor());
  Trace& trace = model[part].trace;
  for (Node& row : trace.nodes) {
    if (row.id != TensorId("target")) continue;
    row.operation = &ops::detach;
    row.of[row.count++] = output;
  }
  trace.pins.insert(trace.pins.end(), cells.begin(), cells.end());
}

void add_gradients(Model& model, std::size_t part, TensorId loss, const Wanted& wanted) {
  Backward(model, {part, loss}, wanted).run();
}

void add_gradients(Model& model, std::size_t part, TensorId loss) {
  add_gradients(model, part, loss, [](const Trace&, TensorId) { return true; });
}

}  // namespace model
