// What is given to compute with: the example's problem with the person's choices and edits in it.
#pragma once

#include <vector>

#include "document/document.hpp"

namespace document {

/// Bounds of what can be typed. Numbers this large make the point, and no sum of products of them
/// leaves float32: that is how no NaN or infinity can appear by itself.
inline constexpr float largest_value = 10'000.0F;
inline constexpr float largest_mask_value = 1e9F;  ///< −1e9 is what some code writes for −∞
inline constexpr float smallest_scale = 1e-6F;
inline constexpr float largest_scale = 1e6F;
inline constexpr std::size_t max_edits = 10'000;

/// A problem ready to be computed. Tensors without an edit are the problem's own, shared, not
/// copied.
struct Given {
  lesson::Problem problem;  ///< scale and position encoding as chosen
  /// [B,Lk,E], arrangement `cross` only: source embedding, with position encoding where that is on.
  tensor::Tensor key_input;
  std::vector<lesson::MaskKind> mask_kinds;  ///< in the order of problem.attentions()
  /// Additive, as model::Inputs::mask; undefined: nothing is masked. In the order of
  /// problem.attentions().
  std::vector<tensor::Tensor> masks;
  /// What is done to each on purpose. In the order of problem.attentions(); those of the first
  /// layers stand in the problem's layers too.
  std::vector<model::Overrides> overrides;
};

/// Which sequences the queries and the keys of an attention are.
const lesson::Sequence& query_sequence(const lesson::Problem& problem, lesson::AttentionId id);
const lesson::Sequence& key_sequence(const lesson::Problem& problem, lesson::AttentionId id);

/// The place of an attention among problem.attentions(). Errors: it is not there.
base::Result<std::size_t> place_of(const lesson::Problem& problem, lesson::AttentionId id);

/// The problem with scale, position encoding and masks as chosen, before any edit of a cell.
/// Errors: a scale out of bounds, a mask for an attention that is not there; as overrides_of.
base::Result<Given> with_choices(const lesson::Problem& problem,
                                 const Configuration& configuration);

/// The tensor that holds an edit's number. A mask gets its full shape [B,1,Lq,Lk] first. `cell`
/// must be without aliases. Errors: the attention or tensor is not there, or is computed; an index
/// outside.
base::Result<tensor::Tensor*> tensor_behind(Given& given, const CellAddress& cell);

/// Errors: a number that is not finite or too large; −∞ is allowed in a mask.
base::Result<void> check_value(const Edit& edit);

/// The edit under the name that its cell is stored by. Errors: as tensor_behind and check_value; a
/// head of a mask that is not there.
base::Result<Edit> canonical_edit(Given& given, const Edit& edit);

/// `given` with the edits written in; a tensor is copied at its first edit. Errors: as
/// tensor_behind and check_value.
base::Result<Given> with_edits(Given given, const std::vector<Edit>& edits);

}  // namespace document
