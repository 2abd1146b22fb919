#include "app/api/own_file.hpp"

#include <gtest/gtest.h>

#include "files/file_bytes.hpp"
#include "lesson/input/own_layers.hpp"

namespace app {
namespace {

using files::test::FileBuilder;

std::vector<float> ramp(std::size_t count) {
  std::vector<float> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<float>(i % 7) / 4.0F;
  return numbers;
}

FileBuilder gpt2_file() {
  return FileBuilder()
      .add("h.0.attn.c_attn.weight", {4, 12}, ramp(48))
      .add("h.0.attn.c_proj.weight", {4, 4}, ramp(16));
}

base::Result<OwnFile> read(const std::vector<std::byte>& bytes) {
  return OwnFile::read("a \"b\".safetensors", bytes, bytes.size());
}

/// The parts of an attention, as a page reads them.
std::vector<std::byte> parts(const OwnFile& file, const std::vector<std::byte>& bytes) {
  std::vector<std::byte> read;
  for (const auto& [begin, end] : file.parts_of(0)) {
    read.insert(read.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                bytes.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return read;
}

TEST(OwnFile, SaysWhatIsThereAndWhereItLies) {
  const std::vector<std::byte> bytes = gpt2_file().file();
  const auto file = read(bytes);
  ASSERT_TRUE(file) << file.error().message;
  const base::Json described = file->described();
  const base::Json& one = described.find("attentions")->elements()[0];
  EXPECT_EQ(*one.find("name")->text(), "h.0.attn");
  EXPECT_EQ(*one.find("family")->text(), "GPT-2");
  EXPECT_EQ(*one.find("why")->text(), "");
  EXPECT_EQ(one.find("embed_dim")->number(), 4.0);
  EXPECT_EQ(one.find("parts")->size(), 2U);
  EXPECT_EQ(one.find("parts")->elements()[1].elements()[1].number(),
            static_cast<double>(bytes.size()));
}

TEST(OwnFile, AnAttentionAndTheTokensOfTheFileBecomeAVariant) {
  const std::vector<std::byte> bytes = gpt2_file().add("query", {2, 4}, ramp(8)).file();
  const auto file = read(bytes);
  ASSERT_TRUE(file);
  const auto variant = file->add(0, parts(*file, bytes));
  ASSERT_TRUE(variant) << variant.error().message;
  EXPECT_EQ(lesson::own_layer(*variant).query.values(), ramp(8));
  EXPECT_EQ(lesson::own_layer(*variant).file, "a \\\"b\\\".safetensors");
  EXPECT_EQ(lesson::own_layer(*variant).weights["out_proj_weight"].at({0, 1}), ramp(16)[4]);
}

TEST(OwnFile, WrongBytesAndIndicesAreRefused) {
  const std::vector<std::byte> bytes = gpt2_file().add("query", {2, 4}, ramp(8)).file();
  const auto file = read(bytes);
  ASSERT_TRUE(file);
  std::vector<std::byte> some = parts(*file, bytes);
  some.pop_back();
  EXPECT_FALSE(file->add(0, some));
  EXPECT_FALSE(file->add(0, {}));
  EXPECT_FALSE(file->add(1, parts(*file, bytes)));
  EXPECT_FALSE(OwnFile().add(0, {}));
}

TEST(OwnFile, AFileWithoutAWholeAttentionIsRefusedWithItsName) {
  const auto sentence = [](const std::vector<std::byte>& bytes) {
    const auto file = read(bytes);
    return file ? std::string("no error") : file.error().message;
  };
  EXPECT_TRUE(sentence({}).starts_with("\"a \\\"b\\\".safetensors\": Not a safetensors file"));
  EXPECT_TRUE(sentence(FileBuilder().add("x", {1}, {1.0F}).file())
                  .starts_with("\"a \\\"b\\\".safetensors\" has no attention with names"));
  EXPECT_EQ(sentence(FileBuilder().add("h.0.attn.c_attn.weight", {4, 12}, ramp(48)).file()),
            "\"a \\\"b\\\".safetensors\" has no whole attention: \"h.0.attn.c_proj.weight\" is "
            "missing.");
}

}  // namespace
}  // namespace app
