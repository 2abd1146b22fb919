// The pieces of the figure for the step "sentence": where everything stands, when it happens, and
// how it is drawn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "stage/figures/figures.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/scene/stage.hpp"

namespace stage::sentence {

// Places. All numbers are logical pixels at zoom 1.

inline constexpr float small_type = 11.5F;
inline constexpr float word_height = 28.0F;
inline constexpr float bar_height = 24.0F;
inline constexpr float note_height = 20.0F;
inline constexpr float second_note = 16.0F;  // below the first, where a translator says which head
inline constexpr float caption_height = 26.0F;
inline constexpr float features_height = 15.0F;  // above the cells, where features have names
inline constexpr float room_for_way = 12.0F;     // to queries that are not shown
inline constexpr float stacked_gap = 6.0F;
inline constexpr float over_cells = 5.0F;  // room for the bar in the head's hue

/// Tokens side by side, in slots of equal width.
struct Line {
  std::vector<std::size_t> tokens;  ///< their indices in the sequence, ascending
  float left = 0.0F;
  float slot = 0.0F;
  float type = 12.0F;

  float middle(std::size_t i) const { return left + slot * (static_cast<float>(i) + 0.5F); }
  float right() const { return left + slot * static_cast<float>(tokens.size()); }
  /// The index in `tokens` of a token of the sequence; empty if it has no slot.
  std::optional<std::size_t> of(std::size_t token) const {
    const auto found = std::find(tokens.begin(), tokens.end(), token);
    if (found == tokens.end()) return std::nullopt;
    return static_cast<std::size_t>(found - tokens.begin());
  }
};

struct Places {
  Rect all;
  bool self = true;
  /// Of the mean over the heads there are no rows before and after: no head mixes values with it.
  bool mean = false;
  bool stacked = false;  ///< the row before is above the row after, not beside it
  Line queries;          ///< the same as `keys` if the sequence attends to itself
  Line keys;
  float queries_top = 0.0F;
  float arcs_top = 0.0F;
  float keys_top = 0.0F;
  float weights_top = 0.0F;
  float weight_height = 24.0F;
  float bar_top = 0.0F;
  float rows_top = 0.0F;
  float cell_height = 0.0F;
  bool features = false;  ///< the features of a row have names

  float arcs_bottom() const { return keys_top; }
  /// The room above the cells of a row, for its caption and the names of its features.
  float over_row() const { return caption_height + (features ? features_height : 0.0F); }
};

/// Where everything stands. If there is no room for all keys, those with the largest of `weights`
/// [Lk] get a slot. In self-attention the query always does. `notes`: the height of what is said
/// about the mean over the heads; nothing where one head is shown. `which_head`: whether a second
/// line below the bar says which one.
Places places_for(const QueryRow& row, const std::vector<float>& weights, const Rect& place,
                  std::optional<float> notes, bool which_head);

/// Where everything stands while the step plays backward: the words, the arcs and the weights as
/// ever; below them the gradients of the weights and a table with a column for each key; on its
/// right the gradient of the query's row as one more column.
struct PlacesBack {
  Places words;
  float gradients_top = 0.0F;  ///< of the weights; they are as high as the weights
  float table_top = 0.0F;
  float cell_height = 0.0F;
  std::size_t dimensions = 0;  ///< rows of the table: so many of the head's numbers fit
  float right = 0.0F;          ///< left end of what stands on the right
  float right_width = 0.0F;
  float column_width = 0.0F;

  float table_bottom() const { return table_top + cell_height * static_cast<float>(dimensions); }
};
PlacesBack places_back(const QueryRow& row, const std::vector<float>& weights, const Rect& place);

// Times.

/// How much of the arc to the i-th of `count` keys is drawn at this progress, 0 … 1.
float arc_grown(float progress, std::size_t i, std::size_t count);
/// How far that key's band has come down, 0 … 1.
float band_fallen(float progress, std::size_t i, std::size_t count);
/// How many of the keys' bands have come all the way down.
std::size_t arrived(float progress, std::size_t count);

/// The size of a weight, or 0 if it is not finite, for use as a length. Without a softmax weights
/// may be negative.
float length_of(float weight);
/// What the widest arc stands for: the largest weight of all queries and heads, or with the mean
/// over the heads, which is there for one query only, the largest of `weights`.
float largest_weight(const QueryRow& row, bool mean, const std::vector<float>& weights);

// Drawing.

/// The words of queries and keys; pointing at a query's word chooses it.
void put_words(Figure& figure, const QueryRow& row, const Places& places);
/// The arcs from the query to its keys. `grown`: how much of each arc is drawn, 0 … 1. `faint`: as
/// ways along which nothing has gone yet.
void put_arcs(Figure& figure, const QueryRow& row, const Places& places,
              const std::vector<float>& weights, const std::vector<float>& grown,
              bool faint = false);
/// The query's row of attention_weights below the words; it has gaps where keys are left out. Each
/// weight appears when its arc is drawn.
void put_weights(Stage& stage, const QueryRow& row, const Places& places,
                 const std::vector<float>& grown);
/// The query's row of the input and of the head's output.
void put_rows(Stage& stage, Figure& figure, const FigureInput& input, const QueryRow& row,
              const Places& places, float progress);

}  // namespace stage::sentence
