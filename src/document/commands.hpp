// Commands as functions from a document to the next one. Nothing is computed here.
#pragma once

#include "document/computed.hpp"

namespace document {

// Each choice with what it takes along; commands and the JSON codec share them.

/// The example as it comes.
Configuration fresh(lesson::ExampleId example, std::size_t variant);
/// Another variant of the same example. Seed, sentence, picture and sizes stay; lengths, edits and
/// other choices belonged to the old one.
Configuration with_variant(Configuration configuration, std::size_t variant);
/// Edits of the text's own cells go with the old text, and rows of attention_weights that were set
/// by hand; edits of weights stay.
Configuration with_sentence(Configuration configuration, std::string sentence);
/// Sizes, 0 meaning as the example has it. A new embed_dim takes all edits with it but those of
/// masks; other heads, where some share keys and values, those of the weights of both. New sizes
/// make other heads: none of them is switched off, no row of weights set by hand.
Configuration with_sizes(Configuration configuration, std::size_t embed_dim, std::size_t num_heads,
                         std::size_t num_kv_heads = 0);
/// Lengths, 0 meaning as the example has it. New ones take the edits of inputs and masks with them.
Configuration with_lengths(Configuration configuration, std::size_t source_len,
                           std::size_t target_len);
/// A picture to take the tokens from; edits of the old one's cells go with it.
Configuration with_picture(Configuration configuration, std::vector<std::uint8_t> rgb);
/// A mask as chosen: cells of it that were painted are gone.
Configuration with_mask(Configuration configuration, lesson::AttentionId attention,
                        lesson::MaskKind mask);
/// Edits of the input keep their numbers: with position encoding they are the token_embedding's,
/// without it query_input's.
Configuration with_position_encoding(Configuration configuration, bool on);
/// The view state at a step: all of it, as it is when it has run.
ViewState at_step(ViewState view_state, lesson::StepId step);
/// The view state at an example that has just been chosen: its first query, head and sample.
ViewState first_view_state(ViewState view_state, lesson::ExampleId example);

/// The document after a command; `computed` is the present document's. Errors: a choice that the
/// example does not offer. What only computing can tell (an edit outside, a number out of bounds)
/// is left to `shortest` and `compute`, places to `settle`.
base::Result<Document> apply(const Document& document, const Computed& computed,
                             const Command& command);

/// `wanted` as far as it exists in what was computed. What is not there any more, but was not asked
/// for anew either (`before` has it too), moves to the nearest place that is there. Errors: an
/// attention, head, query or sample that was asked for and is not there.
base::Result<ViewState> settle(const ViewState& wanted, const ViewState& before,
                               const Computed& computed);

}  // namespace document
