// Gradient descent on the given numbers: w ← w − learning rate · ∂loss/∂w.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "document/computed.hpp"

namespace document {

/// What can learn, in the order of the bits of ViewState::learns, as a state names it.
inline constexpr std::array<std::string_view, 5> learns_names = {
    "embeddings", "q_proj_weight", "k_proj_weight", "v_proj_weight", "out_proj_weight"};

inline constexpr float largest_learning_rate = 1000.0F;

/// The loss; nothing without a target.
std::optional<float> loss_of(const Computed& computed);

/// Which of `learns_names` are given numbers of the attention with the target (without one: of the
/// one at `id`), as bits.
Learns can_learn(const Computed& computed, const Configuration& configuration,
                 lesson::AttentionId id);

/// How one number would change in the next step.
struct Update {
  CellAddress cell;
  float number = 0.0F;
  float gradient = 0.0F;
  float next = 0.0F;  ///< number − learning rate · gradient
};

/// The updates of the next step, tensor by tensor; empty without a target, or where nothing that is
/// ticked learns.
std::vector<Update> updates(const Computed& computed, const Document& document);

/// The update that is shown: that of `cell` if it learns, else the one that changes most. Nothing
/// where nothing learns.
std::optional<Update> shown_update(const Computed& computed, const Document& document,
                                   const std::optional<CellRef>& cell);

/// The configuration after one step. Errors: no target; nothing that learns; a number out of
/// bounds; a number or gradient that is not finite, with the first tensor where that is so.
base::Result<Configuration> learned(const Computed& computed, const Document& document);

/// Errors: a number of a tensor or of a gradient is not finite. The sentence names the first
/// tensor.
base::Result<void> check_finite(const Computed& computed);

/// Errors: not above 0, or above largest_learning_rate.
base::Result<void> check_learning_rate(float rate);

}  // namespace document
