// Says which tensors an edit gave other numbers.
#pragma once

#include <string>

#include "document/computed.hpp"

namespace stage {

/// "The last edit changed: q, scores, scaled_scores, … output." Names what `shown` computes and the
/// other attentions that changed; views are left out, since they show the same numbers as what they
/// are views of. `before` and `after` have the same attentions.
std::string changed_words(const document::Computed& before, const document::Computed& after,
                          lesson::AttentionId shown);

}  // namespace stage
