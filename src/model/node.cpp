#include "model/node.hpp"

#include <algorithm>

namespace model {
namespace {

/// The first row of each name.
constexpr auto rows_by_name = [] {
  std::array<Node, tensor_count> rows;
  std::array<bool, tensor_count> found{};
  for (const std::span<const Row> table : names::all_tables) {
    for (const Row& row : table) {
      const Node node = names::resolved(row);
      if (!found[node.id.place()]) rows[node.id.place()] = node;
      found[node.id.place()] = true;
    }
  }
  return rows;
}();

}  // namespace

const Node* find(std::span<const Node> nodes, TensorId id) {
  const auto found =
      std::find_if(nodes.begin(), nodes.end(), [id](const Node& node) { return node.id == id; });
  return found == nodes.end() ? nullptr : &*found;
}

void replace(std::vector<Node>& nodes, std::span<const Node> rows) {
  for (const Node& row : rows) {
    const Node* old = find(nodes, row.id);
    const Node* read = find(nodes, row.of[0]);
    if (old != nullptr) {
      nodes[static_cast<std::size_t>(old - nodes.data())] = row;
    } else {
      nodes.insert(read == nullptr ? nodes.end() : nodes.begin() + (read - nodes.data() + 1), row);
    }
  }
}

ops::Axes axes_of(TensorId id) { return rows_by_name[id.place()].axes; }

const ops::Operation* operation_of(TensorId id) { return rows_by_name[id.place()].operation; }

bool is_given(TensorId id) { return operation_of(id) == &ops::given; }

}  // namespace model
