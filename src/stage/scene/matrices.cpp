#include "stage/scene/matrices.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "model/roles.hpp"

namespace stage {

using model::TensorId;
using model::Trace;
using tensor::Index;
using tensor::Tensor;

namespace {

std::vector<std::string> numbers_up_to(std::size_t count) {
  // More than a dozen numbers in a row of labels would be noise.
  std::vector<std::string> labels;
  if (count > 12) return labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

/// For each row of a head's matrix, the head whose numbers it holds, found from their place in
/// memory. A mistaken split mixes heads. Empty where every row belongs to `head`, as it should.
std::vector<std::size_t> foreign_heads(const Trace& trace, TensorId id, const Tensor& matrix,
                                       std::optional<std::size_t> head) {
  // Only a view can show another head's numbers by mistake.
  if (!is_of_heads(id) || !head || !trace.view_of(id)) return {};
  const std::size_t dim = trace.config.head_dim();
  std::vector<std::size_t> heads;
  for (std::size_t row = 0; row < matrix.dim(0); ++row) {
    const std::size_t position = matrix.position({row, 0}) - trace[id].offset();
    heads.push_back(position / dim % trace[id].dim(1));
  }
  const bool own =
      std::all_of(heads.begin(), heads.end(), [head](std::size_t each) { return each == *head; });
  return own ? std::vector<std::size_t>{} : heads;
}

/// A tensor and what the matrices of its heads have in common.
struct Whole {
  TensorId id;
  Tensor tensor;
  float range;
  WordList query_tokens;
  WordList key_tokens;
  WordList features;

  /// The labels along an axis of one head; none where numbers would say nothing.
  WordList labels(model::Axis axis, std::size_t count, std::optional<std::size_t> head) const {
    if (axis == model::Axis::Lq) return query_tokens;
    if (axis == model::Axis::Lk) return key_tokens;
    const bool whole_vector = axis == model::Axis::E || axis == model::Axis::kdim ||
                              axis == model::Axis::vdim || ops::joins_heads(axis);
    if (whole_vector && features.size() == count) return features;
    if (axis == model::Axis::D && head && features.size() >= (*head + 1) * count) {
      const auto first = features.begin() + static_cast<std::ptrdiff_t>(*head * count);
      return std::vector<std::string>(first, first + static_cast<std::ptrdiff_t>(count));
    }
    return axis == model::Axis::B || ops::counts_heads(axis) ? WordList() : numbers_up_to(count);
  }
};

/// Whether its numbers stand for features of tokens. Weights do not, nor does what a head has by
/// mistake from other heads.
bool has_features(const Trace& trace, TensorId id) {
  if (!trace.axes_of(id).has(model::Axis::B)) return false;
  if (trace.overrides.mistake != model::Mistake::no_transpose) return true;
  constexpr std::array whole = {TensorId("q"),       TensorId("k"),       TensorId("v"),
                                TensorId("q_split"), TensorId("k_split"), TensorId("v_split")};
  return model::roles::is_input(id) || std::find(whole.begin(), whole.end(), id) != whole.end();
}

Whole whole_of(const document::ComputedAttention& attention, TensorId id,
               const document::ViewState& view_state) {
  const Trace& trace = attention.trace;
  const Tensor tensor = trace.at_query(id, view_state.query);
  return {id,
          tensor,
          value_range(tensor),
          attention.query_tokens[view_state.sample],
          attention.key_tokens[view_state.sample],
          has_features(trace, id) ? attention.features : std::vector<std::string>()};
}

Block block_of(const document::ComputedAttention& attention, const Whole& whole,
               const document::ViewState& view_state, std::optional<std::size_t> head) {
  const Trace& trace = attention.trace;
  const TensorId id = whole.id;
  const Tensor& tensor = whole.tensor;
  const ops::Axes axes = trace.axes_of(id);
  const bool on_demand = trace.is_on_demand(id);
  Block block;
  block.attention = attention.id;
  block.tensor = id;
  block.head = head;
  block.sharing = trace.sharing(id);
  block.corner = Index::filled(tensor.rank(), 0);

  // Only the batch and head axes get a fixed index; the two axes that remain are the matrix.
  Tensor matrix = tensor;
  std::size_t removed = 0;
  std::vector<std::size_t> left;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    std::optional<std::size_t> fixed;
    if (axes[axis] == model::Axis::B) fixed = view_state.sample;
    if (ops::counts_heads(axes[axis]) && head) fixed = *head;
    if (on_demand && axes[axis] == model::Axis::Lq) fixed = 0;  // it holds only one query
    if (!fixed) {
      left.push_back(axis);
      continue;
    }
    matrix = matrix.select(axis - removed, *fixed);
    ++removed;
    block.corner[axis] = *fixed;
  }
  if (on_demand) block.corner[axes.place_of(model::Axis::Lq)] = view_state.query;

  block.row_heads = foreign_heads(trace, id, matrix, head);
  if (left.empty()) {
    matrix = matrix.reshape({1, 1});  // a head's sink
  } else if (axes[left[0]] == model::Axis::D) {
    // The weights of a norm stand above the matrix whose columns they stretch.
    matrix = matrix.reshape({1, matrix.dim(0)});
    block.column_axis = left[0];
    block.column_labels = whole.labels(axes[left[0]], matrix.dim(1), std::nullopt);
  } else if (left.size() == 1) {
    // A bias stands beside its weight matrix, as a column with one cell for each row.
    matrix = matrix.reshape({matrix.dim(0), 1});
    block.row_axis = left[0];
  } else {
    block.row_axis = left[0];
    block.column_axis = left[1];
    block.column_labels = whole.labels(axes[left[1]], matrix.dim(1), head);
  }
  // Where all heads' numbers lie side by side, each head owns head_dim of them.
  const auto per_head = [&](std::size_t axis) {
    return ops::joins_heads(axes[axis]) ? trace.config.head_dim() : 0;
  };
  const bool is_weight = !axes.has(model::Axis::B) && model::is_given(id);
  if (is_weight) {
    block.rows_per_head = per_head(0);
  } else if (left.size() > 1) {
    block.row_labels = whole.labels(axes[left[0]], matrix.dim(0), head);
    block.rows_are_queries = axes[left[0]] == model::Axis::Lq;
  }
  block.matrix = matrix;
  if (axes.rank() > 1) block.columns_per_head = per_head(axes.rank() - 1);
  block.colouring = colouring_of(trace, id);
  block.range = whole.range;
  return block;
}

/// The token, shortened so that it fits into a caption.
std::string cut(const std::string& token) {
  constexpr std::size_t longest = 14;  // characters
  std::size_t characters = 0;
  std::size_t end = 0;  // where the last character that is kept beside "…" ends
  for (std::size_t i = 0; i < token.size(); ++i) {
    if ((static_cast<unsigned char>(token[i]) & 0xC0U) == 0x80U) continue;
    if (characters == longest - 1) end = i;
    if (characters == longest) return token.substr(0, end) + "…";
    ++characters;
  }
  return token;
}

}  // namespace

std::string head_words(const Trace& trace, TensorId tensor, std::size_t head) {
  return base::text(trace.sharing(tensor) > 1 ? "stage.index.group" : "stage.index.head",
                    {{"index", head}});
}

bool is_of_heads(TensorId tensor) {
  const ops::Axes axes = model::axes_of(tensor);
  return model::operation_of(tensor) == &ops::permute && ops::counts_heads(axes[1]);
}

bool is_repeated_input(const Trace& trace, TensorId tensor) {
  return model::roles::is_input(tensor) && trace.view_of(tensor).has_value();
}

Colouring colouring_of(const model::Trace& trace, TensorId tensor) {
  const bool weights = tensor == model::roles::weights || tensor == "mean_weights";
  return weights && trace.overrides.mistake != model::Mistake::no_softmax ? Colouring::weights
                                                                          : Colouring::diverging;
}

std::vector<Block> matrices_of(const document::ComputedAttention& attention, TensorId tensor,
                               const document::ViewState& view_state) {
  std::vector<Block> blocks;
  if (!attention.trace.offers(tensor)) return blocks;
  const Whole whole = whole_of(attention, tensor, view_state);
  const auto axes = attention.trace.axes_of(tensor);
  const auto of_heads = std::find_if(axes.begin(), axes.end(), ops::counts_heads);
  if (of_heads == axes.end()) {
    blocks.push_back(block_of(attention, whole, view_state, std::nullopt));
    return blocks;
  }
  const std::size_t heads = attention.trace.lengths[*of_heads];
  const std::size_t chosen =
      document::chosen_index(attention.trace, tensor, view_state)[axes.place_of(*of_heads)];
  blocks.reserve(view_state.all_heads ? heads : 1);
  for (std::size_t head = 0; head < heads; ++head) {
    if (view_state.all_heads || head == chosen)
      blocks.push_back(block_of(attention, whole, view_state, head));
  }
  return blocks;
}

Block matrix_of_head(const document::ComputedAttention& attention, document::ViewState view_state,
                     TensorId tensor) {
  view_state.all_heads = false;
  Block block = matrices_of(attention, tensor, view_state).front();
  block.row_labels.clear();
  block.column_labels.clear();
  block.rows_are_queries = false;
  block.show_row_labels = false;
  return block;
}

Group caption_of(const document::ComputedAttention& attention, TensorId tensor,
                 const document::ViewState& view_state) {
  const Trace& trace = attention.trace;
  Group group;
  group.tensor = tensor;
  group.title = std::string(model::name_of(tensor));
  const auto axes = trace.axes_of(tensor);
  const tensor::Shape shape = trace.lengths.shape_of(axes);
  const bool on_demand = trace.is_on_demand(tensor);  // it holds only one query
  const bool one_head = !view_state.all_heads && trace.config.num_heads > 1;
  const Index chosen = document::chosen_index(trace, tensor, view_state);
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (ops::counts_heads(axes[axis]) && one_head) {
      group.title += ", " + head_words(trace, tensor, chosen[axis]);
      continue;
    }
    if (axes[axis] == model::Axis::B) continue;
    if (on_demand && axes[axis] == model::Axis::Lq) continue;
    group.shape += (group.shape.empty() ? "[" : ", ") +
                   std::string(name_of(axes[axis], trace.lengths)) + " " +
                   std::to_string(shape[axis]);
  }
  if (!group.shape.empty()) group.shape += "]";  // a single number has none
  if (on_demand && view_state.query < attention.query_tokens[view_state.sample].size()) {
    const std::string& token = attention.query_tokens[view_state.sample][view_state.query];
    group.title += ", " + base::text("stage.index.query", {{"token", cut(token)}});
  }
  if (const auto owner = trace.view_of(tensor))
    group.note = base::text("stage.caption.view", {{"tensor", model::name_of(*owner)}});
  else if (attention.kept_layers > 0 && (tensor == TensorId("k") || tensor == TensorId("v")))
    group.note = base::text("stage.caption.kept",
                            {{"bytes", trace.config.key_len * trace.config.num_kv_heads *
                                           trace.config.head_dim() * sizeof(float)}});
  return group;
}

}  // namespace stage
