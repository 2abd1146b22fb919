#include "app/command_line/layer/command_line_embeddings.hpp"

#include <algorithm>
#include <filesystem>

#include "files/layers/embeddings.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/tokenizer_files.hpp"
#include "model/attention/config.hpp"

namespace app {

using base::fail;
using base::Result;
using tensor::Tensor;

Result<std::vector<std::uint32_t>> token_ids(const std::string& text) {
  const auto ids = files::read_ids(text);
  if (ids && ids->size() <= model::Limits::tokens) return *ids;
  return fail("--ids is " + files::in_quotes(text) + "; it must be up to " +
              std::to_string(model::Limits::tokens) +
              " whole numbers with commas between them, such as 464,3290.");
}

Result<files::Encoding> encoded(const std::string& path, const std::string& text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  files::TokenizerFiles files;
  for (const std::string_view name : files::tokenizer_file_names) {
    const std::string beside = (folder / name).string();
    std::error_code none;
    if (!std::filesystem::is_regular_file(beside, none)) continue;
    const auto bytes = read_file(beside);
    if (!bytes) return fail(bytes.error());
    files.add(std::string(name), {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    if (name == files::tokenizer_file_names.front()) break;  // all is in it
  }
  if (!files.has_vocabulary()) {
    return fail(
        "--text needs tokenizer.json, vocab.txt, or vocab.json with merges.txt in the folder of " +
        path_in_quotes(path) + ".");
  }
  if (const auto read = files.read(); !read) return fail(read.error());
  Result<files::Encoding> encoding = files.tokenizer()->encode(text);
  if (!encoding) return fail(encoding.error());
  if (encoding->ids.size() <= model::Limits::tokens) return encoding;
  return fail("The text has " + std::to_string(encoding->ids.size()) + " tokens; at most " +
              std::to_string(model::Limits::tokens) + " are computed.");
}

Result<Tensor> embedded(const ModelFile& model, const files::FoundAttention& found,
                        const std::vector<std::uint32_t>& ids) {
  const std::size_t width = found.embed_dim;
  const auto in_file = [&](const std::string& path, const std::string& why) {
    return fail(path_in_quotes(path) + ": " + why);
  };
  const files::HeaderEntry* entry = files::find_embeddings(model.header(), width, found.name);
  if (entry == nullptr) {
    return in_file(model.path(),
                   "There are no embeddings of " + std::to_string(width) +
                       " numbers, under a name such as wte.weight or embed_tokens.weight.");
  }
  const std::string& path = model.path_of(*entry);
  const auto places = files::places_of(*entry, ids);
  if (!places) return in_file(path, places.error().message);
  std::vector<std::byte> rows;
  for (const auto& [begin, end] : *places) {
    const auto row = model.read(begin, end);
    if (!row) return fail(row.error());
    rows.insert(rows.end(), row->begin(), row->end());
  }
  const auto tokens = files::rows_from(*entry, ids.size(), rows);
  if (!tokens) return in_file(path, tokens.error().message);
  return tokens->reshape({1, ids.size(), width});
}

}  // namespace app
