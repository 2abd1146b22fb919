// Commands as functions from a document to the next one. Nothing is computed here.
#pragma once

#include "document/computed.hpp"

namespace document {

// Each choice, with the edits that have to go with it. Shared by commands and the JSON reader.

/// Both sentences of the translator, with the mean over the heads of the last cross-attention: what
/// it shows first.
ViewState both_sentences(ViewState view_state);

/// The example without any choice or edit.
Configuration fresh(lesson::ExampleId example, std::size_t variant);
/// Another variant of the same example. Keeps seed, sentence, picture and sizes; removes lengths,
/// edits and other choices.
Configuration with_variant(Configuration configuration, std::size_t variant);
/// Another sentence, whose translation is chosen anew. Removes edits of inputs and masks and rows
/// of attention_weights set by hand; keeps edits of learned weights.
Configuration with_sentence(Configuration configuration, std::string sentence);
/// Other tokens that the translation begins with. Removes the same as another sentence.
Configuration with_translation_begin(Configuration configuration,
                                     std::vector<std::uint32_t> tokens);
/// Greedy decoding or a beam. A whole translation that was chosen, the end included, is chosen
/// anew. Removes the same as another sentence.
Configuration with_beam(Configuration configuration, std::size_t beam);
/// Other sizes; 0 means the example's own. A new embed_dim removes all edits but those of masks; if
/// heads share keys and values, a new number of heads removes edits of the weights that make these.
/// Any new size also switches all heads on and removes rows of weights set by hand.
Configuration with_sizes(Configuration configuration, const SetSizes& sizes);
/// Keys and values of another sentence, or of another width. Removes the same as another sentence,
/// and edits of the weights that make keys and values.
Configuration with_kdim(Configuration configuration, std::size_t kdim);
/// Other lengths; 0 means the example's own. Removes edits of inputs and masks if they are new.
Configuration with_lengths(Configuration configuration, std::size_t source_len,
                           std::size_t target_len);
/// Another picture to take the tokens from. Removes edits of inputs and masks.
Configuration with_picture(Configuration configuration, std::vector<std::uint8_t> rgb);
/// Another mask. Removes edits of its cells.
Configuration with_mask(Configuration configuration, lesson::AttentionId attention,
                        lesson::MaskKind mask);
/// Position encoding on or off. Edits of the input are kept: they become edits of token_embedding,
/// or of query_input.
Configuration with_position_encoding(Configuration configuration, bool on);
/// The view state at another step: all of it in view, at the end of its animation. A chosen cell
/// that this step merely reads, or does not show, is let go.
ViewState at_step(ViewState view_state, lesson::StepId step);
/// Everything as `how` shows it (zoom, heads, comparison, …), of what `where` looks at: its step,
/// attention, sample, query, key, theme, whether it says more and whether it learns. A zoom belongs
/// to its step: another step is seen whole.
ViewState shown_as(ViewState how, const ViewState& where);
/// `then`, seen again in the theme and with as many words as `now`.
ViewState seen_again(ViewState then, const ViewState& now);
/// The view state for an example that was just chosen: its first head and sample, and the query
/// that it begins with.
ViewState first_view_state(ViewState view_state, lesson::ExampleId example);

/// The document after a command; `computed` belongs to the document before it. Errors: a choice
/// that the example does not offer. Edits are checked by `shortest` and `compute`, the view state
/// by `settle`.
base::Result<Document> apply(const Document& document, const Computed& computed,
                             const Command& command);

}  // namespace document
