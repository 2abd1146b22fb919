// Where a number came from, in words: the one place that has them, for panels and for people to
// whom the page is read.
#pragma once

#include <string>

#include "document/computed.hpp"
#include "model/explain.hpp"

namespace stage {

/// "Michael", or "head 2": the words for an index along an axis; heads and samples count from 1.
std::string words_for(const document::ComputedAttention& attention, model::Axis axis,
                      std::size_t sample, std::size_t index);
/// "q_heads[sample 1, head 2, are, 2]".
std::string address_text(const document::ComputedAttention& attention, model::TensorId tensor,
                         const tensor::Index& index);
/// "scores, head 1, query You, key are"; heads and samples count from 1, dimensions from 0.
std::string cell_words(const document::ComputedAttention& attention, const document::CellRef& cell);

/// What a rule does, over the arithmetic: "sum of products".
const char* made_by(model::Rule rule);

/// "scores[head 1, are, You] = 0.534 × −1.238 + 0.114 × 0.896 + … = −2.757", with at most
/// `most_terms` terms written out; `made`: what model::explain says of the cell.
std::string worked(const document::ComputedAttention& attention, const model::Explanation& made,
                   std::size_t most_terms);

/// More terms than this are folded when they are read aloud: the first ones and the last one are
/// said, and how many are not.
inline constexpr std::size_t most_spoken_terms = 6;

/// "scores, head 1, query You, key are: 0.310 = 0.500 × 0.500 + 0.100 × 0.100 + …". The cell must
/// be there.
std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell);

}  // namespace stage
