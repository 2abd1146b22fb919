#include "app/command_line/command_line_trace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "app/command_line/command_line_io.hpp"
#include "files/safetensors.hpp"

namespace app {
namespace {

/// The tensors that a request writes.
std::vector<std::string> written_names(TraceRequest request) {
  request.output = testing::TempDir() + "command_line_trace_test.safetensors";
  const auto done = run_trace(request);
  EXPECT_TRUE(done) << done.error().message;
  const auto bytes = read_file(request.output);
  std::remove(request.output.c_str());
  EXPECT_TRUE(bytes);
  const auto file = files::read_safetensors(*bytes);
  EXPECT_TRUE(file) << file.error().message;
  std::vector<std::string> names;
  for (const files::StoredTensor& tensor : file->tensors) names.push_back(tensor.name);
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(CommandLineTrace, AnExampleOfOneAttentionHasPlainNames) {
  TraceRequest request;
  request.example = lesson::ExampleId::pool_beats_badminton;
  request.query = 2;
  const std::vector<std::string> names = written_names(request);
  EXPECT_TRUE(holds(names, "q_heads"));
  EXPECT_TRUE(holds(names, "weighted_values"));
  EXPECT_TRUE(holds(names, "output"));
}

TEST(CommandLineTrace, AnExampleOfThreeAttentionsHasPrefixes) {
  TraceRequest request;
  request.example = lesson::ExampleId::you_are_welcome;
  const std::vector<std::string> names = written_names(request);
  EXPECT_TRUE(holds(names, "encoder_self_attention.q"));
  EXPECT_TRUE(holds(names, "decoder_self_attention.mask"));
  EXPECT_TRUE(holds(names, "cross_attention.output"));
  EXPECT_FALSE(holds(names, "q"));
}

TEST(CommandLineTrace, WhatAnExampleDoesNotOfferIsAnError) {
  TraceRequest request;
  request.example = lesson::ExampleId::you_are_welcome;
  request.json = true;
  request.sentence = "x";
  auto result = run_trace(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "The example you-are-welcome has no sentence to choose.");
  request.sentence.reset();
  request.query = 100;
  result = run_trace(request);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "encoder_self_attention: There is no query 100; allowed are 0 to 2.");
}

TEST(CommandLineTrace, AFileIsNamedInItsErrors) {
  TraceRequest request;
  request.input = testing::TempDir() + "command_line_trace_test.txt";
  request.json = true;
  ASSERT_TRUE(write_file(request.input, std::vector<std::byte>(3)));
  const auto result = run_trace(request);
  std::remove(request.input.c_str());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            path_in_quotes(request.input) +
                ": Not a safetensors file: it has 3 bytes, fewer than the 8 that "
                "give the header's length.");
}

}  // namespace
}  // namespace app
