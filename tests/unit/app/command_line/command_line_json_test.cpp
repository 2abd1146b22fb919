#include "app/command_line/command_line_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "model/attention/attention_part.hpp"
#include "self_inputs.hpp"
#include "special_floats.hpp"

namespace app {
namespace {

using tensor::Tensor;
using Json = nlohmann::json;

/// Two queries, two keys, one head; query 1 sees no key.
model::Trace trace() {
  const float hidden = -std::numeric_limits<float>::infinity();
  const Tensor query({1, 2, 2}, {1, 0, 0.1F, 2});
  model::Options options;
  options.scale = {model::Scale::Kind::number, 0.3F};
  options.overrides.given_weights = {{0, 0, 0, {0.25F, 0.5F}}};
  const auto result = model::multi_head_attention(
      self_inputs(query, {}, Tensor({2, 2}, {0, hidden, hidden, hidden})), options);
  EXPECT_TRUE(result) << result.error().message;
  return *result;
}

TEST(CommandLineJson, SaysEverythingAboutATrace) {
  const auto text = trace_to_json(trace(), std::nullopt);
  ASSERT_TRUE(text) << text.error().message;
  const Json json = Json::parse(*text, nullptr, false);
  ASSERT_TRUE(json.is_object()) << *text;
  const Json config = Json::parse(
      R"({"batch":1,"query_len":2,"key_len":2,"embed_dim":2,"num_heads":1,"num_kv_heads":1,"head_dim":2,"kdim":2,"vdim":2,)"
      R"("scale":0.3,"divisor":0.3})");
  EXPECT_EQ(json["config"], config);
  EXPECT_EQ(json["fully_masked"], Json::parse("[[0,0,1]]"));
  EXPECT_EQ(json["given_weights"], Json::parse("[[0,0,0]]"));
  const Json query = Json::parse(
      R"({"shape":[1,2,2],"strides":[4,2,1],"offset":0,"view_of":null,"data":[1,0,0.1,2]})");
  EXPECT_EQ(json["tensors"]["query_input"], query);
  EXPECT_EQ(json["tensors"]["q_heads"]["view_of"], "query_input");
  EXPECT_EQ(json["tensors"]["mask"]["data"],
            Json::parse(R"([0,"-Infinity","-Infinity","-Infinity"])"));
  EXPECT_EQ(json["tensors"]["attention_weights"]["data"], Json::parse("[0.25,0.5,0,0]"));
  EXPECT_FALSE(json["tensors"].contains("weighted_values"));
}

TEST(CommandLineJson, WeightedValuesOfTheQueryThatWasAskedFor) {
  const auto text = trace_to_json(trace(), 0);
  ASSERT_TRUE(text);
  const Json json = Json::parse(*text, nullptr, false);
  EXPECT_EQ(json["tensors"]["weighted_values"]["data"], Json::parse("[0.25,0,0.05,1]"));
  EXPECT_EQ(trace_to_json(trace(), 2).error().message, "There is no query 2; allowed are 0 to 1.");
}

TEST(CommandLineJson, NumbersThatAreNotFiniteAreStrings) {
  model::Trace odd = trace();
  odd.tensors["output"] =
      Tensor({1, 2, 2}, {infinity, -infinity, std::numeric_limits<float>::quiet_NaN(),
                         std::numeric_limits<float>::denorm_min()});
  const Json json = Json::parse(*trace_to_json(odd, std::nullopt), nullptr, false);
  const Json data = json["tensors"]["output"]["data"];
  EXPECT_EQ(data[0], "Infinity");
  EXPECT_EQ(data[1], "-Infinity");
  EXPECT_EQ(data[2], "NaN");
  EXPECT_EQ(data[3].get<float>(), std::numeric_limits<float>::denorm_min());
}

}  // namespace
}  // namespace app
