#include "stage/scene/matrices.hpp"

#include <algorithm>

namespace stage {

using attention::Index;
using attention::Tensor;
using attention::TensorId;
using attention::Trace;

namespace {

/// What the rows or columns of a drawn matrix stand for.
enum class Along : unsigned char { nothing, query_tokens, key_tokens, dimensions };

std::vector<std::string> numbers_up_to(std::size_t count) {
  // Past a dozen, numbers under the columns are noise.
  std::vector<std::string> labels;
  if (count > 12) return labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

Along meaning_of(std::string_view axis) {
  if (axis == "Lq") return Along::query_tokens;
  if (axis == "Lk") return Along::key_tokens;
  return axis == "D" || axis == "E" || axis == "kdim" || axis == "vdim" ? Along::dimensions
                                                                        : Along::nothing;
}

bool is_weight(TensorId id) {
  return id == TensorId::q_proj_weight || id == TensorId::k_proj_weight ||
         id == TensorId::v_proj_weight || id == TensorId::out_proj_weight;
}

bool is_bias(TensorId id) {
  return id == TensorId::q_proj_bias || id == TensorId::k_proj_bias ||
         id == TensorId::v_proj_bias || id == TensorId::out_proj_bias;
}

bool is_heads(TensorId id) {
  return id == TensorId::q_heads || id == TensorId::k_heads || id == TensorId::v_heads;
}

/// Whose numbers each row of a head's matrix really holds, told by where they lie in memory; empty
/// where all are the head's own, as they should be.
std::vector<std::size_t> foreign_heads(const Trace& trace, TensorId id, const Tensor& matrix,
                                       std::optional<std::size_t> head) {
  if (!is_heads(id) || !head) return {};
  const std::size_t dim = trace.config.head_dim();
  std::vector<std::size_t> heads;
  for (std::size_t row = 0; row < matrix.dim(0); ++row) {
    const std::size_t position = matrix.position({row, 0}) - trace[id].offset();
    heads.push_back(position / dim % trace.config.num_heads);
  }
  const bool own =
      std::all_of(heads.begin(), heads.end(), [head](std::size_t each) { return each == *head; });
  return own ? std::vector<std::size_t>{} : heads;
}

/// A tensor with what the matrices of all its heads have in common.
struct Whole {
  TensorId id;
  Tensor tensor;
  float range;
  WordList query_tokens;
  WordList key_tokens;

  WordList labels(Along along, std::size_t count) const {
    switch (along) {
      case Along::query_tokens:
        return query_tokens;
      case Along::key_tokens:
        return key_tokens;
      case Along::dimensions:
        return numbers_up_to(count);
      case Along::nothing:
        break;
    }
    return {};
  }
};

Whole whole_of(const document::ComputedAttention& attention, TensorId id,
               const document::Look& look) {
  const Trace& trace = attention.trace;
  const Tensor tensor =
      id == TensorId::weighted_values ? trace.weighted_values(look.query) : trace[id];
  return {id, tensor, id == TensorId::attention_weights ? 1.0F : value_range(tensor),
          attention.query_tokens[look.sample], attention.key_tokens[look.sample]};
}

Block block_of(const document::ComputedAttention& attention, const Whole& whole,
               const document::Look& look, std::optional<std::size_t> head) {
  const Trace& trace = attention.trace;
  const TensorId id = whole.id;
  const Tensor& tensor = whole.tensor;
  const std::span<const std::string_view> axes = attention::axes_of(id);
  Block block;
  block.attention = attention.id;
  block.tensor = id;
  block.head = head;
  block.corner = Index::filled(tensor.rank(), 0);

  // Fix batch and head; the two axes that are left are the matrix.
  Tensor matrix = tensor;
  std::size_t removed = 0;
  std::vector<std::size_t> left;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    std::optional<std::size_t> fixed;
    if (axes[axis] == "B") fixed = look.sample;
    if (axes[axis] == "H" && head) fixed = *head;
    if (id == TensorId::weighted_values && axis == 2) fixed = 0;
    if (!fixed) {
      left.push_back(axis);
      continue;
    }
    matrix = matrix.select(axis - removed, *fixed);
    ++removed;
    block.corner[axis] = *fixed;
  }
  if (id == TensorId::weighted_values) block.corner[2] = look.query;

  Along rows = Along::nothing;
  if (left.size() == 1) {
    // A bias stands beside its weight, one cell a row.
    matrix = matrix.reshape({matrix.dim(0), 1});
    block.row_axis = left[0];
  } else {
    block.row_axis = left[0];
    block.column_axis = left[1];
    rows = meaning_of(axes[left[0]]);
    block.column_labels = whole.labels(meaning_of(axes[left[1]]), matrix.dim(1));
  }
  if (is_weight(id) || is_bias(id)) {
    rows = Along::nothing;
    block.rows_per_head = id == TensorId::out_proj_weight || id == TensorId::out_proj_bias
                              ? 0
                              : trace.config.head_dim();
  }
  block.matrix = matrix;
  block.row_labels = whole.labels(rows, matrix.dim(0));
  block.rows_are_queries = rows == Along::query_tokens;
  const bool through_all_heads =
      id == TensorId::q || id == TensorId::k || id == TensorId::v || id == TensorId::merged;
  if (through_all_heads || id == TensorId::out_proj_weight)
    block.columns_per_head = trace.config.head_dim();
  block.row_heads = foreign_heads(trace, id, matrix, head);
  block.colouring = id == TensorId::attention_weights ? Colouring::weights : Colouring::diverging;
  block.range = whole.range;
  return block;
}

/// A token as far as a caption has room for it.
std::string cut(const std::string& token) {
  constexpr std::size_t longest = 14;  // characters
  std::size_t characters = 0;
  std::size_t end = 0;  // where the last but one of the longest begins
  for (std::size_t i = 0; i < token.size(); ++i) {
    if ((static_cast<unsigned char>(token[i]) & 0xC0U) == 0x80U) continue;
    if (characters == longest - 1) end = i;
    if (characters == longest) return token.substr(0, end) + "…";
    ++characters;
  }
  return token;
}

}  // namespace

bool is_repeated_input(const Trace& trace, TensorId tensor) {
  return (tensor == TensorId::key_input || tensor == TensorId::value_input) &&
         trace.view_of(tensor).has_value();
}

std::vector<Block> matrices_of(const document::ComputedAttention& attention, TensorId tensor,
                               const document::Look& look) {
  std::vector<Block> blocks;
  if (tensor != TensorId::weighted_values && !attention.trace.has(tensor)) return blocks;
  const Whole whole = whole_of(attention, tensor, look);
  const auto axes = attention::axes_of(tensor);
  if (std::find(axes.begin(), axes.end(), "H") == axes.end()) {
    blocks.push_back(block_of(attention, whole, look, std::nullopt));
    return blocks;
  }
  const std::size_t heads = attention.trace.config.num_heads;
  blocks.reserve(look.all_heads ? heads : 1);
  for (std::size_t head = 0; head < heads; ++head) {
    if (look.all_heads || head == look.head)
      blocks.push_back(block_of(attention, whole, look, head));
  }
  return blocks;
}

Group caption_of(const document::ComputedAttention& attention, TensorId tensor,
                 const document::Look& look) {
  const Trace& trace = attention.trace;
  Group group;
  group.tensor = tensor;
  group.title = std::string(attention::name_of(tensor));
  const auto axes = attention::axes_of(tensor);
  const attention::Shape shape =
      tensor == TensorId::weighted_values
          ? attention::Shape{trace.config.batch, trace.config.num_heads, 1, trace.config.key_len,
                             trace.config.head_dim()}
          : trace[tensor].shape();
  const bool one_head = !look.all_heads && trace.config.num_heads > 1;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (axes[axis] == "B" || (axes[axis] == "H" && one_head)) continue;
    if (tensor == TensorId::weighted_values && axis == 2) continue;
    group.shape += (group.shape.empty() ? "[" : ", ") + std::string(axes[axis]) + " " +
                   std::to_string(shape[axis]);
  }
  group.shape += "]";
  if (one_head && std::find(axes.begin(), axes.end(), "H") != axes.end()) {
    group.title += ", head " + std::to_string(look.head + 1);
  }
  if (tensor == TensorId::weighted_values &&
      look.query < attention.query_tokens[look.sample].size()) {
    group.title += ", query " + cut(attention.query_tokens[look.sample][look.query]);
  }
  if (tensor != TensorId::weighted_values) {
    if (const auto owner = trace.view_of(tensor))
      group.note = "view of " + std::string(attention::name_of(*owner));
  }
  return group;
}

}  // namespace stage
