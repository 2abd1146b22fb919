// The backward pass of a step: whose gradient is made when, and the products that are added up for
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "stage/figures/figures.hpp"

namespace stage {

/// The groups whose gradient is computed in one turn of the step, and by which row.
struct TurnBack {
  std::vector<std::size_t> groups;
  const model::Node* row = nullptr;  ///< of the trace
  float begin = 0.0F;                ///< of the step's progress
  float end = 1.0F;
};

/// What plays backward on a stage that still shows values.
struct PlayBack {
  /// In the order of the rows of gradients: of what is computed from gradients of other groups. The
  /// gradients of all other groups are there from the beginning.
  std::vector<TurnBack> turns;
  /// Each turn adds up products, as the step does forward, and the factors are on the stage.
  bool products = false;
  /// The turn that the progress has reached, where `products`; empty: none, or all are over.
  std::optional<std::size_t> now;
  Rect corner;  ///< where the step has room to add up a number; may be empty
};

PlayBack play_back(const Stage& stage, const FigureInput& input);

/// What a group shows: its own tensor, if its turn has not come yet or the present turn multiplies
/// by it; else that tensor's gradient or, in the turn before several parts of that are added up, the
/// part that is computed on this stage.
model::TensorId shown_tensor(const PlayBack& play, const Stage& stage, std::size_t group);

/// How visible a group's numbers and title are, 0 … 1: between two turns those of one tensor give
/// way to those of another.
float there_in(const PlayBack& play, const Stage& stage, std::size_t group, float progress);

/// Through which tensor a part of a gradient comes back: "through q", since query_input is read for
/// q. Empty where nothing on this attention tells.
std::string words_of_part(const model::Trace& trace, model::TensorId part);

/// Adds the sweeps of `play` and the figure that adds up the cell that is being made, to a stage
/// that shows gradients. `view_state.cell` is the one that is added up at the end.
void put_turns_back(Stage& stage, const FigureInput& input, const PlayBack& play);

}  // namespace stage
