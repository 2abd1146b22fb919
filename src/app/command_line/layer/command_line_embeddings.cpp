#include "app/command_line/layer/command_line_embeddings.hpp"

#include <algorithm>
#include <array>

#include "base/decimal.hpp"
#include "files/dtype.hpp"
#include "files/numbers/finite.hpp"
#include "files/quote.hpp"
#include "model/attention/config.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using tensor::Tensor;

constexpr std::array<std::string_view, 6> names = {
    "wte.weight",              // GPT-2
    "word_embeddings.weight",  // BERT
    "embed_tokens.weight",     // Llama, BART
    "shared.weight",           // T5, BART
    "tok_embeddings.weight",   // Llama as Meta published it
    "token_embedding.weight"};

const files::HeaderEntry* embeddings_in(const files::Header& header, std::size_t width) {
  for (const std::string_view name : names) {
    for (const files::HeaderEntry& entry : header.entries) {
      const bool fits = entry.shape.rank() == 2 && entry.shape[1] == width && entry.shape[0] > 0;
      if (fits && entry.name.ends_with(name) && files::dtype_named(entry.dtype)) return &entry;
    }
  }
  return nullptr;
}

}  // namespace

Result<std::vector<std::size_t>> token_ids(const std::string& text) {
  std::vector<std::size_t> ids;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto id =
        base::read_whole<std::uint32_t>(std::string_view(text).substr(begin, end - begin));
    if (!id || ids.size() == model::Limits::tokens) {
      return fail("--ids is " + files::in_quotes(text) + "; it must be up to " +
                  std::to_string(model::Limits::tokens) +
                  " whole numbers with commas between them, such as 464,3290.");
    }
    ids.push_back(*id);
    begin = end + 1;
  }
  return ids;
}

Result<Tensor> embedded(const OpenFile& file, const files::Layout& layout, std::size_t width,
                        const std::vector<std::size_t>& ids) {
  const auto in_file = [&](const std::string& why) {
    return fail(path_in_quotes(file.path()) + ": " + why);
  };
  const files::HeaderEntry* entry = embeddings_in(layout.header, width);
  if (entry == nullptr) {
    return in_file("There are no embeddings of " + std::to_string(width) +
                   " numbers, under a name such as wte.weight or embed_tokens.weight, for --ids.");
  }
  const std::size_t row_bytes = width * bytes_of(*files::dtype_named(entry->dtype));
  std::vector<std::byte> rows;
  for (const std::size_t id : ids) {
    if (id >= entry->shape[0]) {
      return in_file("There is no token " + std::to_string(id) + ": " +
                     files::in_quotes(entry->name) + " has " + std::to_string(entry->shape[0]) +
                     " rows, counted from 0.");
    }
    const auto row = file.read(layout.data_begin + entry->begin + id * row_bytes, row_bytes);
    if (!row) return fail(row.error());
    rows.insert(rows.end(), row->begin(), row->end());
  }
  const auto tokens = files::to_float32({entry->name, entry->dtype, {1, ids.size(), width}, rows});
  if (!tokens) return in_file(tokens.error().message);
  const auto checked =
      files::check_numbers(files::in_quotes(entry->name), *tokens, files::Numbers::finite);
  if (!checked) return in_file(checked.error().message);
  return tokens;
}

}  // namespace app
