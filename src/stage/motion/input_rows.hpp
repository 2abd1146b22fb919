// The step "input": rows that arrive token by token.
#pragma once

#include <cstddef>
#include <vector>

#include "model/trace.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Lets the rows of what goes into the attention arrive, one token after another. A row that is a
/// sum gets its embedding, then its position on top; any other grows out of its word.
void plan_rows(Stage& stage, const model::Trace& trace);

/// The same for gradients, from the last token to the first: each row comes in from the right,
/// where the attention is. What is computed from these rows waits until all are there.
void plan_rows_back(Stage& stage);

/// The time of one row, as a part of the step's progress.
struct RowTime {
  float begin = 0.0F;
  float end = 1.0F;

  float at(float share) const { return begin + (end - begin) * share; }
};
/// When the i-th of `count` rows to arrive is on its way. `waits`: something is computed from them.
RowTime row_time(std::size_t i, std::size_t count, bool waits);

/// Lets the rows of `parts` arrive in `block` and add up to its rows there, as gradients do that
/// come back through several tensors. All are matrices of the same shape. `progress`: of the step;
/// what grows then is noted on the stage.
void gather_rows(Stage& stage, std::size_t block, const std::vector<std::size_t>& parts,
                 float progress);

}  // namespace stage
