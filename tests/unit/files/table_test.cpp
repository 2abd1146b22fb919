#include "files/table.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "files/snippets.hpp"
#include "special_floats.hpp"

namespace files {
namespace {

/// The table that `text` is; a failure and an empty table where it is none.
Table table_of(std::string_view text) {
  auto table = parse_table(text);
  EXPECT_TRUE(table.has_value()) << text << ": " << (table ? "" : table.error().message);
  return table.value_or(Table{});
}

void expect_table(std::string_view text, std::size_t rows, std::size_t columns,
                  const std::vector<float>& values) {
  const Table table = table_of(text);
  EXPECT_EQ(table.rows, rows) << text;
  EXPECT_EQ(table.columns, columns) << text;
  EXPECT_EQ(table.values, values) << text;
}

void expect_refused(std::string_view text, std::string_view sentence_part) {
  const auto table = parse_table(text);
  ASSERT_FALSE(table.has_value()) << text;
  EXPECT_NE(table.error().message.find(sentence_part), std::string::npos) << table.error().message;
}

TEST(Table, ReadsWhatSpreadsheetsCopy) {
  expect_table("0.5\t-1\n2e-3\t4\n", 2, 2, {0.5F, -1.0F, 0.002F, 4.0F});
  expect_table("0.5\t-1\r\n2\t4\r\n", 2, 2, {0.5F, -1.0F, 2.0F, 4.0F});
  expect_table("1\r2\r3", 3, 1, {1.0F, 2.0F, 3.0F});
  expect_table("7", 1, 1, {7.0F});
  expect_table("\uFEFF 1 \t 2 \n\n\n", 1, 2, {1.0F, 2.0F});
  EXPECT_EQ(table_of("1\t2\t3\n4\t5\t6").at(1, 2), 6.0F);
}

TEST(Table, ReadsOtherSeparators) {
  expect_table("1;2\n3;4", 2, 2, {1, 2, 3, 4});
  expect_table("1, 2, 3\n4, 5, 6\n", 2, 3, {1, 2, 3, 4, 5, 6});
  expect_table("1,2,3", 1, 3, {1, 2, 3});
  expect_table("0.5,0.25", 1, 2, {0.5F, 0.25F});
  expect_table("1 , 2", 1, 2, {1, 2});
  expect_table("  1   2\n 3  4 ", 2, 2, {1, 2, 3, 4});
  expect_table("1\u00A0\t2", 1, 2, {1, 2});
  expect_table("0,-inf", 1, 2, {0, -infinity});
}

TEST(Table, TakesADecimalCommaWhereItCanMeanNothingElse) {
  expect_table("0,5\t-0,25\n1\t2", 2, 2, {0.5F, -0.25F, 1, 2});
  expect_table("0,5;1,75", 1, 2, {0.5F, 1.75F});
  expect_table("0,5 1,75", 1, 2, {0.5F, 1.75F});
  expect_table("1,5\n2\n", 2, 1, {1.5F, 2.0F});
  expect_table("1,234\t0,5", 1, 2, {1.234F, 0.5F});
  expect_table("0,125\t0,250", 1, 2, {0.125F, 0.25F});
}

TEST(Table, AsksWhereACommaHasTwoMeanings) {
  expect_refused("1,5", "\"1,5\" could be 1.5 or the two numbers 1 and 5");
  expect_refused("1,5\n2,7", "could be 1.5 or the two numbers");
  expect_refused("1,234\t2", "\"1,234\" could be 1.234 or 1234");
  expect_refused("1,234.5\t2", "column 0 is \"1,234.5\"");
}

TEST(Table, ReadsMinusSignsAndInfinities) {
  expect_table("\u22120.5\t-0.5\t+0.5", 1, 3, {-0.5F, -0.5F, 0.5F});
  expect_table("-inf\t\u2212\u221E\t-Infinity\t-Inf\t\u221E", 1, 5,
               {-infinity, -infinity, -infinity, -infinity, infinity});
}

TEST(Table, ReadsTheCodeThatItWrites) {
  const tensor::Tensor matrix({2, 3}, {1, -2.5F, 0, -HUGE_VALF, 1e-7F, HUGE_VALF});
  const std::vector<float> values = {1, -2.5F, 0, -HUGE_VALF, 1e-7F, HUGE_VALF};
  expect_table(to_numpy("scores", "scores[0, 0, :, :]", matrix), 2, 3, values);
  expect_table(to_pytorch("scores", "scores[0, 0, :, :]", matrix), 2, 3, values);
  expect_table(to_numpy("bias", "", matrix.reshape({6})), 1, 6, values);
  expect_table(to_pytorch("column", "column[:, :]", matrix.reshape({6, 1})), 6, 1, values);
  expect_table("[[1, 2],\n [3, 4]]", 2, 2, {1, 2, 3, 4});
  expect_table(" [0.5]\n", 1, 1, {0.5F});
}

TEST(Table, EchoesLittleOfWhatWasPasted) {
  const std::string digits(5000, '1');
  for (const std::string& pasted :
       {digits, digits + ',' + digits, digits + "x\t1", "1,111" + digits + "\t2"}) {
    const auto table = parse_table(pasted);
    ASSERT_FALSE(table.has_value()) << pasted.size();
    EXPECT_LT(table.error().message.size(), 160U) << table.error().message;
  }
}

TEST(Table, NamesTheFirstEntryThatIsNoNumber) {
  expect_refused("1\t2\n3\tabc\nx\ty", "row 1, column 1 is \"abc\"");
  expect_refused("1\t\t3", "row 0, column 1 is empty");
  expect_refused("1\n\n3", "row 1");
  expect_refused("1,2,", "column 2 is empty");
  for (const char* text : {"0x10\t1", "nan\t1", "1e99\t1", "--1\t1", "1e\t1", "e\t1", "1..2\t1",
                           "infinite\t1", "12%\t1"}) {
    expect_refused(text, "row 0, column 0 is");
  }
  expect_refused(std::string(100, '1') + "\t1", "row 0, column 0");
}

TEST(Table, WantsEquallyLongRows) {
  expect_refused("1\t2\n3\n", "row 1 has 1 numbers and row 0 has 2");
  expect_refused("1 2\n3 4 5\n", "row 1 has 3 numbers and row 0 has 2");
}

TEST(Table, RefusesNothingAndTooMuch) {
  expect_refused("", "nothing to paste");
  expect_refused(" \n\t\n", "nothing to paste");
  expect_refused(std::string(max_table_bytes + 1, '1'), "1 MiB");
}

TEST(Table, WritesWhatItReads) {
  const tensor::Tensor matrix({2, 3}, {0.1F, -2.5F, -infinity, 1e-20F, 16777217.0F, 0.0F});
  const std::string text = to_tsv(matrix);
  EXPECT_EQ(text, "0.1\t-2.5\t-inf\n1e-20\t16777216\t0\n");
  expect_table(text, 2, 3, matrix.values());
}

TEST(Table, WritesAViewInItsOwnOrder) {
  const tensor::Tensor matrix({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(to_tsv(matrix.transpose(0, 1)), "1\t3\n2\t4\n");
}

}  // namespace
}  // namespace files
