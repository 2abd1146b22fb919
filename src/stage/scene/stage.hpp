// The stage: matrices, captions and links placed on a plane. Only geometry; it needs no window.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "document/computed.hpp"
#include "model/trace.hpp"
#include "stage/figures/figure.hpp"
#include "stage/figures/word_list.hpp"
#include "stage/layout/geometry.hpp"

namespace stage {

/// How a number becomes a colour.
enum class Colouring : unsigned char {
  diverging,  ///< around zero, −range … range
  weights,    ///< one-sided, 0 … range
};

/// A label for a block as a whole.
struct Tag {
  enum class Place : unsigned char {
    none,
    left,   ///< centred on its height: whose card it is
    over,   ///< above its left end
    under,  ///< below a bracket that spans all its columns, in its head's hue
  };
  Place place = Place::none;
  std::string text;
  float drawn = 1.0F;  ///< how visible it is, 0 … 1
};

/// How far a tag reaches above or below the cells, including the bar in the head's hue.
inline constexpr float tag_over = 20.0F;
inline constexpr float tag_under = 28.0F;

/// One matrix drawn on the plane: a two-dimensional view into a tensor.
struct Block {
  lesson::AttentionId attention = lesson::AttentionId::attention;
  model::TensorId tensor;
  /// [rows, columns]. It shares the tensor's storage: cells are drawn from where they were
  /// computed.
  tensor::Tensor matrix;
  tensor::Index corner;                 ///< the tensor's index of the cell at row 0, column 0
  std::optional<std::size_t> row_axis;  ///< the axis of the tensor that the rows walk, if any
  std::optional<std::size_t> column_axis;
  std::optional<std::size_t> head;  ///< empty if it is not one head's
  std::size_t sharing = 1;          ///< how many query heads share each of its heads
  /// Where rows or columns run through all heads (q, merged, a projection's weights): how many of
  /// them belong to each head. 0 elsewhere.
  std::size_t columns_per_head = 0;
  std::size_t rows_per_head = 0;
  /// For each row, the head whose numbers it holds, if a mistake shows it under another head.
  std::vector<std::size_t> row_heads;
  bool rows_are_queries = false;  ///< a row can be chosen as the query; the chosen one is marked
  WordList row_labels;            ///< tokens; may be empty
  WordList column_labels;         ///< key tokens or dimension numbers; may be empty
  /// Height over the cells for column labels that stand upright because their columns are narrower
  /// than the words; 0 where the labels are horizontal.
  float upright_labels = 0.0F;
  /// Key tokens over columns too narrow to name: the one in focus is named, and some are counted.
  WordList column_ticks;
  Colouring colouring = Colouring::diverging;
  float range = 1.0F;  ///< where the colour scale ends: the tensor's largest finite |number|
  Rect cells;          ///< where the cells lie, in stage units
  bool show_row_labels = false;
  bool show_row_numbers = false;  ///< between the labels and the rows
  float row_labels_there = 1.0F;  ///< how visible the labels are, 0 … 1
  float column_labels_there = 1.0F;
  float cells_there = 1.0F;  ///< so are the colours and numbers
  Tag tag;
  std::size_t group = 0;
  float opacity = 1.0F;  ///< below 1 for a block that only gives context
  /// How many cells have been computed so far, in row-major order; the rest are drawn blank.
  std::size_t shown = std::numeric_limits<std::size_t>::max();
  bool is_difference = false;  ///< `matrix` is the tensor minus the original's
  bool only_seen = false;      ///< a picture of another attention; its cells cannot be chosen
  bool partial = false;        ///< an unfinished sum, not yet the tensor's value
  std::vector<bool> wrong;  ///< in row-major order, whether a mistake spoiled the cell; empty: none
  std::vector<bool> changed;  ///< ... and whether an edit changed it
  bool piece = false;         ///< some cells of another block on their way there
  /// Set for a stretch of memory: the tensor whose floats are shown in storage order. `matrix` is
  /// then a view of its storage that begins at the float `run_start`.
  std::optional<tensor::Tensor> run;
  std::size_t run_start = 0;

