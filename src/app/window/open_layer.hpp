// Files with the attentions of a model, in the desktop's window.
#pragma once

#include <string>

#include "base/error.hpp"

namespace app {

class App;

/// Whether a file's name says that it holds tensors.
bool is_layer_file(const std::string& path);

/// Shows an attention of the file, with config.json beside it, or makes an array .npy the tokens of
/// the one that is shown: `layer`, or, where that is empty, the first that can be shown.
/// What was not chosen is told to the reader. Errors: what is wrong with the file; an attention
/// that is not there or cannot be shown.
base::Result<void> open_layer(App& app, const std::string& path, const std::string& layer);

}  // namespace app
