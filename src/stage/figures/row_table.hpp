// A table of one query's row with one line for each key, as the figures of scale, mask and softmax
// use it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stage/figures/figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// One row of the [B,H,Lq,Lk] tensors: the view state's sample, head and query.
class QueryRow {
 public:
  explicit QueryRow(const FigureInput& input);

  const document::ComputedAttention& attention() const { return *attention_; }
  const model::Trace& trace() const { return attention_->trace; }
  std::size_t sample() const { return sample_; }
  std::size_t head() const { return head_; }
  std::size_t query() const { return query_; }
  std::size_t keys() const { return trace().config.key_len; }
  /// The reader is to guess a mistake, so figures show numbers but not how they came about.
  bool is_guessed() const { return guessed_; }

  tensor::Index index(std::size_t key) const { return {sample_, head_, query_, key}; }
  document::CellRef cell(model::TensorId tensor, std::size_t key) const {
    if (tensor == "mean_weights") return {tensor, {sample_, query_, key}};
    return {tensor, index(key)};
  }
  float value(model::TensorId tensor, std::size_t key) const {
    return trace()[tensor].at(index(key));
  }
  /// The row's numbers [Lk].
  std::vector<float> values(model::TensorId tensor) const;
  /// The row as a view [1,Lk]; of mean_weights, too, which have no heads.
  tensor::Tensor view(model::TensorId tensor) const;

  /// "scores, head 1", or the name alone if there is only one head.
  std::string with_head(const std::string& name) const;

  const std::string& query_token() const { return token(attention_->query_tokens, query_); }
  const std::string& key_token(std::size_t key) const { return token(attention_->key_tokens, key); }
  const std::string& query_token(std::size_t query) const {
    return token(attention_->query_tokens, query);
  }

 private:
  const std::string& token(const std::vector<std::vector<std::string>>& tokens,
                           std::size_t place) const;

  const document::ComputedAttention* attention_;
  std::size_t sample_;
  std::size_t head_;
  std::size_t query_;
  bool guessed_;
};

/// The keys as lines below each other. If not all fit, the most important ones stay, in order.
struct KeyRows {
  std::vector<std::size_t> keys;
  std::size_t left_out = 0;
  float top = 0.0F;
  float pitch = 0.0F;  ///< height of a line; "… 55 more" takes one, too

  float middle(std::size_t row) const { return top + pitch * (static_cast<float>(row) + 0.5F); }
  float bottom() const {
    return top + pitch * static_cast<float>(keys.size() + (left_out > 0 ? 1 : 0));
  }
};
/// Chooses the keys that fit into `height`. `importance`: one number for each key; NaN counts
/// least.
KeyRows key_rows(const std::vector<float>& importance, float top, float height);

/// The fixed parts of a table around its rows, in logical pixels.
struct TableSizes {
  float headings = 32.0F;
  float footing = 0.0F;  ///< room below the rows
  std::vector<std::string> notes;
  std::string aside;  ///< one more note, shown only if every key still has a row
};

/// A table under construction: its figure so far and the places of its parts.
struct KeyTable {
  Figure figure;
  KeyRows rows;
  float left = 0.0F;  ///< left end of the columns, right of the tokens
  float right = 0.0F;
  float headings = 0.0F;  ///< top of the headings
  float footing = 0.0F;   ///< top of the footing
  float type = 12.0F;     ///< type size of tokens and numbers

  float width() const { return right - left; }
};

/// Begins a table in the middle of `place`: adds the query's line with its arrows, the tokens and
/// the notes. `strong`: the key whose token stands out, or keys() for none.
KeyTable begin_table(const QueryRow& row, std::string name, const Rect& place,
                     const TableSizes& sizes, const std::vector<float>& importance,
                     std::size_t strong);

/// A number in at most `room` (6 or more) glyphs: as number_text_fitting sets it or, if its integer
/// part does not fit, like "1.4e8".
std::string number_in(float value, int room, int decimals);
/// A number that someone chose, in at most seven glyphs: whole numbers whole, "0.5" without more
/// zeros.
std::string brief_number(float value);
/// A number for a figure: at most seven glyphs, up to three of them decimals.
std::string short_text(double value);

/// The line "Query 3 Michael, head 0" from x on, with ▲ and ▼ for the neighbouring queries at
/// `right`.
inline constexpr float query_line = 30.0F;
void put_query(Figure& figure, const QueryRow& row, float x, float right, float y);

/// A number in a column whose right end is at x.
void put_number(KeyTable& table, float x, float y, std::string text, Tone tone = Tone::text,
                std::optional<document::CellRef> cell = std::nullopt);

/// Where bars of weights begin, and the length of the longest; logical pixels.
struct BarAxis {
  float zero;
  float length;
};
/// In a column from `left` on: at its left end, or in its middle where some weights are negative,
/// so that their bars lead to the left.
BarAxis bar_axis(const std::vector<float>& weights, float left, float width);

/// The weight of the i-th row as a bar from x on, to the left if it is negative; `length` is that
/// of the weight `most` and beyond.
void put_weight(KeyTable& table, std::size_t i, float x, float length, Bar bar, float most = 1.0F);

/// Whether both are the same number or both NaN.
bool is_same(float a, float b);

/// A heading of one or two lines over a column, aligned to its left or right end. Of each line, the
/// longest text that fits into `width` is taken.
void put_heading(KeyTable& table, float x, float width, Side side, const Lengths& first,
                 const Lengths& second);

/// The row's cells of a tensor as matrices, one for each run of neighbouring keys, `width` wide at
/// x. They are coloured, explained and edited like all other matrices.
void put_cells(Stage& stage, const QueryRow& row, model::TensorId tensor, const KeyRows& rows,
               float x, float width);

/// `place`, enlarged to the size that a figure needs at least. The camera shrinks what is too large
/// for the screen.
Rect at_least(const Rect& place, float width, float height);

/// What a variant of attention made of scaled scores: "capped score"; empty if none did.
Lengths names_of_variant(const model::Trace& trace);
/// What the trace did to the scores before the softmax, such as {"score / √64", "scaled"}.
Lengths names_of_masked_score(const QueryRow& row);
/// The divisor as a formula, such as "√64", "2.5" or "1".
std::string divisor_text(const model::Scale& scale, std::size_t head_dim, std::size_t key_len);

}  // namespace stage
