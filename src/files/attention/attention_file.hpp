// Reads the inputs of an attention from a file of tensors with PyTorch's names.
// `attention-live trace --help` lists them with their shapes (src/app/command_line).
//
// Names, shapes and meaning as torch.nn.functional.multi_head_attention_forward of PyTorch 1.13
// with batch_first: a BOOL mask is True where a key is hidden, a float mask is added to the scores.
// Without any weight there is no projection.
#pragma once

#include "files/safetensors.hpp"
#include "model/attention/attention_part.hpp"

namespace files {

/// Options that a file does not contain.
struct AttentionFileOptions {
  std::size_t num_heads = 1;
  std::size_t num_kv_heads = 0;  ///< 0: as many as there are heads
  model::Scale scale = {};
  model::Variants variants;
  bool causal = false;          ///< adds the look-ahead mask
  bool ignore_unknown = false;  ///< skip tensors with other names, which are an error otherwise
  bool needs_target = false;    ///< for gradients
};

struct AttentionFile {
  /// With the names of the table. Inputs always have a batch axis; key and value share the storage
  /// of query, or of key, if the file does not have them.
  model::Tensors given;
  model::Options options;
  tensor::Tensor target;  ///< [B,Lq,E]: what the output should be; undefined if not in the file
};

/// Picks the tensors of one attention out of a file.
///
/// Errors: no query, or no target where one is needed; a tensor with an unknown name, a wrong
/// shape, a dtype that is not read, sizes over model::Limits; a number that is not finite (a mask
/// may hold −∞); weights that do not belong together; bias_k and bias_v, which are not computed
/// here.
base::Result<AttentionFile> attention_from_file(const Safetensors& file,
                                                const AttentionFileOptions& options);

}  // namespace files
