#include "files/attention/trace_file.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "model/attention/attention_part.hpp"

namespace files {
namespace {

using model::Scale;
using model::TensorId;
using tensor::Shape;
using tensor::Tensor;

model::Trace small_trace() {
  const Tensor query({1, 2, 4}, {1, 0, 2, 0, 0, 1, 0, 2});
  model::Options options;
  options.num_heads = 2;
  model::Tensors given;
  given["query_input"] = given["key_input"] = given["value_input"] = query;
  auto trace = model::multi_head_attention(given, options);
  EXPECT_TRUE(trace) << trace.error().message;
  return *trace;
}

std::vector<std::string> names(const std::vector<std::pair<TensorId, Tensor>>& tensors) {
  std::vector<std::string> result;
  result.reserve(tensors.size());
  for (const auto& [id, tensor] : tensors) result.emplace_back(model::name_of(id));
  return result;
}

TEST(TraceFile, HoldsWhatTheTraceHolds) {
  const model::Trace trace = small_trace();
  const auto tensors = tensors_of(trace, std::nullopt);
  ASSERT_TRUE(tensors);
  ASSERT_EQ(tensors->size(), trace.present().size());
  for (std::size_t i = 0; i < tensors->size(); ++i) {
    const auto& [id, tensor] = (*tensors)[i];
    EXPECT_EQ(id, trace.present()[i]);
    EXPECT_EQ(tensor.values(), trace[id].values()) << model::name_of(id);
  }
  const std::vector<std::string> all = names(*tensors);
  for (const char* name :
       {"query_input", "q", "q_split", "k_heads", "scores", "scaled_scores", "attention_weights",
        "head_outputs", "merged_split", "merged", "output"}) {
    EXPECT_EQ(std::count(all.begin(), all.end(), name), 1) << name;
  }
  EXPECT_EQ(std::count(all.begin(), all.end(), "weighted_values"), 0);
}

TEST(TraceFile, WeightedValuesOnDemandSumToTheHeadOutput) {
  const model::Trace trace = small_trace();
  const auto tensors = tensors_of(trace, 1);
  ASSERT_TRUE(tensors);
  const std::vector<std::string> all = names(*tensors);
  const auto at = std::find(all.begin(), all.end(), "weighted_values");
  ASSERT_NE(at, all.end());
  EXPECT_EQ(*(at + 1), "head_outputs");
  const Tensor& weighted = (*tensors)[static_cast<std::size_t>(at - all.begin())].second;
  ASSERT_EQ(weighted.shape(), (Shape{1, 2, 1, 2, 2}));
  for (std::size_t head = 0; head < 2; ++head) {
    for (std::size_t d = 0; d < 2; ++d) {
      EXPECT_NEAR(weighted.at({0, head, 0, 0, d}) + weighted.at({0, head, 0, 1, d}),
                  trace["head_outputs"].at({0, head, 1, d}), 1e-6);
    }
  }
  const auto beyond = tensors_of(trace, 2);
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.error().message, "There is no query 2; allowed are 0 to 1.");
}

TEST(TraceFile, NamesAndMetadata) {
  EXPECT_EQ(tensor_name("", "q"), "q");
  EXPECT_EQ(tensor_name("cross_attention", "q"), "cross_attention.q");
  EXPECT_EQ(scale_name({Scale::Kind::sqrt_head_dim, 1.0F}), "sqrt-head-dim");
  EXPECT_EQ(scale_name({Scale::Kind::sqrt_keys, 1.0F}), "sqrt-keys");
  EXPECT_EQ(scale_name({Scale::Kind::none, 1.0F}), "none");
  EXPECT_EQ(scale_name({Scale::Kind::number, 2.5F}), "2.5");
  EXPECT_EQ(std::stof(scale_name({Scale::Kind::number, 0.1F})), 0.1F);

  const model::Trace trace = small_trace();
  const Metadata alone = {{"num_heads", "2"}, {"num_kv_heads", "2"}, {"scale", "sqrt-head-dim"}};
  EXPECT_EQ(metadata_of(trace.config, ""), alone);
  EXPECT_EQ(metadata_of(trace.config, "cross_attention")[0].first, "cross_attention.num_heads");
}

TEST(WriteTraces, NamesTheTraceInWhichSomethingIsWrong) {
  const std::vector<NamedTrace> traces = {{"first", small_trace()}};
  const auto bytes = write_traces(traces, 2);
  ASSERT_FALSE(bytes);
  EXPECT_EQ(bytes.error().message.find("first: "), 0U) << bytes.error().message;
}

TEST(WriteTraces, EachTensorIsThereUnderTheNameOfItsTrace) {
  const model::Trace trace = small_trace();
  const std::vector<NamedTrace> traces = {{"first", trace, {{"from", "here"}}}, {"second", trace}};
  const auto bytes = write_traces(traces);
  ASSERT_TRUE(bytes);
  const auto file = read_safetensors(*bytes);
  ASSERT_TRUE(file);
  EXPECT_EQ(file->tensors.size(), 2 * trace.present().size());
  for (const TensorId id : trace.present()) {
    for (const char* name : {"first", "second"}) {
      const StoredTensor* stored = file->find(tensor_name(name, model::name_of(id)));
      ASSERT_NE(stored, nullptr) << name << ' ' << model::name_of(id);
      const auto read = to_float32(*stored);
      ASSERT_TRUE(read);
      EXPECT_EQ(read->values(), trace[id].contiguous().values()) << model::name_of(id);
    }
  }
  const auto value_of = [&](std::string_view key) {
    const auto found = std::find_if(file->metadata.begin(), file->metadata.end(),
                                    [&](const auto& entry) { return entry.first == key; });
    return found == file->metadata.end() ? std::string() : found->second;
  };
  EXPECT_EQ(value_of("from"), "here");
  EXPECT_EQ(value_of("second.num_heads"), "2");
}

}  // namespace
}  // namespace files
