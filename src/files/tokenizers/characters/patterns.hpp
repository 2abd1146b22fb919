// The regular expressions by which models split texts, each written out.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace files {

/// Where the parts of a text end, one after another; all of it is in one of them.
using Ends = std::vector<std::size_t>;

/// 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+ of GPT-2.
Ends gpt2_parts(std::u32string_view text);

/// (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,DIGITS}| ?[^\s\p{L}\p{N}]+[\r\n]*|
/// \s*[\r\n]+|\s+(?!\S)|\s+ of Llama 3, with 3 digits, and of Qwen 2, with 1.
Ends llama3_parts(std::u32string_view text, std::size_t digits);

/// The two as tokenizer.json writes them; null: another.
using Pattern = Ends (*)(std::u32string_view text);
Pattern pattern_named(std::string_view regex);

}  // namespace files