  std::size_t rows() const { return matrix.dim(0); }
  std::size_t columns() const { return matrix.dim(1); }
  float value(std::size_t row, std::size_t column) const { return matrix.at({row, column}); }
  /// The head whose hue this block's head gets: the first of the query heads that share it.
  std::size_t hue_of(std::size_t own_head) const { return own_head * sharing; }
  /// The tensor's index of the cell at (row, column).
  tensor::Index index_of(std::size_t row, std::size_t column) const;
  /// Where this block shows a cell of the tensor; empty if it does not.
  struct Position {
    std::size_t row;
    std::size_t column;
  };
  std::optional<Position> position_of(const tensor::Index& index) const;
  Rect cell(std::size_t row, std::size_t column) const;
  bool is_shown(std::size_t row, std::size_t column) const {
    return row * columns() + column < shown;
  }
};

/// Which part of its tensor a block is, as Python writes it: "[0, 1, :, :]" or, of rows 2 to 4,
/// "[0, 1, 2:5, :]". `trace`: of its attention.
std::string part_of(const Block& block, const model::Trace& trace);

/// The parts of the map that can be closed into one card; values are the bits of document::MapOpen.
enum class Fold : unsigned char {
  none,
  split,  ///< from q, k and v to their heads
  scale,  ///< from scores to masked scores
};

/// One tensor's blocks (its heads, say) under one caption.
struct Group {
  model::TensorId tensor;
  std::string title;           ///< the tensor's name and which part of it is shown
  std::string shape;           ///< of what is drawn, without the batch: "[Lq 3, E 6]"
  std::string note;            ///< such as "view of q"; may be empty
  bool wrong = false;          ///< the note says that a mistake spoiled it
  Rect bounds;                 ///< caption, labels and cells, in stage units
  Rect caption;                ///< the area of title and shape
  float caption_there = 1.0F;  ///< while it fades; as Block::row_labels_there
  std::size_t first_block = 0;
  std::size_t block_count = 0;
  std::size_t line = 0;  ///< which line of the flow, which breaks as text does
  /// It belongs to a figure, which explains it: it has no caption and takes no part in the flow.
  bool in_figure = false;
  Fold fold = Fold::none;  ///< the part of the map that it belongs to
  /// The map shows a card in place of the matrices of this fold; links end at the card.
  bool folded = false;
};

/// A thin line from a tensor to one that is computed from it; both are indices of groups.
struct Link {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Cells that travel while a step plays: `piece` moves from `from` to its own `cells` while the
/// step's progress goes from `begin` to `end`.
struct Tween {
  Block piece;
  Rect from;
  std::size_t into = 0;  ///< the block that they arrive in
  /// True for a view, which reads the same floats in another order, so nothing stays behind. A copy
  /// leaves its source in place.
  bool leaves = false;
  float begin = 0.0F;
  float end = 1.0F;
  /// From here on it is no longer there, since it has become a part of something else.
  float gone = std::numeric_limits<float>::max();
};

/// A block whose cells appear one after another while the step's progress goes from `begin` to
/// `end`.
struct Sweep {
  std::size_t block = 0;
  float begin = 0.0F;
  float end = 1.0F;
  /// These cells, counted in row-major order, get most of the time, so that the reader can see how
  /// each of them is computed.
  std::size_t slow_first = 0;
  std::size_t slow_count = 0;
  float slow_wait = 0.0F;  ///< share of their time that passes before the first appears
};

/// How far a sweep has come.
struct Done {
  std::size_t cells = 0;  ///< finished
  float next = 0.0F;      ///< how far the following cell has come, 0 … 1
};

/// A sum that a figure is adding up.
struct Growing {
  document::CellRef cell;
  std::size_t added = 0;  ///< terms added so far
};

/// The same matrix of another sample in the batch; it lies under the chosen sample's block.
struct Sheet {
  std::size_t over = 0;    ///< the block it lies under
  std::size_t depth = 1;   ///< how many lie above it, the block included
  std::size_t sample = 0;  ///< counted from 0
  tensor::Tensor matrix;
  float opacity = 1.0F;  ///< multiplied with the block's
};

/// The type size of captions in logical pixels: smaller on the map (`detail` 0) than in a step (1).
constexpr float caption_type_size(float detail) { return mixed(11.5F, 13.0F, detail); }

struct Stage {
  std::vector<Group> groups;
  std::vector<Block> blocks;
  std::vector<Sheet> sheets;  ///< deepest first; see batch_stack.hpp
  std::vector<Link> links;
  std::vector<Figure> figures;
  std::vector<Tween> tweens;
  std::vector<Sweep> sweeps;
  std::optional<Growing> growing;
  Rect bounds;
  /// Blocks from this index on are travelling pieces and drawn over all others.
  std::size_t first_piece = std::numeric_limits<std::size_t>::max();
  bool detailed = true;  ///< captions have a second line with the shape
  /// How visible that second line is, 0 … 1; it fades on the way to the map and back.
  float detail = 1.0F;
  /// The flow goes from the end to the beginning: gradients. Its lines point the other way.
  bool backward = false;
  bool across = true;  ///< the flow runs from left to right; false: from top to bottom
};

/// Adds a group and its blocks; the group's block indices are filled in.
void add_group(Stage& stage, Group group, std::vector<Block> blocks);

/// Moves everything on the stage, its bounds included.
void move(Stage& stage, float dx, float dy);

/// The largest finite |number| of a tensor; 1 if that would be 0.
float value_range(const tensor::Tensor& tensor);

struct Hit {
  std::size_t block = 0;
  std::size_t row = 0;
  std::size_t column = 0;
  friend bool operator==(const Hit&, const Hit&) = default;
};
/// The topmost cell under a point of the plane; cells that are still blank do not count.
std::optional<Hit> cell_at(const Stage& stage, Point plane);
/// The query row whose label is under a point of the plane.
std::optional<std::size_t> query_at(const Stage& stage, Point plane);
/// Where the stage shows this cell of this tensor; empty if it does not or the cell has not been
/// computed yet. A travelling piece counts. `rather`: the block to find it in where several show
/// it.
std::optional<Hit> find_cell(const Stage& stage, model::TensorId tensor, const tensor::Index& index,
                             std::optional<std::size_t> rather = {});

/// The same of a cell that may still be blank, because the animation is about to compute it.
std::optional<Hit> find_place(const Stage& stage, model::TensorId tensor,
                              const tensor::Index& index);

/// All cells on the stage that read the float at `position` of the storage of `like`.
std::vector<Hit> cells_reading(const Stage& stage, const tensor::Tensor& like,
                               std::size_t position);
/// The target under a point of the plane, the last one where several overlap; null if there is
/// none.
const Target* target_at(const Stage& stage, Point plane);

/// The stage on the way from `from` to `to`, for t in 0 … 1, eased. Blocks that are on both stages
/// travel, all others stand where `to` has them; what is new (see is_new) should have opacity `t`.
Stage between(const Stage& from, const Stage& to, float t);
/// Whether both show the same matrix, even in different places or different parts of it.
bool shows_the_same(const Block& a, const Block& b);
/// Whether both show the same cells of the same tensor in the same arrangement.
bool same_cells(const Block& a, const Block& b);
/// Whether no block of `stage` shows what `block` shows.
bool is_new(const Block& block, const Stage& stage);

}  // namespace stage
