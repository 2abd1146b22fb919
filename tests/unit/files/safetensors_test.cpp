#include "files/safetensors.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

#include "file_bytes.hpp"
#include "special_floats.hpp"

namespace files {
namespace {

using tensor::Shape;
using tensor::Tensor;
using test::bytes_of_numbers;
using test::file_claiming;
using test::file_of;
using test::FileBuilder;

TEST(Safetensors, ReadsEveryFormatAsFloat) {
  const std::vector<std::byte> file =
      FileBuilder()
          .add("odd", "BOOL", {3}, bytes_of_numbers<std::uint8_t>({1, 0, 1}))
          .add("f32", {2, 2}, {1.0F, -2.0F, 3.5F, -0.0F})
          .add("f16", "F16", {2}, bytes_of_numbers<std::uint16_t>({0x3C00, 0xFC00}))
          .add("bf16", "BF16", {1}, bytes_of_numbers<std::uint16_t>({0x4049}))
          .add("f64", "F64", {1, 1}, bytes_of_numbers<double>({0.1}))
          .add("scalar", {}, {7.0F})
          .add("empty", {0, 4}, {})
          .file();
  const auto read = read_safetensors(file);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->tensors.size(), 7U);

  const auto values = [&](const char* name, const Shape& shape) {
    const StoredTensor* stored = read->find(name);
    EXPECT_NE(stored, nullptr) << name;
    const auto tensor = to_float32(*stored);
    EXPECT_TRUE(tensor) << name;
    EXPECT_EQ(tensor->shape(), shape) << name;
    EXPECT_TRUE(tensor->defined());
    return tensor->values();
  };
  EXPECT_EQ(values("odd", {3}), (std::vector<float>{1.0F, 0.0F, 1.0F}));
  EXPECT_EQ(values("f32", {2, 2}), (std::vector<float>{1.0F, -2.0F, 3.5F, 0.0F}));
  EXPECT_EQ(values("f16", {2}),
            (std::vector<float>{1.0F, -std::numeric_limits<float>::infinity()}));
  EXPECT_EQ(values("bf16", {1}), std::vector<float>{3.140625F});
  EXPECT_EQ(values("f64", {1, 1}), std::vector<float>{0.1F});
  EXPECT_EQ(values("scalar", {}), std::vector<float>{7.0F});
  EXPECT_EQ(values("empty", {0, 4}), std::vector<float>{});
  EXPECT_EQ(read->find("odd")->dtype, "BOOL");
  EXPECT_EQ(read->find("absent"), nullptr);
}

TEST(Safetensors, OtherFormatsMayBeThereButAreNotConverted) {
  const std::vector<std::byte> file = FileBuilder()
                                          .add("ids", "I64", {2}, std::vector<std::byte>(16))
                                          .add("new", "F4", {3}, std::vector<std::byte>(2))
                                          .add("x", {1}, {1.0F})
                                          .file();
  const auto read = read_safetensors(file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(to_float32(*read->find("x")));
  const auto ids = to_float32(*read->find("ids"));
  ASSERT_FALSE(ids);
  EXPECT_EQ(ids.error().message,
            R"(Tensor "ids" has dtype "I64"; F32, F16, BF16, F64 and BOOL are read.)");
  const auto newer = to_float32(*read->find("new"));
  ASSERT_FALSE(newer);
  EXPECT_EQ(newer.error().message,
            R"(Tensor "new" has dtype "F4"; F32, F16, BF16, F64 and BOOL are read.)");
}

TEST(Safetensors, ABooleanIsZeroOrOne) {
  const std::vector<std::byte> file =
      FileBuilder().add("mask", "BOOL", {2}, bytes_of_numbers<std::uint8_t>({1, 255})).file();
  const auto read = read_safetensors(file);
  ASSERT_TRUE(read) << read.error().message;
  const auto mask = to_float32(read->tensors[0]);
  ASSERT_FALSE(mask);
  EXPECT_EQ(mask.error().message, R"(Tensor "mask" is BOOL, but not all of its bytes are 0 or 1.)");
}

TEST(Safetensors, TensorsComeInTheOrderOfTheirData) {
  const auto file = file_of(
      R"({"b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"none":{"dtype":"F32","shape":[0],"data_offsets":[4,4]},)"
      R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
      bytes_of_numbers<float>({1.0F, 2.0F}));
  const auto read = read_safetensors(file);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->tensors.size(), 3U);
  EXPECT_EQ(read->tensors[0].name, "a");
  EXPECT_EQ(read->tensors[1].name, "none");
  EXPECT_EQ(read->tensors[2].name, "b");
  EXPECT_EQ(to_float32(read->tensors[2])->values(), std::vector<float>{2.0F});
}

