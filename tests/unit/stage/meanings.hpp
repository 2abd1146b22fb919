// What each tensor's matrices must be, said a second time and from the textbook.
#pragma once

#include <string_view>
#include <vector>

#include "stage/scenes.hpp"

namespace stage {

using model::TensorId;
using tensor::Index;
using tensor::Tensor;

/// What a drawn matrix is about, said a second time and from the textbook, tensor by tensor: the
/// axes that are fixed and the two that become rows and columns. b: sample, h: head, g: group of
/// heads that share keys and values, i: query, j: key, d and e: dimensions; r and c: row and
/// column.
struct Meaning {
  TensorId id;
  std::string_view index;    ///< "bhrc": the place of each axis of the tensor in the drawing
  std::string_view rows;     ///< "query", "key" or "": whose tokens stand beside the rows
  std::string_view columns;  ///< "key", "number" or ""
  std::string_view shape;    ///< letters of the axes, in order; A: all heads, "E" but if wider
};

inline constexpr Meaning meanings[] = {
    {"token_embedding", "brc", "query", "number", "B Lq E"},
    {"position_encoding", "rc", "query", "number", "Lq E"},
    {"query_input", "brc", "query", "number", "B Lq E"},
    {"key_input", "brc", "key", "number", "B Lk kdim"},
    {"value_input", "brc", "key", "number", "B Lk vdim"},
    {"q_proj_weight", "rc", "", "number", "A E"},
    {"k_proj_weight", "rc", "", "number", "A kdim"},
    {"v_proj_weight", "rc", "", "number", "A vdim"},
    {"q_proj_bias", "r", "", "", "A"},
    {"k_proj_bias", "r", "", "", "A"},
    {"v_proj_bias", "r", "", "", "A"},
    {"out_proj_weight", "rc", "", "number", "E A"},
    {"out_proj_bias", "r", "", "", "E"},
    {"q", "brc", "query", "number", "B Lq A"},
    {"k", "brc", "key", "number", "B Lk A"},
    {"v", "brc", "key", "number", "B Lk A"},
    {"q_full_normed", "brc", "query", "number", "B Lq A"},  // variants
    {"k_full_normed", "brc", "key", "number", "B Lk A"},
    {"q_split", "brhc", "query", "number", "B Lq H D"},
    {"k_split", "brhc", "key", "number", "B Lk H D"},
    {"v_split", "brhc", "key", "number", "B Lk H D"},
    {"k_groups", "bgrc", "key", "number", "B G Lk D"},
    {"v_groups", "bgrc", "key", "number", "B G Lk D"},
    {"k_shared", "", "", "", ""},  // not shown
    {"v_shared", "", "", "", ""},
    {"q_heads", "bhrc", "query", "number", "B H Lq D"},
    {"k_heads", "bhrc", "key", "number", "B H Lk D"},
    {"v_heads", "bhrc", "key", "number", "B H Lk D"},
    {"q_norm_weight", "c", "", "number", "D"},  // from here to k_rotated: variants
    {"k_norm_weight", "c", "", "number", "D"},
    {"q_normed", "bhrc", "query", "number", "B H Lq D"},
    {"k_normed", "bhrc", "key", "number", "B H Lk D"},
    {"rope_frequencies", "", "", "", ""},  // not shown
    {"q_rotated", "bhrc", "query", "number", "B H Lq D"},
    {"k_rotated", "bhrc", "key", "number", "B H Lk D"},
    {"scores", "bhrc", "query", "key", "B H Lq Lk"},
    {"scaled_scores", "bhrc", "query", "key", "B H Lq Lk"},
    {"mask", "bhrc", "query", "key", "B H Lq Lk"},
    {"capped_scores", "bhrc", "query", "key", "B H Lq Lk"},  // variants
    {"alibi_bias", "hrc", "query", "key", "H Lq Lk"},
    {"position_bias_table", "", "", "", ""},  // not shown
    {"position_bias", "hrc", "query", "key", "H Lq Lk"},
    {"biased_scores", "bhrc", "query", "key", "B H Lq Lk"},
    {"masked_scores", "bhrc", "query", "key", "B H Lq Lk"},
    {"sinks", "h", "", "", "H"},  // a variant
    {"attention_weights", "bhrc", "query", "key", "B H Lq Lk"},
    {"weighted_values", "bhirc", "key", "number", "B H i Lk D"},
    {"head_outputs", "bhrc", "query", "number", "B H Lq D"},
    {"mean_weights", "", "", "", ""},  // in the figure "sentence" only
    {"merged_split", "brhc", "query", "number", "B Lq H D"},
    {"merged", "brc", "query", "number", "B Lq A"},
    {"output", "brc", "query", "number", "B Lq E"},
};
static_assert(std::size(meanings) == std::size(model::tables::multi_head_attention) + 19);

/// Where heads share keys and values, these have other axes.
inline constexpr Meaning grouped_meanings[] = {
    {"k_proj_weight", "rc", "", "number", "G·D kdim"},
    {"v_proj_weight", "rc", "", "number", "G·D vdim"},
    {"k", "brc", "key", "number", "B Lk G·D"},
    {"k_full_normed", "brc", "key", "number", "B Lk G·D"},
    {"v", "brc", "key", "number", "B Lk G·D"},
    {"k_split", "brgc", "key", "number", "B Lk G D"},
    {"v_split", "brgc", "key", "number", "B Lk G D"},
    {"k_normed", "bgrc", "key", "number", "B G Lk D"},
    {"k_rotated", "bgrc", "key", "number", "B G Lk D"},
};

inline const Meaning& meaning_of(const Scene& scene, TensorId id) {
  if (scene.config().num_kv_heads < scene.config().num_heads) {
    for (const Meaning& meaning : grouped_meanings) {
      if (meaning.id == id) return meaning;
    }
  }
  return meanings[id.place()];
}

/// How many heads a tensor has, or heads that are shared; 0 where it has no axis of heads.
inline std::size_t heads_of(const Scene& scene, const Meaning& meaning) {
  if (meaning.index.find('g') != std::string_view::npos) return scene.config().num_kv_heads;
  return meaning.index.find('h') != std::string_view::npos ? scene.config().num_heads : 0;
}

/// The head of it that is shown where one head of queries is.
inline std::size_t shown_head(const Scene& scene, const Meaning& meaning, std::size_t head) {
  const std::size_t sharing = scene.config().num_heads / scene.config().num_kv_heads;
  return meaning.index.find('g') != std::string_view::npos ? head / sharing : head;
}

inline bool is_weight(std::string_view name) {
  return name.find("_proj_") != std::string_view::npos;
}

/// Where the cell at (row, column) of a block comes from.
inline Index index_in(const Meaning& meaning, const Block& block,
                      const document::ViewState& view_state, std::size_t row, std::size_t column) {
  Index index;
  for (const char letter : meaning.index) {
    if (letter == 'b') index.push_back(view_state.sample);
    if (letter == 'h' || letter == 'g') index.push_back(block.head.value_or(999));
    if (letter == 'i') index.push_back(view_state.query);
    if (letter == 'r') index.push_back(row);
    if (letter == 'c') index.push_back(column);
  }
  return index;
}

/// The number that `index` has in the trace.
inline float number_at(const model::Trace& trace, TensorId id, const Index& index) {
  if (id != "weighted_values") return trace[id].at(index);
  return trace["attention_weights"].at({index[0], index[1], index[2], index[3]}) *
         trace["v_heads"].at({index[0], index[1], index[3], index[4]});
}

/// Every tensor there is to draw.
inline std::vector<TensorId> drawable(const model::Trace& trace) {
  std::vector<TensorId> ids = trace.present();
  std::erase_if(ids, [](TensorId id) { return id == "k_shared" || id == "v_shared"; });
  ids.push_back("weighted_values");
  return ids;
}

/// All looks that change what a tensor's matrices are: samples, heads and, for weighted_values,
/// queries.
inline std::vector<document::ViewState> looks_for(const Scene& scene, const Meaning& meaning) {
  const bool heads = heads_of(scene, meaning) > 0;
  const bool query = meaning.index.find('i') != std::string_view::npos;
  std::vector<document::ViewState> looks;
  for (std::size_t sample = 0; sample < scene.config().batch; ++sample) {
    document::ViewState view_state;
    view_state.attention = scene.attention.id;
    view_state.sample = sample;
    view_state.query = sample % scene.config().query_len;
    view_state.all_heads = true;
    looks.push_back(view_state);
    view_state.all_heads = false;
    for (view_state.head = 0; view_state.head < (heads ? scene.config().num_heads : 1);
         ++view_state.head) {
      for (view_state.query = 0;
           view_state.query < (query ? std::min<std::size_t>(4, scene.config().query_len) : 1);
           ++view_state.query) {
        looks.push_back(view_state);
      }
    }
  }
  return looks;
}

}  // namespace stage
