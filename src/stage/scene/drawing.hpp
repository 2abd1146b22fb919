// Turns one tensor into a drawing (a caption over a grid of matrices), measures and places it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "document/computed.hpp"
#include "stage/motion/flow.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

inline constexpr float label_gap = 8.0F;        ///< between a row and its label, logical pixels
inline constexpr float number_room = 8.0F;      ///< and for the row's number, where it is there
inline constexpr float caption_height = 40.0F;  ///< two lines: the name and, under it, the shape
inline constexpr float head_bar = 6.0F;  ///< height above a block for the bar in its head's hue
inline constexpr float smallest_upright_column =
    10.0F;  ///< in which a line of the smallest type fits

/// The projection that this tensor belongs to, from the input to its heads: key_input,
/// k_proj_weight, k, k_split and k_heads belong to the keys'.
document::Projection projection_of(model::TensorId tensor);

/// An estimate of a label's width in logical pixels at 12 px type. Layout happens without a font.
float label_width(std::string_view text);

/// Everything that a drawing's size depends on: drawings with equal outlines measure the same.
struct Outline {
  Place place;
  std::size_t sheets = 0;  ///< under each block
  std::size_t blocks = 0;
  std::size_t rows = 0;     ///< of each block
  std::size_t columns = 0;  ///< of each block
  bool has_row_labels = false;
  bool rows_are_queries = false;
  bool has_column_labels = false;
  // Widths of its texts, as label_width estimates them; 0 where there is no text.
  float row_labels = 0.0F;  ///< the widest of them
  float title = 0.0F;
  float shape = 0.0F;
  float note = 0.0F;
  float column_words = 0.0F;  ///< the widest word over the columns, at 11 px type; indices are none
  bool of_keys = false;       ///< these words are keys, which are never cut
  bool folded = false;        ///< it is part of a card on the map, which has a fixed size
  bool named = false;         ///< tokens stand beside its rows even on the map
  bool numbered = false;      ///< and the numbers of the rows beside the tokens

  friend bool operator==(const Outline&, const Outline&) = default;
};

/// One tensor's group and blocks before they have a size. A layout makes them once and then tries
/// many sizes with the outline alone, which is cheap.
struct Drawing {
  Group group;
  std::vector<Block> blocks;
  Outline outline;
};

/// Drawings of those of `tensors` that this attention has, sorted by column and lane of the flow.
/// `one_projection`: only the tensors of the projection that the view state chooses.
std::vector<Drawing> drawings_of(const document::ComputedAttention& attention,
                                 const document::ViewState& view_state,
                                 std::span<const model::TensorId> tensors,
                                 bool one_projection = false);

/// The outline of a group whose blocks all have the same size. drawings_of fills it in already.
Outline outline_of(const Group& group, std::span<const Block> blocks, const Place& place,
                   std::size_t sheets = 0);

/// The size of a drawing at one scale, and how its blocks are arranged in it; logical pixels.
struct Measured {
  std::size_t per_row = 1;
  float gap = 0.0F;  // between neighbouring blocks
  float block_width = 0.0F;
  float block_height = 0.0F;
  bool row_labels = false;
  bool row_numbers = false;
  bool column_labels = false;
  float upright = 0.0F;  // height over the first line of blocks for upright labels
  float ticks = 0.0F;    // the same for the line that counts keys too narrow to be named
  float labels = 0.0F;   // width of the row labels
  float caption = 0.0F;  // height of the caption
  bool note = false;     // the caption has room for the group's note
  float sheets = 0.0F;   // how far sheets reach out from under a block, to the right and down
  float above = 0.0F;    // over each block, for the bar in the head's hue and column labels
  float width = 0.0F;
  float height = 0.0F;
};

/// Measures a drawing in logical pixels. `scale` applies to the cells; captions and labels keep
/// their size. `detailed` adds the shape under the name, `notes` the group's note. `stretch` (from
/// 1) makes rows higher, as far as the drawing allows. `upright` makes room for upright key labels
/// over columns that are narrower than the words.
Measured measure(const Outline& outline, float scale, bool detailed, bool notes,
                 float stretch = 1.0F, bool upright = false);

/// Whether the key labels have to be shortened although the columns could hold them upright.
bool lacks_upright_labels(const Outline& outline, const Measured& measured);

/// Whether some label over a column is shortened, however little, and could stand upright instead.
bool cuts_column_labels(const Outline& outline, const Measured& measured);

/// `measured` with the room for row labels taken away.
Measured without_row_labels(Measured measured);

/// Adds a drawing's group and blocks to the stage in the size `m`, with the top left corner at (x,
/// y).
void put(Stage& stage, const Drawing& drawing, const Measured& m, float x, float y);

}  // namespace stage
