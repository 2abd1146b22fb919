// Where a number came from, in words: the one place that has them, for panels and for people to
// whom the page is read.
#pragma once

#include <string>
#include <string_view>

#include "document/computed.hpp"
#include "model/trace.hpp"

namespace stage {

// Everything counts from 0: heads, samples, tokens and dimensions, in words as in indices.

/// "Michael", or "head 1": the words for an index along an axis.
std::string words_for(const document::ComputedAttention& attention, model::Axis axis,
                      std::size_t sample, std::size_t index);
/// "q_heads[1, 1, 2]": as the captions' shapes and the memory strip have it, without the batch.
std::string address_text(const document::ComputedAttention& attention, model::TensorId tensor,
                         const tensor::Index& index);
/// "head 0, query You, key are"; with the sample in front where the batch has several.
std::string place_words(const document::ComputedAttention& attention,
                        const document::CellRef& cell);
/// "scores, head 0, query You, key are".
std::string cell_words(const document::ComputedAttention& attention, const document::CellRef& cell);
/// "H: heads, Lq: query tokens, Lk: key tokens": what the letters of a shape such as
/// "[H 2, Lq 3, Lk 3]", or of several in one text, stand for.
std::string axis_words(std::string_view shape);

/// What a rule does, over the arithmetic: "dot product: sum of".
const char* made_by(model::Rule rule);

/// Where the numbers of a tensor come from that this attention does not compute.
std::string given_words(const document::ComputedAttention& attention, model::TensorId tensor);

/// More terms than this are folded when they are read aloud: the first ones and the last one are
/// said, and how many are not.
inline constexpr std::size_t most_spoken_terms = 6;

/// "scores, head 0, query You, key are: 0.310 = 0.500 × 0.500 + 0.100 × 0.100 + …". The cell must
/// be there.
std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell);

}  // namespace stage
