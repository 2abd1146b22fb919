// The inputs of a computation: the example's problem with the reader's choices and edits applied.
#pragma once

#include <vector>

#include "document/document.hpp"

namespace document {

/// Bounds of what can be typed. No sum of products of such numbers overflows float32, so no NaN or
/// infinity appears unless a mask has one.
inline constexpr float largest_value = 10'000.0F;
inline constexpr float largest_mask_value = 1e9F;  ///< −1e9 is what some code writes for −∞
inline constexpr float smallest_scale = 1e-6F;
inline constexpr float largest_scale = 1e6F;
struct Bounds {
  float smallest;
  float largest;
};
inline constexpr Bounds rope_bounds{1.0F, model::largest_rope_base};
inline constexpr Bounds softcap_bounds{1e-3F, 1e6F};
inline constexpr std::size_t max_edits = 10'000;

/// A problem ready to be computed. Tensors without an edit share storage with the problem's.
struct Given {
  lesson::Problem problem;  ///< scale, variants and position encoding as chosen
  /// [B,Lk,kdim], where there are two sequences: source embedding, with position encoding where
  /// that is on.
  tensor::Tensor key_input;
  /// [B,Lk,vdim], arrangement `cross_values` only: the problem's values, likewise.
  tensor::Tensor value_input;
  std::vector<lesson::MaskKind> mask_kinds;  ///< in the order of problem.attentions()
  /// Additive masks; an undefined one hides nothing. In the order of problem.attentions().
  std::vector<tensor::Tensor> masks;
  /// The overrides of each attention, in the order of problem.attentions(). In an encoder–decoder
  /// they are in the problem's layers as well.
  std::vector<model::Overrides> overrides;
};

/// Which sequences the queries and the keys of an attention are.
const lesson::Sequence& query_sequence(const lesson::Problem& problem, lesson::AttentionId id);
const lesson::Sequence& key_sequence(const lesson::Problem& problem, lesson::AttentionId id);

/// The index of an attention in problem.attentions(). Errors: it is not there.
base::Result<std::size_t> place_of(const lesson::Problem& problem, lesson::AttentionId id);

/// The problem with scale, position encoding and masks as chosen, before any edit of a cell.
/// Errors: a scale out of bounds, variants that the example does not offer, a mask for an attention
/// that is not there; as overrides_of.
base::Result<Given> with_choices(const lesson::Problem& problem,
                                 const Configuration& configuration);

/// The tensor to write an edit of `cell`, a canonical address, into. A mask is expanded to
/// [B,1,Lq,Lk] first, and a bias that a linear layer does not have is made, of zeros. Errors: the
/// attention or tensor is not there or is computed; an index
/// outside.
base::Result<tensor::Tensor*> tensor_behind(Given& given, const CellAddress& cell);

/// Errors: a number that is not finite or too large; −∞ is allowed in a mask.
base::Result<void> check_value(const Edit& edit);

/// The edit under its canonical address. Errors: as tensor_behind and check_value; a head of a mask
/// that is not there.
base::Result<Edit> canonical_edit(Given& given, const Edit& edit);

/// `given` with the edits applied; each edited tensor is copied once. Errors: as tensor_behind and
/// check_value.
base::Result<Given> with_edits(Given given, const std::vector<Edit>& edits);

}  // namespace document
