// The reader's interventions: a mistake, heads switched off, rows of weights set by hand.
#pragma once

#include <vector>

#include "document/computed.hpp"

namespace document {

/// Upper bound of a weight set by hand. Not 1, since weights need not come from a softmax over
/// keys.
inline constexpr float largest_weight = 10'000.0F;
inline constexpr std::size_t max_given_rows = 1'000;

/// The overrides of each attention, in the order of problem.attentions(): those of the
/// configuration, and the rows that the problem itself sets by hand. Errors: an attention, head,
/// sample or query that is not there; a row given twice, of the wrong length or with a number that
/// is no weight; too many rows.
base::Result<std::vector<model::Overrides>> overrides_of(const lesson::Problem& problem,
                                                         const Configuration& configuration);

/// The configuration with its overrides in their shortest form: heads and rows in order, each once,
/// and none that say what the problem has anyway. `configuration` must be without errors.
Configuration with_shortest_interventions(Configuration configuration,
                                          const lesson::Problem& problem);

Configuration with_ablated_head(Configuration configuration, lesson::AttentionId attention,
                                std::size_t head, bool ablated);
/// The row instead of the one that was given before, if any.
Configuration with_row(Configuration configuration, GivenRow row);
/// The row is computed again, or what the example has there.
Configuration without_row(Configuration configuration, const ReleaseWeights& row);

/// Other tokens than before: no row of weights fits them, and perhaps not the mistake that needs a
/// certain number of keys.
Configuration without_rows(Configuration configuration);
/// Other heads than before: neither rows nor switched-off heads mean anything any more.
Configuration without_heads(Configuration configuration);

}  // namespace document
