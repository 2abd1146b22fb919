// Tokens by their ids: rows of a model's embeddings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/safetensors_header.hpp"
#include "tensor/tensor.hpp"

namespace files {

/// The tensor whose name ends as GPT-2, BERT, T5, BART or Llama call their embeddings, with rows of
/// this width, that stands closest to the attention of this name: for one in an encoder never the
/// decoder's. Null where there is none.
const HeaderEntry* find_embeddings(const Header& header, std::size_t width,
                                   std::string_view attention);

/// "464,3290 11" as numbers, with commas or spaces between them; nothing where it is something
/// else.
std::optional<std::vector<std::uint32_t>> read_ids(std::string_view text);

/// Where the rows of these ids lie among the bytes of the data, [begin,end) each. Errors: an id
/// beyond the rows.
base::Result<std::vector<std::pair<std::uint64_t, std::uint64_t>>> places_of(
    const HeaderEntry& embeddings, std::span<const std::uint32_t> ids);

/// The bytes of `count` such rows as [count,width]. Errors: bytes of another length; numbers that
/// are not finite.
base::Result<tensor::Tensor> rows_from(const HeaderEntry& embeddings, std::size_t count,
                                       std::span<const std::byte> bytes);

}  // namespace files
