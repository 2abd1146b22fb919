#include "ops/uses.hpp"

namespace ops {
namespace {

Use biases(const Tensor& table, Distances distances, std::size_t queries, std::size_t keys,
           std::size_t farthest = 128) {
  Constants constants;
  constants.distances = distances;
  constants.farthest = farthest;
  Use use = use_of({H, Lq, Lk}, {{table, {N, H}}}, constants);
  use.shape = {table.dim(1), queries, keys};
  return use;
}

/// A table whose rows hold their own numbers.
Tensor numbered(std::size_t rows) {
  Tensor table({rows, 1});
  for (std::size_t row = 0; row < rows; ++row) table.set({row, 0}, static_cast<float>(row));
  return table;
}

// T5's 32 buckets as its own code numbers them: 8 single distances each way, then by logarithm.
TEST(RelativeBias, BucketsOfT5) {
  const Tensor both = relative_bias.forward(biases(numbered(32), Distances::t5, 200, 200));
  const auto behind = [&](std::size_t distance) { return both.at({0, distance, 0}); };
  const auto ahead = [&](std::size_t distance) { return both.at({0, 0, distance}); };
  for (std::size_t near = 0; near < 8; ++near) EXPECT_EQ(behind(near), static_cast<float>(near));
  EXPECT_EQ(behind(8), 8.0F);
  EXPECT_EQ(behind(11), 8.0F);
  EXPECT_EQ(behind(12), 9.0F);
  EXPECT_EQ(behind(16), 10.0F);
  EXPECT_EQ(behind(64), 14.0F);
  EXPECT_EQ(behind(127), 15.0F);
  EXPECT_EQ(behind(199), 15.0F);
  EXPECT_EQ(ahead(1), 17.0F);
  EXPECT_EQ(ahead(199), 31.0F);
  const Tensor back =
      relative_bias.forward(biases(numbered(32), Distances::t5_look_back, 200, 200));
  EXPECT_EQ(back.at({0, 0, 5}), 0.0F) << "keys after the query are like the query itself";
  EXPECT_EQ(back.at({0, 15, 0}), 15.0F);
  EXPECT_EQ(back.at({0, 199, 0}), 31.0F);
}

TEST(RelativeBias, WindowsCountRowsAndColumns) {
  const Tensor bias = relative_bias.forward(biases(numbered(9), Distances::shifted_windows, 4, 4));
  EXPECT_EQ(bias.at({0, 0, 0}), 4.0F);
  EXPECT_EQ(bias.at({0, 0, 1}), 3.0F);  // one to the right
  EXPECT_EQ(bias.at({0, 0, 2}), 1.0F);  // one down
  EXPECT_EQ(bias.at({0, 3, 0}), 8.0F);
}

}  // namespace
}  // namespace ops
