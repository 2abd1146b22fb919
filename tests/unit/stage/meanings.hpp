// What each tensor's matrices must be, said a second time and from the textbook.
#pragma once

#include <string_view>
#include <vector>

#include "stage/scenes.hpp"

namespace stage {

using attention::Index;
using attention::Tensor;
using attention::TensorId;

/// What a drawn matrix is about, said a second time and from the textbook, tensor by tensor: the
/// axes that are fixed and the two that become rows and columns. b: sample, h: head, i: query, j:
/// key, d and e: dimensions; r and c: row and column.
struct Meaning {
  TensorId id;
  std::string_view index;    ///< "bhrc": the place of each axis of the tensor in the drawing
  std::string_view rows;     ///< "query", "key" or "": whose tokens stand beside the rows
  std::string_view columns;  ///< "key", "number" or ""
  std::string_view shape;    ///< letters of the axes, in order
};

inline constexpr Meaning meanings[] = {
    {TensorId::token_embedding, "brc", "query", "number", "B Lq E"},
    {TensorId::position_encoding, "rc", "query", "number", "Lq E"},
    {TensorId::query_input, "brc", "query", "number", "B Lq E"},
    {TensorId::key_input, "brc", "key", "number", "B Lk kdim"},
    {TensorId::value_input, "brc", "key", "number", "B Lk vdim"},
    {TensorId::q_proj_weight, "rc", "", "number", "E E"},
    {TensorId::k_proj_weight, "rc", "", "number", "E kdim"},
    {TensorId::v_proj_weight, "rc", "", "number", "E vdim"},
    {TensorId::q_proj_bias, "r", "", "", "E"},
    {TensorId::k_proj_bias, "r", "", "", "E"},
    {TensorId::v_proj_bias, "r", "", "", "E"},
    {TensorId::out_proj_weight, "rc", "", "number", "E E"},
    {TensorId::out_proj_bias, "r", "", "", "E"},
    {TensorId::q, "brc", "query", "number", "B Lq E"},
    {TensorId::k, "brc", "key", "number", "B Lk E"},
    {TensorId::v, "brc", "key", "number", "B Lk E"},
    {TensorId::q_split, "brhc", "query", "number", "B Lq H D"},
    {TensorId::k_split, "brhc", "key", "number", "B Lk H D"},
    {TensorId::v_split, "brhc", "key", "number", "B Lk H D"},
    {TensorId::q_heads, "bhrc", "query", "number", "B H Lq D"},
    {TensorId::k_heads, "bhrc", "key", "number", "B H Lk D"},
    {TensorId::v_heads, "bhrc", "key", "number", "B H Lk D"},
    {TensorId::scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::scaled_scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::mask, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::masked_scores, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::attention_weights, "bhrc", "query", "key", "B H Lq Lk"},
    {TensorId::weighted_values, "bhirc", "key", "number", "B H i Lk D"},
    {TensorId::head_outputs, "bhrc", "query", "number", "B H Lq D"},
    {TensorId::merged_split, "brhc", "query", "number", "B Lq H D"},
    {TensorId::merged, "brc", "query", "number", "B Lq E"},
    {TensorId::output, "brc", "query", "number", "B Lq E"},
};
static_assert(std::size(meanings) == attention::tensor_count);

inline bool is_weight(std::string_view name) {
  return name.find("_proj_") != std::string_view::npos;
}

/// Where the cell at (row, column) of a block comes from.
inline Index index_in(const Meaning& meaning, const Block& block, const document::Look& look,
                      std::size_t row, std::size_t column) {
  Index index;
  for (const char letter : meaning.index) {
    if (letter == 'b') index.push_back(look.sample);
    if (letter == 'h') index.push_back(block.head.value_or(999));
    if (letter == 'i') index.push_back(look.query);
    if (letter == 'r') index.push_back(row);
    if (letter == 'c') index.push_back(column);
  }
  return index;
}

/// The number that `index` has in the trace.
inline float number_at(const attention::Trace& trace, TensorId id, const Index& index) {
  if (id != TensorId::weighted_values) return trace[id].at(index);
  return trace[TensorId::attention_weights].at({index[0], index[1], index[2], index[3]}) *
         trace[TensorId::v_heads].at({index[0], index[1], index[3], index[4]});
}

/// Every tensor there is to draw.
inline std::vector<TensorId> drawable(const attention::Trace& trace) {
  std::vector<TensorId> ids = trace.present();
  ids.push_back(TensorId::weighted_values);
  return ids;
}

/// All looks that change what a tensor's matrices are: samples, heads and, for weighted_values,
/// queries.
inline std::vector<document::Look> looks_for(const Scene& scene, const Meaning& meaning) {
  const bool heads = meaning.index.find('h') != std::string_view::npos;
  const bool query = meaning.index.find('i') != std::string_view::npos;
  std::vector<document::Look> looks;
  for (std::size_t sample = 0; sample < scene.config().batch; ++sample) {
    document::Look look;
    look.attention = scene.attention.id;
    look.sample = sample;
    look.query = sample % scene.config().query_len;
    look.all_heads = true;
    looks.push_back(look);
    look.all_heads = false;
    for (look.head = 0; look.head < (heads ? scene.config().num_heads : 1); ++look.head) {
      for (look.query = 0;
           look.query < (query ? std::min<std::size_t>(4, scene.config().query_len) : 1);
           ++look.query) {
        looks.push_back(look);
      }
    }
  }
  return looks;
}

}  // namespace stage
