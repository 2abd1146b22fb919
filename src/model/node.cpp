#include "model/node.hpp"

#include <algorithm>

namespace model {
namespace {

/// What `of` says of the first row of each name.
template <typename Of>
constexpr auto by_name(Of of) {
  std::array<decltype(of(Node())), tensor_count> made{};
  std::array<bool, tensor_count> found{};
  for (const std::span<const Row> table : names::all_tables) {
    for (const Row& row : table) {
      const Node node = names::resolved(row);
      if (!found[node.id.place()]) made[node.id.place()] = of(node);
      found[node.id.place()] = true;
    }
  }
  return made;
}

// Three lists: who asks for axes alone does not link every operation there is.
constexpr auto axes_by_name = by_name([](const Node& row) { return row.axes; });
constexpr auto given_by_name =
    by_name([](const Node& row) { return row.operation == &ops::given; });
constexpr auto operation_by_name = by_name([](const Node& row) { return row.operation; });

}  // namespace

const Node* find(std::span<const Node> nodes, TensorId id) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [id](const Node& node) { return node.id == id; });
  return found == nodes.end() ? nullptr : &*found;
}

void replace(std::vector<Node>& nodes, std::span<const Node> rows) {
  auto place = nodes.end();
  for (std::size_t i = rows.size(); i-- > 0;) {
    const Node* old = find(nodes, rows[i].id);
    if (old != nullptr) {
      place = nodes.begin() + (old - nodes.data());
      *place = rows[i];
    } else {
      place = nodes.insert(place, rows[i]);
    }
  }
}

void put_between(std::vector<Node>& nodes, std::span<const Node> rows) {
  std::vector<TensorId> added;
  for (const Node& row : rows) {
    if (find(nodes, row.id) != nullptr) continue;
    if (row.operation == &ops::given) {
      nodes.insert(nodes.begin(), row);
      continue;
    }
    const Node* source = find(nodes, row.of[0]);
    if (source == nullptr) continue;
    const bool takes_its_place = source->axes == row.axes;
    added.push_back(row.id);
    const auto reads_source = [&](const Node& node) {
      const auto operands = node.operands();
      return std::find(added.begin(), added.end(), node.id) == added.end() &&
             std::find(operands.begin(), operands.end(), row.of[0]) != operands.end();
    };
    auto place = std::find_if(nodes.begin(), nodes.end(), reads_source);
    // What only a later one of these rows reads.
    if (place == nodes.end()) place = nodes.begin() + (source - nodes.data()) + 1;
    const auto reader = nodes.insert(place, row) + 1;
    if (!takes_its_place) continue;
    for (auto node = reader; node != nodes.end(); ++node) {
      if (reads_source(*node)) std::replace(node->of.begin(), node->of.end(), row.of[0], row.id);
    }
  }
}

ops::Axes axes_of(TensorId id) { return axes_by_name[id.place()]; }

const ops::Operation* operation_of(TensorId id) { return operation_by_name[id.place()]; }

bool is_given(TensorId id) { return given_by_name[id.place()]; }

}  // namespace model
