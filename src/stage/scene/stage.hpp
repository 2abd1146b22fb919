// The stage: matrices, captions and links with their places on the plane. Pure geometry, no window.
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

/// What stands beside a block as a whole.
struct Tag {
  enum class Place : unsigned char {
    none,
    left,   ///< on the middle of its height: whose card it is
    over,   ///< over its left end
    under,  ///< under a bracket around all its columns, in the hue of its head
  };
  Place place = Place::none;
  std::string text;
  float drawn = 1.0F;  ///< how much of it is there, 0 … 1
};

/// How far a tag reaches over or under the cells, with the bar in the head's hue.
inline constexpr float tag_over = 20.0F;
inline constexpr float tag_under = 28.0F;

/// One matrix drawn on the plane: a two-dimensional view into a tensor.
struct Block {
  lesson::AttentionId attention = lesson::AttentionId::attention;
  model::TensorId tensor;
  /// [rows, columns], sharing the tensor's storage: what is drawn is read where it was computed.
  tensor::Tensor matrix;
  tensor::Index corner;                 ///< index in the tensor of the cell at row 0, column 0
  std::optional<std::size_t> row_axis;  ///< which axis of the tensor the rows walk, if any
  std::optional<std::size_t> column_axis;
  std::optional<std::size_t> head;  ///< which head it is; nothing: belongs to all
  std::size_t sharing = 1;          ///< heads of queries that share each of its heads
  /// Where rows or columns run through all heads (q, merged, a projection's rows): how many belong
  /// to each head; else 0.
  std::size_t columns_per_head = 0;
  std::size_t rows_per_head = 0;
  /// Which head each row's numbers belong to, where that is not the head they are shown under.
  std::vector<std::size_t> row_heads;
  bool rows_are_queries = false;  ///< a row can be chosen as the query; the chosen one is marked
  WordList row_labels;            ///< tokens, or empty
  WordList column_labels;         ///< key tokens or dimension numbers, or empty
  /// How high the room over the cells is for column labels that stand upright, since their columns
  /// are narrower than the words; 0: they lie in one line.
  float upright_labels = 0.0F;
  Colouring colouring = Colouring::diverging;
  float range = 1.0F;  ///< the ends of the colour scale: the tensor's largest |finite number|
  Rect cells;          ///< where the cells lie, in stage units
  bool show_row_labels = false;
  float row_labels_there = 1.0F;  ///< how much of its labels is there, 0 … 1
  float column_labels_there = 1.0F;
  Tag tag;
  std::size_t group = 0;
  float opacity = 1.0F;  ///< less where it is only there for context
  /// How many cells have been computed, row after row: the others are still blank.
  std::size_t shown = std::numeric_limits<std::size_t>::max();
  bool is_difference = false;  ///< `matrix` is what the tensor has more than the original
  bool only_seen = false;      ///< a picture of another attention: its cells cannot be chosen
  bool partial = false;        ///< a sum on its way: not yet what the tensor holds
  std::vector<bool> wrong;     ///< row after row: not what it should be; empty: none is
  bool piece = false;          ///< some cells of another block, on their way to it
  /// Set for a stretch of memory: the tensor whose floats it shows in the order they lie in.
  /// `matrix` is then a view of its storage and `run_start` the first float of that.
  std::optional<tensor::Tensor> run;
  std::size_t run_start = 0;

