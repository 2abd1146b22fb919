// The model that computes a problem with its choices and edits.
#pragma once

#include "document/edits/given.hpp"
#include "model/part.hpp"

namespace document {

/// Errors: as model::attention_part, model::add_encoder and model::add_decoder.
base::Result<model::Model> model_of(const Given& given);

}  // namespace document
