#include "files/layers/shards.hpp"

#include <gtest/gtest.h>

#include "files/file_bytes.hpp"

namespace files {
namespace {

TEST(Shards, TheIndexBelongsToTheNamesOfItsShards) {
  EXPECT_EQ(index_of_shard("model-00001-of-00002.safetensors"), "model.safetensors.index.json");
  EXPECT_EQ(index_of_shard("diffusion_pytorch_model-1-of-3.safetensors"),
            "diffusion_pytorch_model.safetensors.index.json");
  for (const char* name : {"model.safetensors", "model-00001-of-00002.bin", "a-of-2.safetensors",
                           "-of-.safetensors", "", "model-1-of-x.safetensors"})
    EXPECT_EQ(index_of_shard(name), "") << name;
  EXPECT_TRUE(is_shard_index("a/model.safetensors.index.json"));
  EXPECT_TRUE(is_shard_index("model.safetensors.index.fp16.json"));
  EXPECT_FALSE(is_shard_index("config.json"));
  EXPECT_FALSE(is_shard_index("a.safetensors.index.x/config.json"));
}

TEST(Shards, AnIndexSaysInWhichFileEachTensorLies) {
  const auto index = read_shard_index(
      R"({"metadata": {"total_size": 1e300}, "weight_map":
          {"b": "x-2.safetensors", "a": "x-1.safetensors", "c": "x-2.safetensors"}})");
  ASSERT_TRUE(index) << index.error().message;
  EXPECT_EQ(index->files, (std::vector<std::string>{"x-1.safetensors", "x-2.safetensors"}));
  using Place = std::pair<std::string, std::size_t>;
  EXPECT_EQ(index->tensors, (std::vector<Place>{{"a", 0}, {"b", 1}, {"c", 1}}));
}

TEST(Shards, EveryHostileIndexIsRefused) {
  for (const char* json :
       {"", "[]", "{", "{}", R"({"weight_map": []})", R"({"weight_map": {}})",
        R"({"weight_map": {"a": 1}})", R"({"weight_map": {"a": "../x.safetensors"}})",
        R"({"weight_map": {"a": "/x.safetensors"}})",
        R"({"weight_map": {"a": "x\\y.safetensors"}})",
        R"({"weight_map": {"a": "c:x.safetensors"}})", R"({"weight_map": {"a": ".safetensors"}})",
        R"({"weight_map": {"a": "..safetensors"}})", R"({"weight_map": {"a": "x"}})",
        R"({"weight_map": {"a": "a\u0000.safetensors"}})"})
    EXPECT_FALSE(read_shard_index(json)) << json;
}

TEST(Shards, HeadersAreJoinedOneBehindTheOther) {
  using test::FileBuilder;
  const auto first = FileBuilder().add("a", {2}, {1, 2}).add("old", {1}, {3}).file();
  const auto second = FileBuilder().add("b", {1}, {4}).file();
  Header all;
  join_shard(*read_layout(first, first.size()), 0, all);
  join_shard(*read_layout(second, second.size()), first.size(), all);
  ASSERT_EQ(all.entries.size(), 3U);
  EXPECT_TRUE(check_joined(all));
  EXPECT_EQ(all.entries[2].end, first.size() + second.size());
  EXPECT_EQ(all.entries[1].end, first.size());
  join_shard(*read_layout(second, second.size()), 0, all);
  EXPECT_FALSE(check_joined(all));
  // Only what an index says of a shard.
  const auto index = read_shard_index(R"({"weight_map": {"a": "1.safetensors"}})");
  Header some;
  join_shard(*read_layout(first, first.size()), 0, some, &*index, 0);
  join_shard(*read_layout(first, first.size()), 0, some, &*index, 1);
  ASSERT_EQ(some.entries.size(), 1U);
  EXPECT_EQ(some.entries[0].name, "a");
}

}  // namespace
}  // namespace files
