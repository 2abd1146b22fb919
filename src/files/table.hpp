// Tables of numbers as text, as spreadsheets exchange them through the clipboard.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "tensor/tensor.hpp"

namespace files {

/// Numbers in rows and columns.
struct Table {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> values;  ///< [rows, columns], row after row

  float at(std::size_t row, std::size_t column) const { return values[row * columns + column]; }
};

inline constexpr std::size_t max_table_bytes = std::size_t{1} << 20;

/// Reads rows on lines of their own and columns separated by tabs, semicolons, commas or spaces.
/// A number may have a real or an ASCII minus, an exponent, and a comma in place of the point where
/// that can mean nothing else; "-inf", "−∞" and their like are infinite. The code of `to_numpy` and
/// `to_pytorch` is read too, and nested lists: each innermost list is a row. Errors: nothing there; an
/// entry that is no number (the first one is named, with its row and column counted from 0); rows
/// of different lengths; a comma that could be a decimal comma as well as a separator; over 1 MiB.
base::Result<Table> parse_table(std::string_view text);

/// `matrix`, [rows, columns], as a spreadsheet takes it: tabs between columns, a line break after
/// each row, numbers so that they read back as the same float32, −∞ as "-inf".
std::string to_tsv(const tensor::Tensor& matrix);

}  // namespace files