  std::size_t rows() const { return matrix.dim(0); }
  std::size_t columns() const { return matrix.dim(1); }
  float value(std::size_t row, std::size_t column) const { return matrix.at({row, column}); }
  /// The head in whose hue one of its heads is drawn: the first of those that share it.
  std::size_t hue_of(std::size_t own_head) const { return own_head * sharing; }
  /// The index in the tensor of the cell at (row, column).
  tensor::Index index_of(std::size_t row, std::size_t column) const;
  /// Where a cell of the tensor is in this block, or nothing if it is not.
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

/// What the map can show as one card; as the bits of document::MapOpen.
enum class Fold : unsigned char {
  none,
  split,  ///< from q, k and v to their heads
  scale,  ///< from scores to masked scores
};

/// One tensor's blocks (its heads, say) under one caption.
struct Group {
  model::TensorId tensor;
  std::string title;   ///< the tensor's name, and what part of it is shown
  std::string shape;   ///< "[Lq 3, E 6]": of what is drawn, B apart
  std::string note;    ///< "view of q"; may be empty
  bool wrong = false;  ///< the note says what a mistake spoiled
  Rect bounds;         ///< caption, labels and cells, in stage units
  Rect caption;        ///< where title and shape are set
  std::size_t first_block = 0;
  std::size_t block_count = 0;
  std::size_t line = 0;  ///< the flow is broken into lines, as text is
  /// Part of a figure, which says what it is: no caption, and no part of the flow.
  bool in_figure = false;
  Fold fold = Fold::none;  ///< what it belongs to on the map
  /// Its matrices are not seen, but a card in the place of all of that fold; lines end where it is.
  bool folded = false;
};

/// A thin line from what is read to what is made; both are indices of groups.
struct Link {
  std::size_t from = 0;
  std::size_t to = 0;
};

/// Cells that travel while the step is played: `piece` from `from` to its own `cells`, while the
/// progress goes from `begin` to `end`.
struct Tween {
  Block piece;
  Rect from;
  std::size_t into = 0;  ///< the block they arrive in
  /// The same floats, read in another order: nothing stays where they were. A copy leaves its
  /// source.
  bool leaves = false;
  float begin = 0.0F;
  float end = 1.0F;
};

/// A block whose cells appear one after another while the progress goes from `begin` to `end`.
struct Sweep {
  std::size_t block = 0;
  float begin = 0.0F;
  float end = 1.0F;
  /// These cells, counted row after row, take most of the time: how they are made is to be seen.
  std::size_t slow_first = 0;
  std::size_t slow_count = 0;
  float slow_wait = 0.0F;  ///< so much of their time goes by before the first of them is there
};

/// How far a sweep has come.
struct Done {
  std::size_t cells = 0;  ///< that are there
  float next = 0.0F;      ///< how much of the one after them is done, 0 … 1
};

/// A sum that a figure is adding up.
struct Growing {
  document::CellRef cell;
  std::size_t added = 0;  ///< how many terms the figure has added
};

/// The same matrix of another sample of the batch: it lies under the block of the chosen one.
struct Sheet {
  std::size_t over = 0;    ///< the block it lies under
  std::size_t depth = 1;   ///< how many lie above it, that block counted
  std::size_t sample = 0;  ///< counted from 0
  tensor::Tensor matrix;
  float opacity = 1.0F;  ///< besides that of the block
};

/// The size in which captions are set, logical pixels: smaller in the small picture of the whole.
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
  /// Blocks from here on are pieces on their way: drawn over the others.
  std::size_t first_piece = std::numeric_limits<std::size_t>::max();
  bool detailed = true;  ///< captions have a second line with the shape
  float detail = 1.0F;   ///< how much of that line is there: less on the way to the map, or from it
  bool across = true;    ///< the flow runs from left to right; false: from top to bottom
};

/// Puts a group and its blocks on the stage.
void add_group(Stage& stage, Group group, std::vector<Block> blocks);

/// Moves all of it.
void move(Stage& stage, float dx, float dy);

/// The largest |finite number| of a tensor, 1 where there is none but zeros.
float value_range(const tensor::Tensor& tensor);

/// A cell of a block.
struct Hit {
  std::size_t block = 0;
  std::size_t row = 0;
  std::size_t column = 0;
  friend bool operator==(const Hit&, const Hit&) = default;
};
/// The cell under a point of the plane.
std::optional<Hit> cell_at(const Stage& stage, Point plane);
/// The query row whose label or cells are under a point of the plane.
std::optional<std::size_t> query_at(const Stage& stage, Point plane);
/// The block and position that shows this cell of this tensor, if the stage has it and it has been
/// computed; a piece while it is under way.
std::optional<Hit> find_cell(const Stage& stage, model::TensorId tensor,
                             const tensor::Index& index);

/// Every cell of the stage that reads the float at `position` of the storage of `like`.
std::vector<Hit> cells_reading(const Stage& stage, const tensor::Tensor& like,
                               std::size_t position);
/// The target under a point of the plane; the last one of those that overlap.
const Target* target_at(const Stage& stage, Point plane);

/// Between two stages, t in 0…1, eased: blocks that are in both travel, the others are where `to`
/// has them. Visibility of what is new in `to` is `t` itself; see `is_new`.
Stage between(const Stage& from, const Stage& to, float t);
/// True where both show the same matrix, wherever and whichever part of it.
bool shows_the_same(const Block& a, const Block& b);
/// True where both show the same cells of the same tensor in the same places of a matrix.
bool same_cells(const Block& a, const Block& b);
/// True where `stage` has no block that shows what this one shows.
bool is_new(const Block& block, const Stage& stage);

}  // namespace stage
