#include "kernels/matmul.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/matmul_tile.hpp"
#include "numbers.hpp"
#include "special_floats.hpp"

namespace kernels {
namespace {

using test::Array;
using test::Numbers;

using tensor::Shape;
using tensor::Tensor;

MatrixView view_of(const Tensor& matrix) {
  return {matrix.data(), matrix.dim(0), matrix.dim(1), matrix.strides()[0], matrix.strides()[1]};
}

/// a [M,K] · b [K,N] (+ bias [N]).
Tensor matmul(const Tensor& a, const Tensor& b, const Tensor& bias = {}) {
  PackedMatrix packed;
  pack(view_of(b), packed);
  Tensor product = Tensor::uninitialized({a.dim(0), b.dim(1)});
  multiply(view_of(a), packed, product.mutable_data(), bias.defined() ? bias.data() : nullptr);
  return product;
}

/// The definition.
Array product_of(const Tensor& a, const Tensor& b) {
  Array result(Shape{a.dim(0), b.dim(1)});
  for (std::size_t row = 0; row < a.dim(0); ++row) {
    for (std::size_t column = 0; column < b.dim(1); ++column) {
      double& sum = result[{row, column}];
      for (std::size_t k = 0; k < a.dim(1); ++k)
        sum += static_cast<double>(a.at({row, k})) * static_cast<double>(b.at({k, column}));
    }
  }
  return result;
}

void expect_product(const Tensor& a, const Tensor& b) {
  const double tolerance = 1e-6 * std::sqrt(static_cast<double>(a.dim(1))) + 1e-7;
  test::expect_close(matmul(a, b), product_of(a, b), tolerance,
                     describe(a.shape()) + " · " + describe(b.shape()));
}

TEST(Matmul, SmallByHand) {
  const Tensor product =
      matmul(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  test::expect_values(product, {22, 28, 49, 64});
}

// As in the gradient of a weight: to the last bit what a copy with rows side by side gives.
TEST(Matmul, ALeftFactorWithAnyStrides) {
  Numbers numbers(9);
  for (const std::size_t m : {1U, 5U, 70U}) {
    for (const std::size_t k : {1U, 17U, 300U}) {
      const Tensor b = numbers.tensor({k, 19});
      const Tensor turned = numbers.tensor({k, m}).transpose(0, 1);
      const Tensor apart = numbers.tensor({m, k, 2}).select(2, 1);
      const Tensor repeated = numbers.tensor({1, k}).expand({m, k});
      for (const Tensor& a : {turned, apart, repeated}) {
        expect_product(a, b);
        EXPECT_TRUE(matmul(a, b).has_same_bits(matmul(a.clone(), b)));
      }
    }
  }
}

TEST(Matmul, EverySizeAroundTheTile) {
  Numbers numbers(1);
  for (std::size_t m = 1; m <= 9; ++m) {
    for (const std::size_t k : {1U, 2U, 3U, 4U, 5U, 16U, 17U, 18U, 19U}) {
      for (std::size_t n = 1; n <= 18; ++n) {
        expect_product(numbers.tensor({m, k}), numbers.tensor({k, n}));
      }
    }
  }
}

TEST(Matmul, SizesAroundTheBlocks) {
  Numbers numbers(2);
  for (const std::size_t m : {63U, 64U, 65U})
    expect_product(numbers.tensor({m, 7}), numbers.tensor({7, 5}));
  for (const std::size_t k : {255U, 256U, 257U, 600U}) {
    expect_product(numbers.tensor({5, k}), numbers.tensor({k, 9}));
  }
  for (const std::size_t n : {511U, 512U, 513U, 520U}) {
    expect_product(numbers.tensor({3, 4}), numbers.tensor({4, n}));
  }
  expect_product(numbers.tensor({70, 300}), numbers.tensor({300, 530}));
}

TEST(Matmul, AnyStrides) {
  Numbers numbers(3);
  const Tensor a = numbers.tensor({11, 14});
  const Tensor b = numbers.tensor({13, 14});
  expect_product(a, b.transpose(0, 1));
  expect_product(a.transpose(0, 1), numbers.tensor({11, 3}));
  expect_product(a.narrow(1, 3, 5), b.narrow(0, 2, 5));
  expect_product(numbers.tensor({1, 6}).expand({4, 6}), numbers.tensor({6, 1}).expand({6, 9}));
}

TEST(Matmul, InfinityAndNanStayInTheirRowAndColumn) {
  // Sizes off the tile: what pads a panel must not meet the ∞.
  for (const std::size_t last : {std::size_t{8}, std::size_t{24}}) {
    Tensor a = Tensor::full({5, 3}, 1.0F);
    Tensor b = Tensor::full({3, last + 1}, 1.0F);
    a.set({4, 1}, infinity);
    b.set({1, last}, 0.0F);
    const Tensor product = matmul(a, b);
    for (std::size_t row = 0; row < 5; ++row) {
      for (std::size_t column = 0; column <= last; ++column) {
        const float cell = product.at({row, column});
        if (row == 4 && column == last) {
          EXPECT_TRUE(std::isnan(cell)) << "infinity times 0";
        } else if (row == 4) {
          EXPECT_EQ(cell, infinity);
        } else {
          EXPECT_EQ(cell, column == last ? 2.0F : 3.0F);
        }
      }
    }
  }
}

TEST(Matmul, TheBiasComesLast) {
  Numbers numbers(7);
  for (const std::size_t depth : {std::size_t{3}, matmul_block_depth + 1}) {
    const Tensor a = numbers.tensor({5, depth});
    const Tensor b = numbers.tensor({depth, 11});
    const Tensor bias = numbers.tensor({11});
    const Tensor with = matmul(a, b, bias);
    const Tensor without = matmul(a, b);
    for (std::size_t row = 0; row < 5; ++row) {
      for (std::size_t column = 0; column < 11; ++column) {
        EXPECT_EQ(with.at({row, column}), without.at({row, column}) + bias.at({column}));
      }
    }
  }
}

constexpr std::array<std::size_t, 5> some_depths{3, 20, 100, matmul_block_depth + 30,
                                                 2 * matmul_block_depth + 5};

TEST(Multiply, LeavesOutTheLastRowsOfTheRightFactor) {
  Numbers numbers(11);
  for (const std::size_t depth : some_depths) {
    for (const std::size_t columns : {std::size_t{5}, std::size_t{33}, std::size_t{140}}) {
      const Tensor b = numbers.tensor({depth, columns});
      PackedMatrix packed;
      pack(view_of(b), packed);
      for (const std::size_t rows : {std::size_t{1}, std::size_t{5}}) {
        for (const std::size_t used : {std::size_t{1}, depth / 2, depth - 1, depth}) {
          const Tensor a = numbers.tensor({rows, used});
          Tensor product = Tensor::uninitialized({rows, columns});
          multiply(view_of(a), packed, product.mutable_data());
          for (std::size_t row = 0; row < rows; ++row) {
            for (std::size_t column = 0; column < columns; ++column) {
              double sum = 0.0;
              for (std::size_t k = 0; k < used; ++k) {
                sum += static_cast<double>(a.at({row, k})) * static_cast<double>(b.at({k, column}));
              }
              ASSERT_NEAR(product.at({row, column}), sum, 1e-3)
                  << rows << " × " << used << " of " << depth << " × " << columns << ": " << row
                  << ',' << column;
            }
          }
        }
      }
    }
  }
}

TEST(Multiply, ASingleRowGivesWhatItGivesAmongOthers) {
  Numbers numbers(13);
  for (const std::size_t depth : some_depths) {
    for (const std::size_t columns : {std::size_t{7}, std::size_t{64}, std::size_t{301}}) {
      const Tensor a = numbers.tensor({5, depth});
      const Tensor b = numbers.tensor({depth, columns});
      const Tensor bias = numbers.tensor({columns});
      const Tensor all = matmul(a, b, bias);
      for (std::size_t row = 0; row < 5; ++row) {
        ASSERT_EQ(matmul(a.narrow(0, row, 1), b, bias).values(), all.narrow(0, row, 1).values())
            << depth << " × " << columns;
      }
    }
  }
}

/// a · b in blocks of matmul_block_depth terms in ascending order, then the block sums in order.
void expect_to_the_last_bit(const Tensor& a, const Tensor& b, bool fused) {
  const std::size_t depth = a.dim(1);
  const Tensor product = matmul(a, b);
  for (std::size_t row = 0; row < a.dim(0); ++row) {
    for (std::size_t column = 0; column < b.dim(1); ++column) {
      float sum = 0.0F;
      for (std::size_t first = 0; first < depth; first += matmul_block_depth) {
        float block = 0.0F;
        for (std::size_t k = first; k < std::min(first + matmul_block_depth, depth); ++k) {
          const float factor = a.at({row, k});
          const float term = factor * b.at({k, column});
          block = fused ? std::fma(factor, b.at({k, column}), block) : block + term;
        }
        sum += block;
      }
      EXPECT_EQ(product.at({row, column}), sum);
    }
  }
}

TEST(Matmul, SumsAsDocumentedToTheLastBit) {
  Numbers numbers(6);
  const bool fused = matmul_kernel().fused;
  const std::size_t depth = 2 * matmul_block_depth + 5;
  expect_to_the_last_bit(numbers.tensor({3, depth}), numbers.tensor({depth, 3}), fused);
  expect_to_the_last_bit(numbers.tensor({5, 16}), numbers.tensor({16, 17}), fused);
  expect_to_the_last_bit(numbers.tensor({5, 17}), numbers.tensor({17, 16}), fused);
}

}  // namespace
}  // namespace kernels
