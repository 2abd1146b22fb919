#include "files/safetensors_header.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace files {
namespace {

TEST(SafetensorsHeader, SaysWhatItHolds) {
  const auto header = read_header(R"({"b":{"shape":[],"data_offsets":[24,28],"dtype":"F32"},)"
                                  R"("__metadata__":{"format":"pt","note":"Größe \"x\""},)"
                                  R"("a":{"dtype":"I64","shape":[1,3],"data_offsets":[0,24]}}   )");
  ASSERT_TRUE(header) << header.error().message;
  ASSERT_EQ(header->entries.size(), 2U);
  EXPECT_EQ(header->entries[0].name, "b");
  EXPECT_EQ(header->entries[0].dtype, "F32");
  EXPECT_EQ(header->entries[0].shape, tensor::Shape{});
  EXPECT_EQ(header->entries[0].begin, 24U);
  EXPECT_EQ(header->entries[0].end, 28U);
  EXPECT_EQ(header->entries[1].name, "a");
  EXPECT_EQ(header->entries[1].shape, (tensor::Shape{1, 3}));
  const Metadata metadata = {{"format", "pt"}, {"note", "Größe \"x\""}};
  EXPECT_EQ(header->metadata, metadata);
}

TEST(SafetensorsHeader, MayBeEmpty) {
  const auto header = read_header("{}");
  ASSERT_TRUE(header);
  EXPECT_TRUE(header->entries.empty());
  EXPECT_TRUE(header->metadata.empty());
}

TEST(SafetensorsHeader, TakesTheLargestNumbersThereAre) {
  const auto header = read_header(
      R"({"a":{"dtype":"F32","shape":[2147483647],"data_offsets":[0,18446744073709551615]}})");
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->entries[0].shape, tensor::Shape{2147483647});
  EXPECT_EQ(header->entries[0].end, 18446744073709551615U);
}