TEST(Safetensors, NamesWhatIsWrongWithTheFile) {
  const std::vector<std::byte> data(8);
  const auto one = [&](const std::string& fields) {
    return file_of(R"({"a":{)" + fields + "}}", data);
  };
  const auto two = [&](const std::string& first, const std::string& second) {
    return file_of(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":)" + first +
                       R"(},"b":{"dtype":"U8","shape":[4],"data_offsets":)" + second + "}}",
                   data);
  };
  const auto bytes_of = [](std::string_view text) {
    std::vector<std::byte> bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
  };
  const std::string archive =
      "This is a ZIP archive or a pickle, as torch.save and numpy.savez write them, not a "
      "safetensors file. In Python, safetensors.torch.save_file(model.state_dict(), "
      "\"model.safetensors\") writes one.";
  struct Case {
    std::vector<std::byte> file;
    std::string sentence;
  };
  const std::vector<Case> cases = {
      // The length before the header.
      {{},
       "Not a safetensors file: it has 0 bytes, fewer than the 8 that give the header's length."},
      {std::vector<std::byte>(7),
       "Not a safetensors file: it has 7 bytes, fewer than the 8 that give the header's length."},
      {std::vector<std::byte>(8), "The header does not begin with a brace, as its JSON must."},
      {file_claiming(3, "{}", {}),
       "Not a safetensors file, or cut short: its header's length is given as 3 bytes, but only 2 "
       "follow."},
      {file_claiming(0xFFFFFFFFFFFFFFFF, "{}", {}),
       "Not a safetensors file, or cut short: its header's length is given as 18446744073709551615 "
       "bytes, but only 2 "
       "follow."},
      {bytes_of("PK\x03\x04 what torch.save writes"), archive},
      {bytes_of("\x80\x02}q\x01(X, what it wrote once"), archive},
      {file_of("{" + std::string(max_header_bytes, ' ') + "}", {}),
       "The header is 16777218 bytes long; at most 16777216 are read."},
      // One tensor and its place.
      {one(R"("dtype":"F32","shape":[2],"data_offsets":[8,0])"),
       R"(The data of tensor "a" end at byte 0, before they begin at 8.)"},
      {one(R"("dtype":"F32","shape":[3],"data_offsets":[0,12])"),
       R"(The data of tensor "a" end at byte 12, beyond the file's 8 bytes of data.)"},
      {one(R"("dtype":"F32","shape":[2],"data_offsets":[18446744073709551608,18446744073709551615])"),
       R"(The data of tensor "a" end at byte 18446744073709551615, beyond the file's 8 bytes of data.)"},
      {one(R"("dtype":"F32","shape":[3],"data_offsets":[0,8])"),
       R"(Tensor "a" has shape [3] of dtype F32, 3 × 4 bytes, but its data_offsets span 8.)"},
      {one(R"("dtype":"F32","shape":[1],"data_offsets":[0,7])"),
       R"(Tensor "a" has shape [1] of dtype F32, 1 × 4 bytes, but its data_offsets span 7.)"},
      {one(R"("dtype":"F64","shape":[],"data_offsets":[0,0])"),
       R"(Tensor "a" has shape [] of dtype F64, 1 × 8 bytes, but its data_offsets span 0.)"},
      {one(R"("dtype":"F32","shape":[0,2],"data_offsets":[0,8])"),
       R"(Tensor "a" has shape [0,2] of dtype F32, 0 × 4 bytes, but its data_offsets span 8.)"},
      // 2^93 and 2^64 numbers.
      {one(R"("dtype":"U8","shape":[2147483647,2147483647,2147483647],"data_offsets":[0,8])"),
       R"(Tensor "a" has a shape of more numbers than any file can hold: [2147483647,2147483647,2147483647].)"},
      {one(R"("dtype":"U8","shape":[65536,65536,65536,65536],"data_offsets":[0,0])"),
       R"(Tensor "a" has a shape of more numbers than any file can hold: [65536,65536,65536,65536].)"},
      // 2^62 numbers of 4 bytes are 2^64 bytes, which is 0 in 64 bits.
      {one(R"("dtype":"F32","shape":[1073741824,1073741824,4],"data_offsets":[0,0])"),
       R"(Tensor "a" has shape [1073741824,1073741824,4] of dtype F32, 4611686018427387904 × 4 bytes, but its )"
       R"(data_offsets span 0.)"},
      {one(R"("dtype":"?","shape":[65536,65536,65536,65536],"data_offsets":[0,8])"),
       R"(Tensor "a" has a shape of more numbers than any file can hold: [65536,65536,65536,65536].)"},
      // Several.
      {two("[0,4]", "[2,6]"), R"(The data of tensors "a" and "b" overlap.)"},
      {two("[4,8]", "[4,8]"), R"(There is a gap of 4 bytes before the data of tensor "a".)"},
      {two("[0,4]", "[0,4]"), R"(The data of tensors "a" and "b" overlap.)"},
      {file_of(
           R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},"b":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
           data),
       R"(There is a gap of 1 bytes before the data of tensor "b".)"},
      {file_of(
           R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},"b":{"dtype":"U8","shape":[0],"data_offsets":[4,4]}})",
           data),
       R"(The data of tensors "a" and "b" overlap.)"},
      {one(R"("dtype":"F32","shape":[1],"data_offsets":[0,4])"),
       "The last 4 bytes of the file belong to no tensor."},
      {file_of("{}", data), "The last 8 bytes of the file belong to no tensor."},
      // What the header itself says wrong comes through.
      {file_of("{\"a\":1}", {}), R"(The header's entry "a" must be an object.)"},
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto read = read_safetensors(cases[i].file);
    ASSERT_FALSE(read) << i << ": " << cases[i].sentence;
    EXPECT_EQ(read.error().message, cases[i].sentence) << i;
  }
}

