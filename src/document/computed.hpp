// From what the person has to every number there is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "model/layers.hpp"

namespace document {

/// One attention with what its rows and columns are called.
struct ComputedAttention {
  lesson::AttentionId id = lesson::AttentionId::attention;
  model::Trace trace;
  std::vector<std::vector<std::string>> query_tokens;  ///< [B][Lq]
  std::vector<std::vector<std::string>> key_tokens;    ///< [B][Lk]
  lesson::MaskKind mask = lesson::MaskKind::none;      ///< before edits of single cells
  /// Its inputs come out of other layers, so that none of them can be edited.
  bool has_computed_inputs = false;
};

/// All attentions of the document, in the order of computation.
struct Computed {
  std::vector<ComputedAttention> attentions;
  /// Everything that was computed: the attentions above, and what an encoder and a decoder have
  /// around them.
  std::vector<model::Trace> parts;
  model::Scale scale;
  bool position_encoding = false;
  std::size_t embed_dim = 0;
  std::size_t num_heads = 0;
  std::size_t num_kv_heads = 0;
  std::string note;  ///< "random, untrained, seed 1", or what is odd about given weights ("sum 0.99
                     ///< as printed"); may be empty
  std::optional<lesson::Picture> picture;  ///< what the tokens are patches of, if they are

  /// The attention of that id; the first one if there is none.
  const ComputedAttention& find(lesson::AttentionId id) const;
};

/// The attention of that id. Errors: it is not there; the sentence says which are.
base::Result<const ComputedAttention*> attention_of(const Computed& computed,
                                                    lesson::AttentionId id);

/// Computes all attentions of a configuration. Errors: as lesson::make_problem and
/// model::multi_head_attention; an edit of a cell that is not there or cannot be edited.
base::Result<Computed> compute(const Configuration& configuration);
/// The same, with the problem of configuration.example and configuration.parameters made
/// beforehand. Its tensors are shared, not copied: as long as one problem is passed again and
/// again, whatever was not edited keeps its storage.
base::Result<Computed> compute(const Configuration& configuration, const lesson::Problem& problem);

/// Brings what was computed for any configuration up to date. Only what depends on a changed number
/// is computed anew (model::compute); the rest keeps its storage. Errors: as above; `computed` is
/// as it was then.
base::Result<void> recompute(const Configuration& configuration, const lesson::Problem& problem,
                             Computed& computed);

/// The configuration in its shortest form: choices and edits that say what the problem has anyway
/// are gone, and edits stand under their canonical names. Setups that compute the same numbers by
/// the same edits compare equal then. Errors: as compute.
base::Result<Configuration> shortest(const Configuration& configuration,
                                     const lesson::Problem& problem);

/// True where typing a number into this tensor makes sense: what is given and not computed by
/// another layer. `mask` always is (a mask of zeros appears with the first edit), position_encoding
/// never; attention_weights are, although they are computed: a row of them can be set by hand.
bool is_editable(const ComputedAttention& attention, model::TensorId tensor);

/// The address under which an edit of this cell is stored: key_input of self-attention is
/// query_input; token_embedding where there is one; a mask cell holds for all heads (head 0).
CellAddress canonical(const Computed& computed, const CellAddress& cell);

}  // namespace document
