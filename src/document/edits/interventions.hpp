// What the person does to the attentions on purpose: a mistake, heads switched off, rows of weights
// set by hand.
#pragma once

#include <vector>

#include "document/computed.hpp"

namespace document {

/// Weights are 0 or more. After a softmax over the queries a row may sum to more than 1, so the
/// bound is a generous one.
inline constexpr float largest_weight = 10'000.0F;
inline constexpr std::size_t max_given_rows = 1'000;

/// What is done to each attention, in the order of problem.attentions(): the rows that the problem
/// itself has by hand, unless the setup says otherwise, and what the setup says. Errors: an
/// attention, head, sample or query that is not there; a row given twice, of the wrong length or
/// with a number that is no weight; too many rows.
base::Result<std::vector<model::Overrides>> overrides_of(const lesson::Problem& problem,
                                                         const Setup& setup);

/// The setup with its overrides in their shortest form: heads and rows in order, each once, and
/// none that say what the problem has anyway. `setup` must be without errors.
Setup with_shortest_interventions(Setup setup, const lesson::Problem& problem);

Setup with_ablated_head(Setup setup, lesson::AttentionId attention, std::size_t head, bool ablated);
/// The row instead of the one that was given before, if any.
Setup with_row(Setup setup, GivenRow row);
/// The row is computed again, or what the example has there.
Setup without_row(Setup setup, const ReleaseWeights& row);

/// Other tokens than before: no row of weights fits them, and perhaps not the mistake that needs a
/// certain number of keys.
Setup without_rows(Setup setup);
/// Other heads than before: neither rows nor switched-off heads mean anything any more.
Setup without_heads(Setup setup);

}  // namespace document
