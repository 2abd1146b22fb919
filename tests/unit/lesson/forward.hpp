// What the tests of this room share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "lesson/examples/example.hpp"
#include "model/attention/attention_part.hpp"
#include "self_inputs.hpp"

namespace lesson {

inline Problem made(ExampleId id, const Parameters& parameters = {}) {
  auto problem = make_problem(id, parameters);
  EXPECT_TRUE(problem) << problem.error().message;
  return problem ? *std::move(problem) : Problem{};
}

/// Self-attention over the source, with nothing masked.
inline model::Trace forward(const Problem& problem) {
  const tensor::Tensor& x = problem.source.embedding;
  model::Options options;
  options.num_heads = problem.options.num_heads;
  options.scale = problem.options.scale;
  auto trace = model::multi_head_attention(self_inputs(x, problem.weights), options);
  EXPECT_TRUE(trace) << trace.error().message;
  return trace ? *std::move(trace) : model::Trace{};
}

/// Row `query` of one head's weights.
inline std::vector<float> weights_of(const model::Trace& trace, std::size_t head,
                                     std::size_t query) {
  const tensor::Tensor& weights = trace["attention_weights"];
  return weights.select(0, 0).select(0, head).select(0, query).values();
}

inline void expect_near(const std::vector<float>& actual, const std::vector<float>& expected,
                        float tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "at " << i;
}

}  // namespace lesson
