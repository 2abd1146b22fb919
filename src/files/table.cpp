#include "files/table.hpp"

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/snippets.hpp"

namespace files {

using base::fail;
using base::Result;

namespace {

using Row = std::vector<std::string_view>;

constexpr std::string_view minus_sign = "\u2212";
constexpr std::string_view infinity_sign = "\u221E";
constexpr std::string_view byte_order_mark = "\uFEFF";
constexpr std::string_view no_break_space = "\u00A0";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

Row split_at(std::string_view line, char separator) {
  Row row;
  for (;;) {
    const std::size_t end = line.find(separator);
    row.push_back(trimmed(line.substr(0, end)));
    if (end == std::string_view::npos) return row;
    line = line.substr(end + 1);
  }
}

/// The lines without line breaks; empty ones at the end are dropped.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines = split_at(text, '\n');
  while (!lines.empty() && lines.back().find_first_not_of(" \t") == std::string_view::npos)
    lines.pop_back();
  return lines;
}

Row split_at_spaces(std::string_view line) {
  Row row;
  for (line = trimmed(line); !line.empty();) {
    const std::size_t end = line.find(' ');
    row.push_back(line.substr(0, end));
    line = end == std::string_view::npos ? std::string_view() : trimmed(line.substr(end));
  }
  return row;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t longest = 64;  // characters of a number

/// True for digits on both sides of one comma: 0,5 may be one number or two.
bool could_be_decimal(std::string_view entry) {
  if (entry.size() > longest) return false;
  const std::size_t comma = entry.find(',');
  return comma != std::string_view::npos && entry.find(',', comma + 1) == std::string_view::npos &&
         entry.find('.') == std::string_view::npos && comma > 0 && is_digit(entry[comma - 1]) &&
         comma + 1 < entry.size() && is_digit(entry[comma + 1]);
}

/// True for one to three digits, the first one not 0, a comma, and three digits: 1,234 may mean
/// 1234.
bool could_be_thousands(std::string_view entry) {
  if (!could_be_decimal(entry)) return false;
  const std::size_t comma = entry.find(',');
  const std::size_t first = entry.find_first_of("0123456789");
  const std::size_t end = entry.find_first_not_of("0123456789", comma + 1);
  return comma - first <= 3 && entry[first] != '0' &&
         (end == std::string_view::npos ? entry.size() : end) - comma - 1 == 3;
}

/// The separator between columns.
enum class Separator : unsigned char { tab, semicolon, comma, space, unclear };

/// The separator in lines with neither tabs nor semicolons.
Separator comma_or_space(const std::vector<std::string_view>& lines) {
  bool any_comma = false;
  bool only_decimals = true;  // every line is one entry that could have a decimal comma
  bool all_lines = true;      // every line has a comma
  for (const std::string_view line : lines) {
    const std::string_view inside = trimmed(line);
    const bool comma = inside.find(',') != std::string_view::npos;
    any_comma = any_comma || comma;
    all_lines = all_lines && comma;
    for (std::size_t at = inside.find(' '); at != std::string_view::npos;
         at = inside.find(' ', at)) {
      const std::size_t after = inside.find_first_not_of(' ', at);
      // If some space has no comma beside it, spaces separate, and commas are decimal: 0,5 0,25.
      if (inside[at - 1] != ',' && inside[after] != ',') return Separator::space;
      at = after;
      only_decimals = false;
    }
    if (comma && !could_be_decimal(inside)) only_decimals = false;
  }
  if (!any_comma) return Separator::space;
  if (!only_decimals) return Separator::comma;
  // If some line has no comma, commas cannot separate columns.
  return all_lines ? Separator::unclear : Separator::space;
}

Separator separator_of(const std::vector<std::string_view>& lines) {
  const auto any_has = [&lines](char c) {
    return std::any_of(lines.begin(), lines.end(), [c](std::string_view line) {
      return line.find(c) != std::string_view::npos;
    });
  };
  if (any_has('\t')) return Separator::tab;
  if (any_has(';')) return Separator::semicolon;
  return comma_or_space(lines);
}

tl::unexpected<base::Error> unclear(std::string_view entry) {
  std::string point(entry);
  point.replace(point.find(','), 1, ".");
  const std::size_t comma = entry.find(',');
  return fail(base::text("files.table.one_number_or_two", {{"entry", in_quotes(entry, 24)},
                                                           {"number", point},
                                                           {"first", entry.substr(0, comma)},
                                                           {"second", entry.substr(comma + 1)}}));
}

/// If something else separates the columns, commas are decimal. An error if every one of them could
/// also separate thousands.
Result<void> check_decimal_commas(const std::vector<Row>& rows) {
  std::string_view grouped;
  for (const Row& row : rows) {
    for (const std::string_view entry : row) {
      if (could_be_thousands(entry)) {
        if (grouped.empty()) grouped = entry;
      } else if (entry.find(',') != std::string_view::npos) {
        return {};
      }
    }
  }
  if (grouped.empty()) return {};
  std::string point(grouped);
  point.replace(point.find(','), 1, ".");
  std::string none(grouped);
  none.erase(none.find(','), 1);
  return fail(
      base::text("files.table.decimals_or_thousands",
                 {{"entry", in_quotes(grouped, 24)}, {"decimals", point}, {"thousands", none}}));
}

/// Reads one entry; false if it is no number.
bool parse_entry(std::string_view entry, bool decimal_comma, float& value) {
  if (entry.empty() || entry.size() > longest) return false;
  std::string plain(entry);
  replace_all(plain, minus_sign, "-");
  replace_all(plain, infinity_sign, "inf");
  std::transform(plain.begin(), plain.end(), plain.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const bool negative = plain.starts_with('-');
  const std::string_view unsigned_part =
      std::string_view(plain).substr(negative || plain.starts_with('+') ? 1 : 0);
  if (unsigned_part == "inf" || unsigned_part == "infinity") {
    value = negative ? -HUGE_VALF : HUGE_VALF;
    return true;
  }
  if (decimal_comma) {
    if (plain.find('.') != std::string::npos && plain.find(',') != std::string::npos) return false;
    std::replace(plain.begin(), plain.end(), ',', '.');
  }
  const auto read = base::read_float(plain);
  if (!read || !std::isfinite(*read)) return false;
  value = *read;
  return true;
}

/// What "Copy as NumPy" and "as PyTorch" gave, or a list alone, as rows on lines of their own;
/// other text as it is.
std::string lists_as_lines(const std::string& text) {
  std::size_t begin = text.find("([");  // behind np.array or torch.tensor
  if (begin == std::string::npos)
    begin = text.find_first_not_of(" \n");
  else
    ++begin;
  const std::size_t end = text.rfind(']');
  if (begin == std::string::npos || text[begin] != '[' || end == std::string::npos) return text;
  std::string lists = text.substr(begin, end + 1 - begin);
  replace_all(lists, "np.", "");
  replace_all(lists, "float(", "");
  std::string lines;
  for (const char c : lists) {
    const bool begins = lines.empty() || lines.back() == '\n';
    if (c == ']' && !begins) lines += '\n';
    const bool between = c == ',' || c == ' ' || c == '\n';
    if (std::string_view("[]\")").find(c) != std::string_view::npos || (between && begins))
      continue;
    lines += c == '\n' ? ' ' : c;
  }
  return lines;
}

/// Says that this entry is no number.
tl::unexpected<base::Error> no_number(std::size_t row, std::size_t column, std::string_view entry) {
  if (entry.empty())
    return fail(base::text("files.table.empty", {{"row", row}, {"column", column}}));
  return fail(base::text("files.table.no_number",
                         {{"row", row}, {"column", column}, {"entry", in_quotes(entry, 24)}}));
}

}  // namespace

Result<Table> parse_table(std::string_view text) {
  if (text.size() > max_table_bytes) return fail(base::text("files.table.too_long"));
  std::string plain(text);
  replace_all(plain, byte_order_mark, "");
  replace_all(plain, no_break_space, " ");
  replace_all(plain, "\r\n", "\n");
  replace_all(plain, "\r", "\n");
  plain = lists_as_lines(plain);
  const std::vector<std::string_view> lines = lines_of(plain);
  if (lines.empty()) return fail(base::text("files.table.nothing"));
  const Separator separator = separator_of(lines);
  if (separator == Separator::unclear) return unclear(trimmed(lines.front()));
  const bool decimal_comma = separator != Separator::comma;
  std::vector<Row> rows;
  for (const std::string_view line : lines) {
    if (separator == Separator::space)
      rows.push_back(split_at_spaces(line));
    else
      rows.push_back(split_at(line, separator == Separator::tab         ? '\t'
                                    : separator == Separator::semicolon ? ';'
                                                                        : ','));
  }
  if (decimal_comma) {
    if (auto checked = check_decimal_commas(rows); !checked) return fail(checked.error());
  }
  Table table{rows.size(), rows.front().size(), {}};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < rows[row].size(); ++column) {
      float value = 0.0F;
      const std::string_view entry = rows[row][column];
      if (!parse_entry(entry, decimal_comma, value)) return no_number(row, column, entry);
      table.values.push_back(value);
    }
    if (rows[row].size() != table.columns) {
      return fail(
          base::text("files.table.row_lengths",
                     {{"row", row}, {"numbers", rows[row].size()}, {"in_row_0", table.columns}}));
    }
  }
  return table;
}

std::string to_tsv(const tensor::Tensor& matrix) {
  std::string text;
  for (std::size_t row = 0; row < matrix.dim(0); ++row) {
    for (std::size_t column = 0; column < matrix.dim(1); ++column) {
      if (column > 0) text += '\t';
      text += float_text(matrix.at({row, column}));
    }
    text += '\n';
  }
  return text;
}

}  // namespace files
