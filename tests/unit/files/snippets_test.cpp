#include "files/snippets.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <gtest/gtest.h>

#include "special_floats.hpp"

namespace files {
namespace {

using tensor::Tensor;

TEST(FloatText, IsTheShortestThatReadsBack) {
  EXPECT_EQ(float_text(0.1F), "0.1");
  EXPECT_EQ(float_text(0.0F), "0");
  EXPECT_EQ(float_text(-2.5F), "-2.5");
  EXPECT_EQ(float_text(1.0F / 3.0F), "0.33333334");
  EXPECT_EQ(float_text(16777216.0F), "16777216");
  EXPECT_EQ(float_text(1e-20F), "1e-20");
  EXPECT_EQ(float_text(infinity), "inf");
  EXPECT_EQ(float_text(-infinity), "-inf");
  EXPECT_EQ(float_text(std::nanf("")), "nan");
}

TEST(FloatText, ReadsBackByEitherWay) {
  // A simple sequence of bits over the whole range of floats.
  std::uint32_t bits = 1;
  int tried = 0;
  for (int i = 0; i < 200'000; ++i) {
    bits = bits * 1664525U + 1013904223U;
    float value = 0.0F;
    std::memcpy(&value, &bits, sizeof value);
    if (!std::isfinite(value)) continue;
    ++tried;
    const std::string text = float_text(value);
    ASSERT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
    ASSERT_EQ(static_cast<float>(std::strtod(text.c_str(), nullptr)), value) << text;
  }
  EXPECT_GT(tried, 150'000);
}

TEST(Identifier, IsOneThatPythonTakes) {
  EXPECT_EQ(identifier("cross_attention.q"), "cross_attention_q");
  EXPECT_EQ(identifier("scores"), "scores");
  EXPECT_EQ(identifier("2nd head"), "_2nd_head");
  EXPECT_EQ(identifier(""), "_");
}

TEST(Snippets, NumpyIsCodeThatRuns) {
  const Tensor matrix({2, 3}, {0.5F, -1.0F, 0.1F, -infinity, 2.0F, 1e-8F});
  EXPECT_EQ(to_numpy("masked_scores", "masked_scores[0, 1]", matrix),
            "import numpy as np\n"
            "\n"
            "# masked_scores[0, 1]\n"
            "masked_scores = np.array([\n"
            "    [0.5, -1, 0.1],\n"
            "    [-np.inf, 2, 1e-08],\n"
            "], dtype=np.float32)\n");
}

TEST(Snippets, PyTorchIsCodeThatRuns) {
  const Tensor matrix({1, 2}, {0.25F, -infinity});
  EXPECT_EQ(to_pytorch("mask", "", matrix),
            "import torch\n"
            "\n"
            "mask = torch.tensor([\n"
            "    [0.25, float(\"-inf\")],\n"
            "], dtype=torch.float32)\n");
}

TEST(Snippets, KeepAnyShape) {
  const Tensor cube({2, 1, 2}, {1, 2, 3, 4});
  EXPECT_EQ(to_numpy("q", "", cube),
            "import numpy as np\n\n"
            "q = np.array([\n"
            "    [\n"
            "        [1, 2],\n"
            "    ],\n"
            "    [\n"
            "        [3, 4],\n"
            "    ],\n"
            "], dtype=np.float32)\n");
  EXPECT_NE(to_numpy("b", "", Tensor({3}, {1, 2, 3})).find("b = np.array([1, 2, 3], dtype"),
            std::string::npos);
}

TEST(Snippets, WriteAViewInItsOwnOrder) {
  const Tensor matrix = Tensor({2, 2}, {1, 2, 3, 4}).transpose(0, 1);
  EXPECT_NE(to_pytorch("t", "", matrix).find("[1, 3],\n    [2, 4],\n"), std::string::npos);
}

}  // namespace
}  // namespace files