TEST(Safetensors, FilesOfOtherKindsAreNamedAsWhatTheyAre) {
  using namespace std::string_view_literals;
  const std::vector<std::pair<std::string_view, std::string_view>> kinds = {
      {"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12\n"sv,
       "a pointer of Git LFS, which only stands for the file (git lfs pull fetches it)"},
      {"<!DOCTYPE html><html>"sv, "a web page (HTML), as a server sends it in the place of a file"},
      {"\n  <html lang=\"en\">"sv,
       "a web page (HTML), as a server sends it in the place of a file"},
      {"\xEF\xBB\xBF<!Doctype html>"sv,
       "a web page (HTML), as a server sends it in the place of a file"},
      {"{\"error\":\"Entry not found\"}"sv, "a JSON file"},
      {"GGUF\x03\0\0\0\x0A\0\0\0\0\0\0\0"sv, "a GGUF file, as llama.cpp reads it"},
      {"\x08\x07\x12\x07pytorch\x1A\x05"sv, "an ONNX file"},
      {"\x08\x0A:\x95\x03\x0A\x0C\x0A"sv, "an ONNX file"},
      {"\x1C\0\0\0TFL3\x14\0"sv, "a TensorFlow Lite file"},
      {"\x89HDF\r\n\x1A\n\0\0"sv, "an HDF5 file, as Keras writes it"},
      {"\x93NUMPY\x01\0v\0{'descr'"sv, "an array .npy of NumPy"},
      {"\x1F\x8B\x08\0\0\0\0\0\0\x03"sv, "a file compressed by gzip"},
  };
  for (const auto& [begins, kind] : kinds) {
    std::vector<std::byte> file(begins.size());
    std::memcpy(file.data(), begins.data(), begins.size());
    const auto read = read_safetensors(file);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, "This is " + std::string(kind) + ", not a safetensors file.");
  }
}

