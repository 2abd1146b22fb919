// Captions for readers who have not met the tensors' names yet.
#pragma once

#include "stage/scene/stage.hpp"

namespace stage {

/// Puts the captions into words: "queries" instead of "q_heads [H 1, Lq 3, D 4]". Tensors that have
/// no word of their own keep their name, without underscores; no caption keeps its shape.
void put_captions_in_words(Stage& stage);

}  // namespace stage
