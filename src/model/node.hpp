// A row of a table in use: names are looked up, and operands that are not given are left out.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/names.hpp"

namespace model {

struct Node {
  TensorId id;
  ops::Axes axes;
  const ops::Operation* operation = &ops::given;
  std::array<TensorId, 3> of;
  std::size_t count = 0;  ///< how many operands `of` holds
  bool on_demand = false;

  std::span<const TensorId> operands() const { return {of.data(), count}; }
  friend bool operator==(const Node&, const Node&) = default;
};

namespace names {

constexpr Node resolved(const Row& row) {
  Node node;
  node.id = TensorId::at(all.find(row.name));
  node.axes = row.axes;
  node.operation = row.operation;
  node.on_demand = row.on_demand;
  while (node.count < row.of.size() && !row.of[node.count].empty()) {
    node.of[node.count] = TensorId::at(all.find(row.of[node.count]));
    ++node.count;
  }
  return node;
}

}  // namespace names

/// A table with its names looked up at compile time.
template <const auto& table>
inline constexpr auto nodes_of = [] {
  std::array<Node, std::size(table)> nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[i] = names::resolved(table[i]);
  return nodes;
}();

/// The row of that name, or nullptr.
const Node* find(std::span<const Node> nodes, TensorId id);

/// Replaces the nodes of the same names by `rows`. New ones come before the next of `rows` that is
/// there, or last.
void replace(std::vector<Node>& nodes, std::span<const Node> rows);

/// Adds the rows of a variant (tables/variants.hpp): each is put before the rows that read its
/// first operand, and these read it from then on if it has the letters of that operand. A row whose
/// name is there already, or whose first operand is not, is passed over.
void put_between(std::vector<Node>& nodes, std::span<const Node> rows);

/// The letters of a tensor's axes, as its first row has them.
ops::Axes axes_of(TensorId id);
/// What its first row makes it with: ops::given for inputs, weights, biases and the mask.
const ops::Operation* operation_of(TensorId id);
/// True for what no row computes.
bool is_given(TensorId id);

}  // namespace model
