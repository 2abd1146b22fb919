// What encoder and decoder layers ask of their arguments before anything is computed.
#pragma once

#include "attention/layers.hpp"

namespace attention {

/// Errors of encode.
Result<void> check_encoder(const Tensor& x, const Tensor& mask,
                           const std::vector<EncoderLayer>& layers, const LayerOptions& options);

/// Errors of decode. Of `memory` only the shape matters.
Result<void> check_decoder(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                           const Tensor& cross_mask, const std::vector<DecoderLayer>& layers,
                           const LayerOptions& options);

}  // namespace attention
