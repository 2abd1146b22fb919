// All names of tensors, collected from the tables, and TensorId, which stands for one of them.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "model/tables/decoder_layer.hpp"
#include "model/tables/grouped_query_attention.hpp"
#include "model/tables/losses.hpp"
#include "model/tables/tokens.hpp"
#include "model/tables/variants.hpp"

namespace model {

using ops::Axis;
using ops::TensorId;

namespace names {

inline constexpr std::size_t most = 112;

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
inline constexpr std::span<const Row> all_tables[] = {tables::multi_head_attention,
                                                      tables::encoder_layer,
                                                      tables::encoder_layer_norm_first,
                                                      tables::decoder_layer,
                                                      tables::decoder_layer_norm_first,
                                                      tables::grouped_query_attention,
                                                      tables::squared_distance,
                                                      tables::embedded_tokens,
                                                      tables::predicted_tokens,
                                                      tables::dropped,
                                                      tables::qk_norm,
                                                      tables::full_qk_norm,
                                                      tables::rotary_positions,
                                                      tables::capped_scores,
                                                      tables::linear_biases,
                                                      tables::relative_positions,
                                                      tables::attention_sinks};

consteval List collect() {
  List list;
  for (const std::span<const Row> table : all_tables) list.add(table);
  return list;
}

inline constexpr List all = collect();

/// What the name of a gradient begins with.
inline constexpr std::string_view gradient_prefix = "d_";

/// All names one after another, each behind the prefix of its gradient.
inline constexpr auto with_prefix = [] {
  constexpr std::size_t length = [] {
    std::size_t sum = 0;
    for (std::size_t i = 0; i < all.count; ++i) sum += gradient_prefix.size() + all.names[i].size();
    return sum;
  }();
  struct {
    std::array<char, length> text{};
    std::array<std::size_t, all.count + 1> begin{};
  } made;
  std::size_t end = 0;
  for (std::size_t i = 0; i < all.count; ++i) {
    made.begin[i] = end;
    for (const char letter : gradient_prefix) made.text[end++] = letter;
    for (const char letter : all.names[i]) made.text[end++] = letter;
  }
  made.begin[all.count] = end;
  return made;
}();

}  // namespace names

/// How many names there are, those of gradients not counted.
inline constexpr std::size_t tensor_count = names::all.count;

/// The tensor of that name, or nothing; "d_scores" is the gradient of scores. For names that users
/// give; one that is written in the program converts to a TensorId by itself.
constexpr std::optional<TensorId> tensor_named(std::string_view name) {
  const std::size_t place = names::all.find(name);
  if (place < tensor_count) return TensorId::at(place);
  if (!name.starts_with(names::gradient_prefix)) return std::nullopt;
  const std::size_t value = names::all.find(name.substr(names::gradient_prefix.size()));
  if (value == tensor_count) return std::nullopt;
  return TensorId::at(value).gradient();
}

}  // namespace model

namespace ops {

/// The name used in tables, files, links, the API and on screen: "q_heads". A part of a gradient
/// has the gradient's.
constexpr std::string_view name_of(TensorId id) {
  const auto& [text, begin] = model::names::with_prefix;
  const std::size_t end = begin[id.place() + 1];
  const std::size_t first =
      begin[id.place()] + (id.is_gradient() ? 0 : model::names::gradient_prefix.size());
  return {text.data() + first, end - first};
}

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
