// Weights in a file, with what is needed to use them and, in a checkpoint, to go on learning.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors.hpp"
#include "training/learner.hpp"

namespace training {

/// FNV-1a, 64 bits, of all that the file says but its "checksum": metadata, names and numbers. As
/// hexadecimal digits.
std::string checksum_of(const files::Safetensors& file);

/// The file's bytes: every weight under its name, and `metadata` with the sizes of the model and
/// the checksum added.
/// A checkpoint also holds the number of steps and what the optimiser remembers, under "mean." and
/// "squares." and the weight's name.
base::Result<std::vector<std::byte>> write_weights(const Learner& learner, bool as_checkpoint,
                                                   files::Metadata metadata);

/// The same for use alone, a quarter of the size: the numbers of each row of a matrix as whole
/// numbers from −127 to 127, which times the row's "NAME.scale" are the weights, rounded.
base::Result<std::vector<std::byte>> write_rounded_weights(const Learner& learner,
                                                           files::Metadata metadata);

/// Makes the learner go on from a checkpoint. Errors: tensors that are missing or have another
/// shape, no number of steps; nothing is changed then.
base::Result<void> restore(const files::Safetensors& checkpoint, Learner& learner);

/// What the metadata say about the model. Errors: a size that is missing, not a number
/// or beyond what is possible.
base::Result<model::Transformer> transformer_from(const files::Metadata& metadata);

/// Every weight of the file as float32, rounded ones times their scale. Errors: as
/// files::to_float32; a rounded weight without its scales.
base::Result<model::Weights> weights_from(const files::Safetensors& file);

}  // namespace training
