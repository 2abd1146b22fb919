// A file of tensors under PyTorch's names → what an attention is given.
// `attention-live trace --help` lists them with their shapes (src/app/command_line).
//
// Names, shapes and meaning as torch.nn.functional.multi_head_attention_forward of PyTorch 1.13
// with batch_first: a BOOL mask is True where a query must not look, a float mask is added to the
// scores. No weight at all means no projection.
#pragma once

#include "files/safetensors.hpp"
#include "model/attention/attention_part.hpp"

namespace files {

/// What a file does not say about its attention.
struct AttentionFileOptions {
  std::size_t num_heads = 1;
  std::size_t num_kv_heads = 0;  ///< 0: as many as there are heads
  model::Scale scale;
  bool causal = false;          ///< adds the look-ahead mask
  bool ignore_unknown = false;  ///< passes over tensors of other names; else they are an error,
                                ///< since they may be typing mistakes
};

struct AttentionFile {
  /// Under the table's names. Inputs always have a batch axis; key and value share query's numbers
  /// where the file has none.
  model::Tensors given;
  model::Options options;
};

/// Picks the tensors of one attention out of a file.
///
/// Errors: no query; a tensor with an unknown name, a wrong shape, a dtype that is not read, sizes
/// over model::Limits; a number that is not finite (a mask may hold −∞); weights that do not
/// belong together; bias_k and bias_v, which are not computed here.
base::Result<AttentionFile> attention_from_file(const Safetensors& file,
                                                const AttentionFileOptions& options);

}  // namespace files
