// Computes the numbers of a document.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.hpp"
#include "model/layers.hpp"

namespace document {

/// One attention with the tokens that name its rows and columns.
struct ComputedAttention {
  lesson::AttentionId id = lesson::AttentionId::attention;
  model::Trace trace;
  std::vector<std::vector<std::string>> query_tokens;  ///< [B][Lq]
  std::vector<std::vector<std::string>> key_tokens;    ///< [B][Lk]
  std::vector<std::string> features;                   ///< Problem::features
  lesson::MaskKind mask = lesson::MaskKind::none;      ///< before edits of single cells
  /// Its inputs are computed by other layers, so they cannot be edited.
  bool has_computed_inputs = false;
  /// Of how many layers keys and values were kept, this one's among them, while a translation was
  /// said token by token: a KV cache. 0: nothing was kept.
  std::size_t kept_layers = 0;
};

/// Whether a decoder would compute it token by token, and keep the keys and values of the tokens
/// before: an attention alone whose tokens look back at themselves. `could`: with a look-ahead mask
/// it would.
bool keeps_tokens(const ComputedAttention& attention);
bool could_keep_tokens(const ComputedAttention& attention);

/// What number `index` along an axis stands for ("female"), along D that of this head; empty where
/// the example does not say.
std::string_view feature_name(const ComputedAttention& attention, model::Axis axis,
                              std::size_t head, std::size_t index);

/// What a trained network answers at one token.
struct Answer {
  std::string given;
  std::string right;  ///< empty where nothing is asked
  friend bool operator==(const Answer&, const Answer&) = default;
};

/// All attentions of the document, in the order of computation.
struct Computed {
  std::vector<ComputedAttention> attentions;
  /// All parts of the model: the attentions above, and the rows around them in encoder and decoder
  /// layers.
  std::vector<model::Trace> parts;
  model::Scale scale;
  bool position_encoding = false;
  std::size_t embed_dim = 0;
  std::size_t num_heads = 0;
  std::string note;     ///< where the numbers come from: "random, untrained, seed 1"; may be empty
  bool random = false;  ///< embeddings or weights are random, not trained
  std::vector<Answer> answers;  ///< of a trained network: one for each token; else none
  std::optional<lesson::Translated> translated;  ///< what the translator says
  std::optional<lesson::Picture> picture;        ///< what the tokens are patches of, if they are

  /// The attention of that id; the first one if there is none.
  const ComputedAttention& find(lesson::AttentionId id) const;
};

/// The attention of that id. Errors: it is not there; the sentence says which are.
base::Result<const ComputedAttention*> attention_of(const Computed& computed,
                                                    lesson::AttentionId id);

/// Computes all attentions of a configuration. Errors: as lesson::make_problem and
/// model::multi_head_attention; an edit of a cell that is not there or cannot be edited.
base::Result<Computed> compute(const Configuration& configuration);
/// The same for a `problem` that was already made of configuration.example and
/// configuration.parameters. Tensors that are not edited share its storage.
base::Result<Computed> compute(const Configuration& configuration, const lesson::Problem& problem);

/// Updates `computed`, which may belong to any configuration. Tensors that do not depend on a
/// change are reused (model::compute). Errors: as above; `computed` is unchanged then.
base::Result<void> recompute(const Configuration& configuration, const lesson::Problem& problem,
                             Computed& computed);

/// The configuration without choices and edits that change nothing, and with edits under their
/// canonical names, so that configurations with the same effect compare equal. Errors: as compute.
base::Result<Configuration> shortest(const Configuration& configuration,
                                     const lesson::Problem& problem);

/// True if numbers of this tensor can be edited: it is given, and not computed by another layer.
/// The mask always can (the first edit makes one of zeros), and attention_weights can although they
/// are computed: a row of them is then set by hand.
bool is_editable(const ComputedAttention& attention, model::TensorId tensor);

/// The address under which an edit of this cell is stored: key_input of self-attention is
/// query_input; token_embedding where there is one; a mask cell holds for all heads (head 0).
CellAddress canonical(const Computed& computed, const CellAddress& cell);

}  // namespace document
