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

void replace(std::vector<Node>& nodes, std::span<const Node> rows) {
  for (const Node& row : rows) {
    const auto same_name = [&](const Node& node) { return node.id == row.id; };
    const auto found = std::find_if(nodes.begin(), nodes.end(), same_name);
    if (found == nodes.end()) {  // behind what it reads
      const auto read = std::find_if(nodes.begin(), nodes.end(),
                                     [&](const Node& node) { return node.id == row.of[0]; });
      nodes.insert(read == nodes.end() ? read : read + 1, row);
    } else {
      *found = row;
    }
  }
}

ops::Axes axes_of(TensorId id) { return rows_by_name[id.place()].axes; }

bool is_given(TensorId id) { return rows_by_name[id.place()].operation == &ops::given; }

}  // namespace model
