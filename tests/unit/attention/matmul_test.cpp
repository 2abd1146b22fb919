#include "attention/matmul.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/matmul_tile.hpp"
#include "attention/small_product.hpp"
#include "special_floats.hpp"

namespace attention {
namespace {

using test::Array;
using test::Numbers;

/// The definition, for [..,M,K] and [..,K,N] with the same leading axes.
Array product_of(const Tensor& a, const Tensor& b) {
  Shape shape = a.shape();
  shape[a.rank() - 1] = b.shape().back();
  Array result(shape);
  Index index = Extents::filled(shape.rank(), 0);
  do {
    double sum = 0.0;
    for (std::size_t k = 0; k < a.shape().back(); ++k) {
      Index at_a = index;
      Index at_b = index;
      at_a[a.rank() - 1] = k;
      at_b[a.rank() - 2] = k;
      sum += static_cast<double>(a.at(at_a)) * static_cast<double>(b.at(at_b));
    }
    result[index] = sum;
  } while (next_index(index, shape));
  return result;
}

void expect_product(const Tensor& a, const Tensor& b) {
  const Tensor product = matmul(a, b);
  const double tolerance = 1e-6 * std::sqrt(static_cast<double>(a.shape().back())) + 1e-7;
  test::expect_close(product, product_of(a, b), tolerance,
                     describe(a.shape()) + " · " + describe(b.shape()));
  EXPECT_TRUE(product.is_contiguous());
}

TEST(Matmul, SmallByHand) {
  const Tensor product =
      matmul(Tensor({2, 3}, {1, 2, 3, 4, 5, 6}), Tensor({3, 2}, {1, 2, 3, 4, 5, 6}));
  test::expect_values(product, {22, 28, 49, 64});
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

TEST(Matmul, HeadsOfASplitTensor) {
  Numbers numbers(4);
  const Tensor q_heads = numbers.tensor({2, 5, 12}).reshape({2, 5, 3, 4}).transpose(1, 2);
  const Tensor k_heads = numbers.tensor({2, 7, 12}).reshape({2, 7, 3, 4}).transpose(1, 2);
  expect_product(q_heads, k_heads.transpose(2, 3));
}

TEST(Matmul, RepeatsLeadingAxes) {
  Numbers numbers(5);
  const Tensor a = numbers.tensor({2, 3, 4, 5});
  const Tensor shared = numbers.tensor({5, 6});
  const Tensor product = matmul(a, shared);
  EXPECT_EQ(product.shape(), (Shape{2, 3, 4, 6}));
  EXPECT_EQ(product.values(), matmul(a, shared.expand({2, 3, 5, 6})).values());
  EXPECT_EQ(matmul(numbers.tensor({3, 4, 5}), numbers.tensor({2, 1, 5, 6})).shape(),
            (Shape{2, 3, 4, 6}));
}

TEST(Matmul, EmptyAxes) {
  test::expect_values(matmul(Tensor({2, 0}), Tensor({0, 3})), {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(matmul(Tensor({0, 4}), Tensor({4, 3})).shape(), (Shape{0, 3}));
}

TEST(Matmul, ShapesThatDoNotFit) {
  EXPECT_FALSE(matmul(Tensor({2, 3}), Tensor({2, 3})).defined());
  EXPECT_FALSE(matmul(Tensor({2, 2, 3}), Tensor({3, 3, 2})).defined());
  EXPECT_FALSE(matmul(Tensor({3}), Tensor({3, 2})).defined());
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
  test::expect_values(matmul(Tensor({2, 0}), Tensor({0, 2}), Tensor({2}, {1, 2})), {1, 2, 1, 2});
}

MatrixView view_of(const Tensor& matrix) {
  return {matrix.data(), matrix.dim(0), matrix.dim(1), matrix.strides()[0], matrix.strides()[1]};
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
          multiply(view_of(a), {&packed, product.mutable_data(), columns});
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

TEST(Multiply, SeveralRightFactorsGiveWhatEachGives) {
  Numbers numbers(17);
  for (const std::size_t depth : some_depths) {
    // On both sides of one block of rows.
    for (const std::size_t rows :
         {std::size_t{1}, std::size_t{9}, std::size_t{72}, std::size_t{73}}) {
      constexpr std::size_t columns = 37;
      const Tensor a = numbers.tensor({rows, depth});
      std::array<Tensor, 3> biases;
      std::array<Tensor, 3> results;
      std::array<Product, 3> products;
      std::array<PackedMatrix, 3> factors;
      std::array<Tensor, 3> expected;
      for (std::size_t i = 0; i < 3; ++i) {
        const Tensor b = numbers.tensor({depth, columns});
        pack(view_of(b), factors[i]);
        if (i != 1) biases[i] = numbers.tensor({columns});
        results[i] = Tensor({rows, columns + i});
        products[i] = {&factors[i], results[i].mutable_data(), columns + i,
                       i != 1 ? biases[i].data() : nullptr};
        expected[i] = matmul(a, b, biases[i]);
      }
      multiply(view_of(a), products);
      for (std::size_t i = 0; i < 3; ++i) {
        ASSERT_EQ(results[i].narrow(1, 0, columns).values(), expected[i].values())
            << rows << " × " << depth << ", factor " << i;
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

TEST(Matmul, ASmallFactorIsMultipliedAlikeInEveryBuild) {
  Numbers numbers(8);
  for (const std::size_t depth : {1U, 6U, 16U}) {
    for (const std::size_t columns : {1U, 6U, 16U}) {
      ASSERT_TRUE(is_small(depth, columns));
      expect_to_the_last_bit(numbers.tensor({5, depth}), numbers.tensor({depth, columns}), false);
    }
  }
}

}  // namespace
}  // namespace attention
