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

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

/// An array of ones as numpy.save writes it.
std::vector<std::byte> npy(const std::string& shape, std::size_t count) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  header += '\n';
  auto file = bytes_of(std::string("\x93NUMPY\x01\0\x76\0", 10) + header);
  const std::vector<float> ones(count, 1.0F);
  files::test::append(file, ones.data(), count * sizeof(float));
  return file;
}

TEST(OwnFile, AConfigBesideItSaysHowManyHeadsThereAre) {
  const std::vector<std::byte> bytes = gpt2_file().file();
  auto file = read(bytes);
  ASSERT_TRUE(file);
  EXPECT_TRUE(*file->described().find("attentions")->elements()[0].find("guess")->boolean());
  ASSERT_TRUE(file->add_beside("config.json", bytes_of(R"({"n_head": 2})")));
  const base::Json described = file->described();
  const base::Json& one = described.find("attentions")->elements()[0];
  EXPECT_EQ(one.find("heads")->number(), 2.0);
  EXPECT_FALSE(*one.find("guess")->boolean());
  const auto refused = [&](const std::string& name, const std::vector<std::byte>& beside) {
    const auto added = file->add_beside(name, beside);
    return added ? std::string("no error") : added.error().message;
  };
  EXPECT_EQ(refused("config.json", bytes_of("{")),
            "\"config.json\": config.json is not a JSON object.");
  EXPECT_EQ(refused("notes.txt", bytes_of("{}")),
            "\"notes.txt\" cannot be used here. Beside a .safetensors file, only config.json, a "
            "tokenizer (tokenizer.json, vocab.txt, or vocab.json with merges.txt) and a .npy array "
            "are read.");
}

TEST(OwnFile, TokenIdsOfAScriptAreWholeNumbers) {
  const auto asked = [](const char* json) { return words_asked_for(base::Json::parse(json)); };
  EXPECT_EQ(asked(R"({"text": "7, 9", "ids": [7, 9]})")->ids, (std::vector<std::uint32_t>{7, 9}));
  for (const char* wrong : {"[-1]", "[0.5]", "[1e300]", "[4294967296]", "[\"7\"]", "[null]", "7"}) {
    const auto words = asked(("{\"ids\": " + std::string(wrong) + "}").c_str());
    ASSERT_FALSE(words) << wrong;
    EXPECT_NE(words.error().message.find("ids"), std::string::npos) << words.error().message;
  }
}

TEST(OwnFile, AnArrayBesideItIsItsTokens) {
  const std::vector<std::byte> bytes = gpt2_file().add("query", {2, 4}, ramp(8)).file();
  auto file = read(bytes);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->add_beside("x.npy", npy("(2, 3, 4)", 24)));
  const auto variant = file->add(0, parts(*file, bytes));
  ASSERT_TRUE(variant) << variant.error().message;
  EXPECT_EQ(lesson::own_layer(*variant).query.values(), std::vector<float>(12, 1.0F));
  EXPECT_EQ(lesson::own_layer(*variant).tokens_file, "x.npy");
  ASSERT_TRUE(file->add_beside("x.npy", npy("(3, 5)", 15)));
  const auto wrong = file->add(0, parts(*file, bytes));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message,
            "x.npy has shape [3,5]; the tokens of this attention are [L,E] or [B,L,E] with E 4.");
  EXPECT_FALSE(file->add_beside("x.npy", npy("(3, 5)", 14)));
  lesson::forget_own_layers();
}

TEST(OwnFile, TokensAreRowsOfItsEmbeddings) {
  const std::vector<std::byte> bytes = gpt2_file().add("wte.weight", {3, 4}, ramp(12)).file();
  auto file = read(bytes);
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->add_beside("vocab.txt", {}));
  const auto variant = file->add(0, parts(*file, bytes));
  ASSERT_TRUE(variant) << variant.error().message;
  EXPECT_TRUE(lesson::own_layer(*variant).text.has_tokenizer);
  lesson::OwnWords words{"b a", {2, 0}, {"b", "a"}};
  const auto places = lesson::places_of_words(*variant, words);
  ASSERT_TRUE(places);
  std::vector<std::byte> rows;
  for (const auto& [begin, end] : *places)
    rows.insert(rows.end(), bytes.begin() + static_cast<std::ptrdiff_t>(begin),
                bytes.begin() + static_cast<std::ptrdiff_t>(end));
  const auto made = lesson::add_own_words(*variant, words, rows);
  ASSERT_TRUE(made) << made.error().message;
  const std::vector<float> all = ramp(12);
  EXPECT_EQ(lesson::own_layer(*made).query.values(),
            (std::vector<float>{all[8], all[9], all[10], all[11], all[0], all[1], all[2], all[3]}));
  EXPECT_EQ(lesson::own_layer(*made).name, "h.0.attn: b a");
  rows.pop_back();
  EXPECT_FALSE(lesson::add_own_words(*made, words, rows));
  lesson::OwnWords beyond{"3", {}, {}};
  EXPECT_EQ(lesson::places_of_words(*made, beyond).error().message,
            "There is no token 3: \"wte.weight\" has 3 rows, counted from 0.");
  lesson::forget_own_layers();
  EXPECT_FALSE(lesson::places_of_words(0, words));
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
                  .starts_with("No attention was found in \"a \\\"b\\\".safetensors\"."));
  EXPECT_EQ(
      sentence(FileBuilder().add("h.0.attn.c_attn.weight", {4, 12}, ramp(48)).file()),
      "The attention in \"a \\\"b\\\".safetensors\" is incomplete: \"h.0.attn.c_proj.weight\" "
      "is missing. Where a model lies in several files, open all of them together.");
}

TEST(OwnFile, FilesOfOneModelAreReadAsIfTheyWereOne) {
  const std::vector<std::byte> whole = gpt2_file().file();
  const auto first = FileBuilder().add("h.0.attn.c_attn.weight", {4, 12}, ramp(48)).file();
  const auto second = FileBuilder().add("h.0.attn.c_proj.weight", {4, 4}, ramp(16)).file();
  const std::vector<OwnFile::Shard> shards = {{"a-1.safetensors", first, first.size()},
                                              {"a-2.safetensors", second, second.size()}};
  const auto file = OwnFile::read(shards);
  ASSERT_TRUE(file) << file.error().message;
  std::vector<std::byte> bytes = first;
  bytes.insert(bytes.end(), second.begin(), second.end());
  const auto alone = read(whole);
  EXPECT_EQ(parts(*file, bytes), parts(*alone, whole));
  const auto twice = OwnFile::read(std::vector<OwnFile::Shard>{shards[0], shards[0]});
  EXPECT_EQ(twice.error().message,
            "Two of the files have a tensor \"h.0.attn.c_attn.weight\": choose the files of one "
            "model.");
  const auto broken =
      OwnFile::read(std::vector<OwnFile::Shard>{shards[0], {"b.safetensors", {}, 0}});
  EXPECT_TRUE(broken.error().message.starts_with("\"b.safetensors\": Not a safetensors file"));
}

}  // namespace
}  // namespace app
