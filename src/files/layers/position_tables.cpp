#include "files/layers/position_tables.hpp"

#include <algorithm>
#include <string>

#include "files/dtype.hpp"

namespace files {
namespace {

using model::PositionBias;

const HeaderEntry* named_entry(const NamedEntries& named, std::string_view name) {
  const auto place = std::lower_bound(
      named.begin(), named.end(), name,
      [](const auto& entry, std::string_view wanted) { return entry.first < wanted; });
  return place != named.end() && place->first == name ? place->second : nullptr;
}

/// Its own table, or that of the first block: "encoder.block.0.…" for "encoder.block.5.…".
const HeaderEntry* table_of_t5(const NamedEntries& named, const std::string& name) {
  constexpr std::string_view block = "block.";
  const std::string end = ".relative_attention_bias.weight";
  if (const HeaderEntry* own = named_entry(named, name + end); own != nullptr) return own;
  const std::size_t at = name.rfind(block);
  if (at == std::string::npos) return nullptr;
  const std::size_t number = at + block.size();
  const std::size_t behind = std::min(name.find('.', number), name.size());
  return named_entry(named, name.substr(0, number) + '0' + name.substr(behind) + end);
}

/// M of a table of (2M − 1)² rows; 0 where it has another number of them.
std::size_t side_of_window(std::size_t rows) {
  std::size_t side = 1;
  while ((2 * side - 1) * (2 * side - 1) < rows) ++side;
  return (2 * side - 1) * (2 * side - 1) == rows ? side : 0;
}

/// Whether it has a column for each head, of a number of heads that the attention can have.
bool has_its_heads(const HeaderEntry& table, const FoundAttention& found) {
  if (table.shape.rank() != 2 || table.shape[1] == 0 || !dtype_named(table.dtype)) return false;
  const std::size_t heads = table.shape[1];
  const std::vector<std::size_t> choices = head_choices(found);
  return (!found.num_heads || *found.num_heads == heads) &&
         std::find(choices.begin(), choices.end(), heads) != choices.end();
}

void add(const HeaderEntry& table, PositionBias bias, FoundAttention& found) {
  found.num_heads = table.shape[1];
  found.head_dim = found.inner_dim / table.shape[1];
  found.variants.position_bias = bias;
  found.weights.push_back(
      {model::TensorId("position_bias_table"), found.tensors.size(), 0, table.shape[0]});
  found.tensors.push_back(table);
}

/// The heads of T5's other attentions: they have as many as those with a table.
void take_heads_of_t5(const NamedEntries& named, std::span<FoundAttention> attentions) {
  const HeaderEntry* table = nullptr;
  for (const auto& [name, entry] : named) {
    if (name.ends_with("relative_attention_bias.weight")) table = entry;
  }
  for (FoundAttention& found : attentions) {
    const bool asks = table != nullptr && found.family == Family::t5 && !found.num_heads;
    if (asks && has_its_heads(*table, found)) found.num_heads = table->shape[1];
  }
}

}  // namespace

void join_position_tables(const NamedEntries& named, std::span<FoundAttention> attentions) {
  constexpr std::size_t most_rows = 16384;
  for (FoundAttention& found : attentions) {
    if (found.is_cross || !found.problem.empty()) continue;
    if (found.family == Family::t5) {
      const HeaderEntry* table = table_of_t5(named, found.name);
      if (table == nullptr || !has_its_heads(*table, found)) continue;
      const std::size_t rows = table->shape[0];
      if (rows < 4 || rows > most_rows || rows % 2 != 0) continue;
      add(*table, found.causal ? PositionBias::t5_look_back : PositionBias::t5, found);
      continue;
    }
    for (const char* const name :
         {".relative_position_bias_table", ".self.relative_position_bias_table"}) {
      const HeaderEntry* table = named_entry(named, found.name + name);
      if (table == nullptr || !has_its_heads(*table, found)) continue;
      const std::size_t rows = table->shape[0];
      const std::size_t side = rows > most_rows ? 0 : side_of_window(rows);
      if (side == 0) continue;
      add(*table, PositionBias::shifted_windows, found);
      found.window_tokens = side * side;
      found.positions = Positions::relative;
    }
  }
  take_heads_of_t5(named, attentions);
}

}  // namespace files
