// Where the reader arrives in another step.
#pragma once

#include <optional>

#include "document/computed.hpp"

namespace document {

/// Whether the mask hides a key from any query of a sample.
bool hides_a_key(const model::Trace& trace, std::size_t sample);
/// The first sample of the batch of which that is true; nothing if there is none.
std::optional<std::size_t> sample_with_a_hidden_key(const model::Trace& trace);

/// Another step. One who goes from step to step follows the same attention, sample and query
/// through all of them. Who leaps, and chose no attention, sample or cell, lands where the step has
/// something to show, and leaping on comes back to where the example opens. Where queries begin to
/// be compared with keys and none was chosen, it is the key that counts most for the query.
ViewState at_step_of(const Document& document, const Computed& computed, lesson::StepId step);

/// The attention, sample and query with which a link opens that names none of them: those of the
/// example, or in `scale` and `mask` some with which the step has something to show.
ViewState first_place_in(lesson::StepId step, lesson::ExampleId example, const Computed& computed);

/// The key with which a link opens that names none: where queries are compared with keys, the one
/// that counts most for the query; elsewhere 0.
std::size_t first_key(const ViewState& view_state, const Computed& computed);

}  // namespace document
