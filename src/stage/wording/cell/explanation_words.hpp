// Says in words where a number comes from. Panels and screen readers both get their texts here.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "document/computed.hpp"
#include "model/trace.hpp"

namespace stage {

// Everything counts from 0: heads, samples, tokens and dimensions, in words as in indices.

/// The name of an index along an axis, such as "Michael" or "head 1".
std::string words_for(const document::ComputedAttention& attention, model::Axis axis,
                      std::size_t sample, std::size_t index);
/// A cell's address without the batch, as captions and the memory strip have it: "q_heads[1, 1,
/// 2]".
std::string address_text(const document::ComputedAttention& attention, model::TensorId tensor,
                         const tensor::Index& index);
/// Where a cell is, such as "head 0, query You, key are". Begins with the sample where the batch
/// has several.
std::string place_words(const document::ComputedAttention& attention,
                        const document::CellRef& cell);
/// The tensor and the place, such as "scores, head 0, query You, key are".
std::string cell_words(const document::ComputedAttention& attention, const document::CellRef& cell);
/// What the letters of a shape mean, or those of several shapes in one text. For "[H 2, Lq 3, Lk
/// 3]": "H: heads, Lq: query tokens, Lk: key tokens".
std::string axis_words(std::string_view shape);

/// What stands before a term of an explanation: the token that it belongs to, or the index of the
/// dimension; of tensors that are added, the name, or what a part of a gradient comes through.
std::string term_words(const document::ComputedAttention& attention, const model::Explanation& made,
                       const model::Term& term);

/// A sum of which `shown` terms have room, in their order, and the sum of the others.
struct ShortenedSum {
  std::vector<std::size_t> shown;
  double rest = 0.0;
};
/// Leaves the `count` terms that are largest in magnitude; NaN counts as larger than all.
ShortenedSum shortened(std::span<const model::Term> terms, std::size_t count);

/// Whether the softmax runs over the queries of a key, by mistake.
bool runs_down_columns(const document::ComputedAttention& attention);

/// What made a number, to stand before the arithmetic: "dot product: sum of". `guessing`: it gives
/// no mistake away.
std::string made_by(const document::ComputedAttention& attention, const model::Explanation& made,
                    bool guessing);

/// Where the numbers of a tensor come from if this attention does not compute it.
std::string given_words(const document::ComputedAttention& attention, model::TensorId tensor);

/// Longer sums are shortened for reading aloud: the first terms and the last one are spoken, with
/// the number of those left out.
inline constexpr std::size_t most_spoken_terms = 6;

/// A sentence such as "scores, head 0, query You, key are: 0.310 = 0.500 × 0.500 + 0.100 × 0.100 +
/// …". The cell must exist.
std::string explanation(const document::ComputedAttention& attention,
                        const document::CellRef& cell);

/// What stands in the place of an explanation for a reader who guesses a mistake.
std::string_view hidden_words();

}  // namespace stage