/// An entry with one of its fields replaced.
std::string with(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"a":{"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets +
         "}}";
}

TEST(SafetensorsHeader, NamesWhatIsWrong) {
  const std::string deep(100000, '[');
  std::string deep_objects;
  for (int i = 0; i < 100000; ++i) deep_objects += R"({"a":)";
  const std::string entry = R"({"dtype":"F32","shape":[],"data_offsets":[0,4]})";

  struct Case {
    std::string text;
    std::string sentence;
  };
  const std::vector<Case> cases = {
      // Not one JSON object.
      {"", "The header does not begin with a brace, as its JSON must."},
      {"[]", "The header does not begin with a brace, as its JSON must."},
      {" {}", "The header does not begin with a brace, as its JSON must."},
      {"\xEF\xBB\xBF{}", "The header does not begin with a brace, as its JSON must."},
      {"{", "The header is not valid JSON at byte 1."},
      {"{}{}", "The header is not valid JSON at byte 2."},
      {"{\"a\":" + entry + ",}", "The header is not valid JSON at byte 53."},
      {"{'a':1}", "The header is not valid JSON at byte 1."},
      {"{}/*x*/", "The header is not valid JSON at byte 2."},
      {std::string("{}\0\0", 4), "The header is not valid JSON at byte 2."},
      {std::string("{}\0{\"hidden\":1}", 15), "The header is not valid JSON at byte 2."},
      {"{\"a\n\":1}", "The header is not valid JSON at byte 3."},
      {R"({"\ud800":1})", "The header is not valid JSON at byte 8."},
      {"{\"\xff\":1}", "The header is not valid UTF-8 at byte 2."},
      {"{\"\xed\xa0\x80\":1}", "The header is not valid UTF-8 at byte 2."},
      {"{\"\xc0\xaf\":1}", "The header is not valid UTF-8 at byte 2."},
      // Entries that are not objects, and depth.
      {R"({"a":1})", R"(The header's entry "a" must be an object.)"},
      {R"({"a":null})", R"(The header's entry "a" must be an object.)"},
      {R"({"a":"x"})", R"(The header's entry "a" must be an object.)"},
      {R"({"__metadata__":[]})", R"(The header's entry "__metadata__" must be an object.)"},
      {"{\"a\":" + deep, R"(The header's entry "a" must be an object.)"},
      {deep_objects, R"(Tensor "a" has the field "a"; allowed are dtype, shape and data_offsets.)"},
      {R"({"a":{"shape":)" + deep,
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {R"({"__metadata__":{"x":)" + deep,
       R"(__metadata__ must hold strings only, but "x" is something else.)"},
      // Fields.
      {R"({"a":{}})", R"(Tensor "a" has no dtype.)"},
      {R"({"a":{"dtype":"F32","data_offsets":[0,4]}})", R"(Tensor "a" has no shape.)"},
      {R"({"a":{"dtype":"F32","shape":[]}})", R"(Tensor "a" has no data_offsets.)"},
      {R"({"a":{"dtype":"F32","dtype":"F32"}})", R"(Tensor "a" has the field dtype twice.)"},
      {R"({"a":{"strides":[1]}})",
       R"(Tensor "a" has the field "strides"; allowed are dtype, shape and data_offsets.)"},
      {with("1", "[]", "[0,4]"), R"(The dtype of tensor "a" must be a string.)"},
      {with("[\"F32\"]", "[]", "[0,4]"), R"(The dtype of tensor "a" must be a string.)"},
      {with("\"F32\"", "3", "[0,4]"), R"(The shape of tensor "a" must be an array.)"},
      {with("\"F32\"", "{}", "[0,4]"), R"(The shape of tensor "a" must be an array.)"},
      {with("\"F32\"", "[]", "null"), R"(data_offsets of tensor "a" must be an array.)"},
      {with("\"F32\"", "[]", "\"0,4\""), R"(data_offsets of tensor "a" must be an array.)"},
      // Sizes.
      {with("\"F32\"", "[-1]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[1.0]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[1e3]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[\"1\"]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[true]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[[1]]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[2147483648]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[1152921504606846976]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[0,1152921504606846976]", "[0,0]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[99999999999999999999]", "[0,4]"),
       R"(The shape of tensor "a" must hold whole numbers from 0 to 2147483647.)"},
      {with("\"F32\"", "[1,1,1,1,1,1,1]", "[0,4]"),
       R"(Tensor "a" has more than 6 dimensions, the most that are read.)"},
      // Offsets.
      {with("\"F32\"", "[]", "[]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      {with("\"F32\"", "[]", "[0]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      {with("\"F32\"", "[]", "[0,2,4]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      {with("\"F32\"", "[]", "[-4,0]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      {with("\"F32\"", "[]", "[0,4.0]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      {with("\"F32\"", "[]", "[0,18446744073709551616]"),
       R"(data_offsets of tensor "a" must be two whole numbers, where its data begin and end.)"},
      // The same name twice.
      {"{\"a\":" + entry + ",\"b\":" + entry + ",\"a\":" + entry + "}",
       R"(The header has tensor "a" twice.)"},
      {"{\"a\":" + entry + ",\"\\u0061\":" + entry + "}", R"(The header has tensor "a" twice.)"},
      {R"({"__metadata__":{"x":"1","x":"2"}})", R"(__metadata__ has "x" twice.)"},
      {R"({"__metadata__":{},"__metadata__":{}})", "The header has __metadata__ twice."},
      {R"({"__metadata__":{"x":1}})",
       R"(__metadata__ must hold strings only, but "x" is something else.)"},
      {R"({"__metadata__":{"x":null}})",
       R"(__metadata__ must hold strings only, but "x" is something else.)"},
      // Names from the file are made safe for a terminal.
      {R"({"a\u001b[31m\nb":1})", R"(The header's entry "a\u{1b}[31m\u{a}b" must be an object.)"},
  };
  for (const Case& c : cases) {
    const auto header = read_header(c.text);
    ASSERT_FALSE(header) << c.text.substr(0, 100);
    EXPECT_EQ(header.error().message, c.sentence) << c.text.substr(0, 100);
  }
}

}  // namespace
}  // namespace files
