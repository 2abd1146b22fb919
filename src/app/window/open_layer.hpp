// Files with the attentions of a model, in the desktop's window.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "files/tokenizers/tokenizer_files.hpp"

namespace app {

class App;

/// Whether a file's name says that it holds tensors, or a tokenizer.
bool is_layer_file(const std::string& path);

/// The files whose attentions were shown, by variant of own-layer, so that tokens can be typed.
class LayerFiles {
 public:
  /// Has the App tell what is typed; it must live as long as this.
  explicit LayerFiles(App& app);

  /// Shows an attention of the file, with config.json and a tokenizer beside it: `layer`, or, where
  /// that is empty, the first that can be shown. With a tokenizer its tokens are those of a
  /// sentence, unless the file has some. An array .npy, or a tokenizer, is for the attention that
  /// is shown. What was not chosen or cannot be read is told to the reader. Errors: what is wrong
  /// with the file; an attention that is not there or cannot be shown.
  base::Result<void> open(const std::string& path, const std::string& layer);

 private:
  struct Source {
    std::vector<std::string> paths;
    std::shared_ptr<files::TokenizerFiles> tokenizer;
  };

  base::Result<void> type(const std::string& text);
  base::Result<void> open_tokens(const std::string& path);
  base::Result<void> open_tokenizer(const std::string& path);
  /// Of the variant that is shown; null where it is none of a file.
  Source* shown();

  App& app_;
  std::map<std::size_t, Source> sources_;
};

}  // namespace app
