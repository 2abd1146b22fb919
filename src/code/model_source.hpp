// How the tensors of an attention are made of those of a model's file, in Python.
#pragma once

#include "code/program.hpp"
#include "files/layers/found_attention.hpp"

namespace code {

/// Adds the attention's weights as files::weights_of makes them; its number of heads must be known.
void add_weights(const files::FoundAttention& found, Library library, ModelSource& source);

/// `file["name"]`, and the name to those that are read.
std::string tensor_of_file(const std::string& name, ModelSource& source);

}  // namespace code