TEST(Safetensors, EveryTruncationIsAnError) {
  const std::vector<std::byte> file = FileBuilder()
                                          .add("x", {2}, {1.0F, 2.0F})
                                          .add("y", "BOOL", {1}, std::vector<std::byte>(1))
                                          .file();
  ASSERT_TRUE(read_safetensors(file));
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_FALSE(read_safetensors(std::span(file).first(size))) << size;
  }
}

TEST(Safetensors, ALongHeaderIsReadUpToItsLimit) {
  std::string header = "{}";
  header.resize(max_header_bytes, ' ');
  EXPECT_TRUE(read_safetensors(file_of(header, {})));
}

TEST(Safetensors, WhatIsWrittenIsReadBack) {
  const Tensor counting({2, 3}, {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F});
  const std::vector<NamedTensor> tensors = {
      {"counting", counting},
      {"turned \"round\"\n", counting.transpose(0, 1)},
      {"repeated", Tensor({1, 2}, {-infinity, 0.5F}).expand({3, 2})},
      {"scalar", Tensor(Shape{}, {42.0F})},
      {"empty", Tensor(Shape{0, 5})},
      {"größe", Tensor({1}, {std::numeric_limits<float>::denorm_min()})},
  };
  const Metadata metadata = {{"format", "pt"}, {"say \"so\"", "∑"}};
  const auto file = write_safetensors(tensors, metadata);
  ASSERT_TRUE(file) << file.error().message;

  const auto read = read_safetensors(*file);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->metadata, metadata);
  ASSERT_EQ(read->tensors.size(), tensors.size());
  for (const NamedTensor& written : tensors) {
    const StoredTensor* stored = read->find(written.name);
    ASSERT_NE(stored, nullptr) << written.name;
    EXPECT_EQ(stored->dtype, "F32");
    const auto tensor = to_float32(*stored);
    ASSERT_TRUE(tensor);
    EXPECT_EQ(tensor->shape(), written.tensor.shape()) << written.name;
    EXPECT_EQ(tensor->values(), written.tensor.values()) << written.name;
  }
  EXPECT_EQ(to_float32(*read->find("turned \"round\"\n"))->values(),
            (std::vector<float>{1.0F, 4.0F, 2.0F, 5.0F, 3.0F, 6.0F}));
}

TEST(Safetensors, WritesTheFormatToTheByte) {
  const std::vector<NamedTensor> tensors = {{"x", Tensor({1, 2}, {1.0F, 2.0F})}};
  const auto file = write_safetensors(tensors);
  ASSERT_TRUE(file);
  std::string header = R"({"x":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})";
  ASSERT_EQ(header.size(), 56U);  // a multiple of 8 already
  EXPECT_EQ(*file, file_of(header, bytes_of_numbers<float>({1.0F, 2.0F})));

  const auto padded =
      write_safetensors(std::vector<NamedTensor>{{"xy", Tensor({1, 2}, {1.0F, 2.0F})}});
  ASSERT_TRUE(padded);
  header = R"({"xy":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}       )";
  ASSERT_EQ(header.size(), 64U);
  EXPECT_EQ(*padded, file_of(header, bytes_of_numbers<float>({1.0F, 2.0F})));

  const auto nothing = write_safetensors({});
  ASSERT_TRUE(nothing);
  EXPECT_EQ(*nothing, file_of("{}      ", {}));
}

TEST(Safetensors, NamesWhatCannotBeWritten) {
  const Tensor x({1}, {1.0F});
  const auto sentence = [](const std::vector<NamedTensor>& tensors) {
    const auto file = write_safetensors(tensors);
    return file ? std::string("written") : file.error().message;
  };
  EXPECT_EQ(sentence({{"x", x}, {"y", x}, {"x", x}}), R"(Two tensors are called "x".)");
  EXPECT_EQ(sentence({{"__metadata__", x}}),
            R"(No tensor can be called "__metadata__" in a safetensors file.)");
  EXPECT_EQ(sentence({{"\xff", x}}), R"(No tensor can be called "\xff" in a safetensors file.)");
  EXPECT_EQ(sentence({{"x", Tensor()}}), R"(Tensor "x" is not there.)");
}

}  // namespace
}  // namespace files
