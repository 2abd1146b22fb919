// What is said about the step on the screen, as the reader has chosen to see it.
#pragma once

#include <string>

#include "document/session.hpp"

namespace stage {

/// How many numbers of the attention's weights and biases can be learned: "Training can change
/// 1048576 numbers here: 4 × 512 × 512." Empty if it has none.
std::string learnable_words(const model::Trace& trace);

/// What happens, in one short sentence: lesson::sentence_for; where the sentence is drawn with the
/// mean over the heads, where tokens are patches, and where other layers make the input, it says
/// so.
std::string words_of_step(const document::Computed& computed,
                          const document::ViewState& view_state);
/// The same in two to four sentences: step_text. Where gradients are shown, what happens to them.
std::string text_of_step(const document::ComputedAttention& attention,
                         const document::ViewState& view_state);
/// That of the attention on the screen; over the maps of a translator's heads, how to read them.
std::string text_of_step(const document::Computed& computed, const document::ViewState& view_state);
/// That of what is on screen; in the first step of an example with a task, what the task is.
std::string text_of_step(const document::Session& session);
/// The same in symbols: lesson::formula_for, or the formula of the gradients. Who guesses is shown
/// what should be done.
std::string formula_of_step(const document::ComputedAttention& attention,
                            const document::ViewState& view_state);

}  // namespace stage
