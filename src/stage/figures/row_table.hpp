// One query's row with the keys going down: what the close-ups of scale, mask and softmax share.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "stage/figures/figures.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The row of [B,H,Lq,Lk] tensors that a view state is at: its sample, head and query.
class QueryRow {
 public:
  explicit QueryRow(const FigureInput& input);

  const document::ComputedAttention& attention() const { return *attention_; }
  const model::Trace& trace() const { return attention_->trace; }
  std::size_t sample() const { return sample_; }
  std::size_t head() const { return head_; }
  std::size_t query() const { return query_; }
  std::size_t keys() const { return trace().config.key_len; }
  /// A mistake is to be guessed: numbers are shown, but not how they came about.
  bool is_guessed() const { return guessed_; }

  tensor::Index index(std::size_t key) const { return {sample_, head_, query_, key}; }
  document::CellRef cell(model::TensorId tensor, std::size_t key) const {
    return {tensor, index(key)};
  }
  float value(model::TensorId tensor, std::size_t key) const {
    return trace()[tensor].at(index(key));
  }
  /// [Lk] numbers of this row.
  std::vector<float> values(model::TensorId tensor) const;
  /// The row as a view [1,Lk].
  tensor::Tensor view(model::TensorId tensor) const;

  /// ", head 1", where there are several.
  std::string and_head() const;

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

/// Keys one under the other. Where not all fit, those that count most stay, in their order.
struct KeyRows {
  std::vector<std::size_t> keys;
  std::size_t left_out = 0;
  float top = 0.0F;
  float pitch = 0.0F;  ///< from one row to the next; "… 55 more" takes one pitch too

  float middle(std::size_t row) const { return top + pitch * (static_cast<float>(row) + 0.5F); }
  float bottom() const {
    return top + pitch * static_cast<float>(keys.size() + (left_out > 0 ? 1 : 0));
  }
};
/// `importance`: one number a key; NaN counts least.
KeyRows key_rows(const std::vector<float>& importance, float top, float height);

/// The frame of a table: a line that names the query, headings, a row a key, notes.
struct TableSizes {
  float headings = 32.0F;
  float footing = 0.0F;  ///< under the rows
  std::vector<std::string> notes;
  std::string aside;  ///< one more note, where every key has its row all the same
};

/// A table being set: the figure so far, and where its parts are.
struct KeyTable {
  Figure figure;
  KeyRows rows;
  float left = 0.0F;  ///< where the columns begin, right of the tokens
  float right = 0.0F;
  float headings = 0.0F;  ///< top of the headings
  float footing = 0.0F;   ///< top of the footing
  float type = 12.0F;     ///< size for tokens and numbers

  float width() const { return right - left; }
};

/// Sets the query's line with its arrows, the tokens and the notes of a table that stands in the
/// middle of `place`. `strong`: the key whose token is set strong (keys() for none).
KeyTable begin_table(const QueryRow& row, std::string name, const Rect& place,
                     const TableSizes& sizes, const std::vector<float>& importance,
                     std::size_t strong);

/// A number in at most `room` (6 or more) glyphs: as number_text_fitting, and "1.4e8" where that
/// has no room for its digits.
std::string number_in(float value, int room, int decimals);
/// A number beside a figure: at most seven characters, three of them decimals.
std::string short_text(double value);

/// "Query 3 Michael, head 0" from x, and ▲ and ▼ to its neighbours at the right end.
inline constexpr float query_line = 30.0F;
void put_query(Figure& figure, const QueryRow& row, float x, float right, float y);

/// A number in a column: right end at x.
void put_number(KeyTable& table, float x, float y, std::string text, Tone tone = Tone::text,
                std::optional<document::CellRef> cell = std::nullopt);

/// The weight of the i-th row as a bar from x, `length` long where it is 1.
void put_weight(KeyTable& table, std::size_t i, float x, float length, Bar bar);

/// The same number, or both NaN.
bool is_same(float a, float b);

/// A heading of one or two lines over the column from `x`, set from its left or to its right end.
void put_heading(KeyTable& table, float x, float width, Side side,
                 const std::vector<std::string>& first, const std::vector<std::string>& second);

/// The row's cells of a tensor as real matrices, one for each run of neighbouring keys, `width`
/// wide at x: coloured, explained and edited as everywhere.
void put_cells(Stage& stage, const QueryRow& row, model::TensorId tensor, const KeyRows& rows,
               float x, float width);

/// The figure's place for a table: at least so large that it can be set; the camera shows what is
/// larger than the screen smaller.
Rect at_least(const Rect& place, float width, float height);

/// What the trace did to the scores before the softmax, shortest last: {"score / √64", "scaled"}.
std::vector<std::string> names_of_masked_score(const QueryRow& row);
/// The divisor as a formula: "√64", "2.5", "1".
std::string divisor_text(const model::Scale& scale, std::size_t head_dim, std::size_t key_len);

}  // namespace stage
