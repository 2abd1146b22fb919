// One tensor's group: a caption over a grid of matrices, measured at a scale and put in its place.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "document/computed.hpp"
#include "stage/motion/flow.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

inline constexpr float label_gap = 8.0F;        ///< between a row and its label, logical pixels
inline constexpr float caption_height = 40.0F;  ///< the name, and under it the shape
inline constexpr float head_bar = 6.0F;         ///< room over a block for the bar in its head's hue

/// Whose way through project, split and transpose this tensor is on: key_input, k_proj_weight, k,
/// k_split and k_heads are on the keys'.
document::Projection projection_of(model::TensorId tensor);

/// How wide a label is set, roughly: layout happens without a font. Logical pixels at 12 px type.
float label_width(std::string_view text);

/// What the size of a drawing depends on: two with the same outline are measured alike.
struct Outline {
  Place place;
  std::size_t sheets = 0;  ///< that lie under each block
  std::size_t blocks = 0;
  std::size_t rows = 0;     ///< of a block
  std::size_t columns = 0;  ///< likewise
  bool has_row_labels = false;
  bool rows_are_queries = false;
  bool has_column_labels = false;
  // How wide its words are, by label_width; 0 where there are none.
  float row_labels = 0.0F;  ///< the longest of them
  float title = 0.0F;
  float shape = 0.0F;
  float note = 0.0F;
  float key_words = 0.0F;  ///< the longest of the keys over the columns, at 11 px type
  bool folded = false;     ///< a part of a card, which has a size of its own
  bool named = false;      ///< tokens stand beside its rows on the map, too

  friend bool operator==(const Outline&, const Outline&) = default;
};

/// What is drawn of one tensor, before it has a size. Made once a layout: of its outline, sizes are
/// then tried many times.
struct Drawing {
  Group group;
  std::vector<Block> blocks;
  Outline outline;
};

/// The drawings of those tensors that the attention has, sorted by column and lane of the flow.
/// `one_projection`: only those on the way of the view state's projection.
std::vector<Drawing> drawings_of(const document::ComputedAttention& attention,
                                 const document::ViewState& view_state,
                                 std::span<const model::TensorId> tensors,
                                 bool one_projection = false);

/// The outline of a tensor's group and blocks, all of one size. drawings_of has taken it.
Outline outline_of(const Group& group, std::span<const Block> blocks, const Place& place,
                   std::size_t sheets = 0);

/// The size of a drawing at one scale and how its blocks stand in it.
struct Measured {
  std::size_t per_row = 1;
  float gap = 0.0F;  // between blocks
  float block_width = 0.0F;
  float block_height = 0.0F;
  bool row_labels = false;
  bool column_labels = false;
  float upright = 0.0F;  // room over the first line of blocks for words that stand upright
  float labels = 0.0F;   // width of the row labels
  float caption = 0.0F;  // height of the caption
  bool note = false;     // the caption has room for it
  float sheets = 0.0F;   // what lies under a block looks out so far, to the right and below
  float above = 0.0F;    // over each block: a bar in the head's hue and the columns' labels
  float width = 0.0F;
  float height = 0.0F;
};

/// Sizes in logical pixels. `scale` stretches the cells; captions and labels keep their size.
/// `detailed`: with the shape under the name; `notes`: and with whose numbers they are.
/// `stretch` makes rows higher than their cells' natural shape, as far as each drawing allows.
/// `upright`: with room for keys over columns that are narrower than the words.
Measured measure(const Outline& outline, float scale, bool detailed, bool notes,
                 float stretch = 1.0F, bool upright = false);

/// Whether keys over the columns would be shortened, though they would have room standing upright.
bool lacks_upright_labels(const Outline& outline, const Measured& measured);

/// The same without row labels.
Measured without_row_labels(Measured measured);

/// Puts a drawing's group and blocks on the stage, in the size that was measured, with its corner
/// at (x, y).
void put(Stage& stage, const Drawing& drawing, const Measured& m, float x, float y);

}  // namespace stage
