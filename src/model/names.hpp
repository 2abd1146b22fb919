// All names of tensors, collected from the tables, and TensorId, which stands for one of them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "model/tables/decoder_layer.hpp"
#include "model/tables/grouped_query_attention.hpp"

namespace model {

using ops::Axis;
using ops::TensorId;

namespace names {

inline constexpr std::size_t most = 96;

struct List {
  std::array<std::string_view, most> names{};
  std::size_t count = 0;

  constexpr std::size_t find(std::string_view name) const {
    for (std::size_t place = 0; place < count; ++place) {
      if (names[place] == name) return place;
    }
    return count;
  }
  /// Adds a table's names. New ones come before the next of its names that is known, or last.
  constexpr void add(std::span<const Row> table) {
    std::size_t place = count;
    for (std::size_t row = table.size(); row-- > 0;) {
      const std::size_t known = find(table[row].name);
      if (known == count) {
        for (std::size_t moved = count++; moved > place; --moved) names[moved] = names[moved - 1];
        names[place] = table[row].name;
      } else {
        place = known;
      }
    }
  }
};

/// The tables that names are collected from.
inline constexpr std::span<const Row> all_tables[] = {
    tables::multi_head_attention,     tables::encoder_layer,
    tables::encoder_layer_norm_first, tables::decoder_layer,
    tables::decoder_layer_norm_first, tables::grouped_query_attention};

consteval List collect() {
  List list;
  for (const std::span<const Row> table : all_tables) list.add(table);
  return list;
}

inline constexpr List all = collect();

}  // namespace names

/// How many names there are.
inline constexpr std::size_t tensor_count = names::all.count;

/// The tensor of that name, or nothing. For names that users give; one that is written in the
/// program converts to a TensorId by itself.
constexpr std::optional<TensorId> tensor_named(std::string_view name) {
  const std::size_t place = names::all.find(name);
  if (place == tensor_count) return std::nullopt;
  return TensorId::at(place);
}

}  // namespace model

namespace ops {

/// The name used in tables, files, links, the API and on screen: "q_heads".
constexpr std::string_view name_of(TensorId id) { return model::names::all.names[id.place()]; }

void no_table_has_a_tensor_of_this_name();  // calling it at compile time is an error

/// A name that is in no table is an error at compile time.
consteval TensorId::TensorId(const char* name) {
  const std::size_t place = model::names::all.find(name);
  if (place == model::tensor_count) no_table_has_a_tensor_of_this_name();
  place_ = static_cast<std::uint8_t>(place);
}

}  // namespace ops

namespace model {
using ops::name_of;
}  // namespace model
