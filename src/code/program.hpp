// A model of one attention as a program in Python, from the same rows that are computed here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "code/writing.hpp"
#include "files/attention/attention_file.hpp"
#include "model/part.hpp"

namespace code {

/// An attention of a model's file, whose tensors have names of their own.
struct ModelSource {
  std::vector<std::string> paths;  ///< of the files that these tensors lie in
  std::vector<std::string> names;  ///< of all tensors that are read
  /// How each given tensor is made of them, in Python: of `file`, a dict by name.
  std::vector<std::pair<model::TensorId, std::string>> given;
};

/// What the program reads.
struct Source {
  std::string path;  ///< of the file, as it was given
  const files::Safetensors& file;
  const files::AttentionFileOptions& options;
  const ModelSource* model = nullptr;  ///< in the place of path and file, which count for nothing
};

/// A program that needs Python and the library (PyTorch: NumPy too). It takes the path of a
/// .safetensors file as its argument and writes every tensor of the trace of `part` to it; a second
/// argument (for a model's, more of them) is another file of the same shapes to read.
///
/// `part` was made of what files::attention_from_file read from `source`, with or without
/// gradients. Errors: an operation that cannot be written as code.
base::Result<std::string> program(const model::Part& part, const Source& source, Library library);

}  // namespace code
