#include <gtest/gtest.h>

#include "kernels/matmul.hpp"
#include "kernels/matmul_tile.hpp"
#include "numbers.hpp"

namespace kernels {
namespace {

using tensor::Tensor;

MatrixView matrix_of(const Tensor& matrix) {
  return {matrix.data(), matrix.dim(0), matrix.dim(1), matrix.strides()[0], matrix.strides()[1]};
}

const std::size_t panel_columns = matmul_kernel().panel_columns;

TEST(PackedMatrix, HasEveryCellAndZerosBehindTheLastColumn) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, matmul_block_depth + 3}) {
    for (std::size_t columns = 1; columns <= 2 * panel_columns + 1; ++columns) {
      for (const bool turned : {false, true}) {
        const Tensor matrix = turned ? test::counting({columns, rows}).transpose(0, 1)
                                     : test::counting({rows, columns});
        PackedMatrix packed;
        pack(matrix_of(matrix), packed);
        for (std::size_t row = 0; row < rows; ++row) {
          const std::size_t block = row / matmul_block_depth * matmul_block_depth;
          for (std::size_t first = 0; first < columns; first += panel_columns) {
            const float* panel = packed.panel(block, first) + (row - block) * panel_columns;
            for (std::size_t i = 0; i < panel_columns; ++i) {
              const float expected = first + i < columns ? matrix.at({row, first + i}) : 0.0F;
              ASSERT_EQ(panel[i], expected)
                  << rows << " × " << columns << ": " << row << ',' << first + i;
            }
          }
        }
      }
    }
  }
}

TEST(PackedMatrix, OfAWeightIsMadeOnce) {
  const Tensor weight = test::counting({5, 6});
  const PackedMatrix* whole = &packed_transpose(weight);
  EXPECT_EQ(whole->source.rows, 6U);
  EXPECT_EQ(whole->source.columns, 5U);
  EXPECT_EQ(&packed_transpose(weight), whole);
  EXPECT_EQ(&packed_transpose(Tensor(weight)), whole) << "the same numbers";
  EXPECT_EQ(whole->panel(0, 0)[1], 7.0F) << "row 1 of the weight is column 1";

  // Another view of the same numbers is another matrix.
  const PackedMatrix& part = packed_transpose(weight.narrow(0, 1, 2));
  EXPECT_EQ(part.source.columns, 2U);
  EXPECT_EQ(part.panel(0, 0)[0], 7.0F);
  EXPECT_EQ(packed_transpose(weight).source.columns, 5U);
  const Tensor clone = weight.clone();
  EXPECT_EQ(packed_transpose(clone).panel(0, 0)[1], 7.0F);
  EXPECT_NE(clone.prepared(), weight.prepared());
}

// Rows and columns around the panels and blocks; the same bits as the product of floats.
TEST(PackedMatrix, OfWholeNumbersIsMultipliedAsItsFloats) {
  test::Numbers numbers(5);
  for (const std::size_t rows : {1U, 3U, 80U}) {
    for (const std::size_t depth : {std::size_t{1}, std::size_t{40}, 2 * matmul_block_depth + 3}) {
      for (const std::size_t columns :
           {std::size_t{1}, panel_columns, panel_columns + 1, 3 * panel_columns - 1}) {
        std::vector<std::int8_t> whole;
        for (std::size_t i = 0; i < columns * depth; ++i)
          whole.push_back(static_cast<std::int8_t>(static_cast<int>(numbers.below(255)) - 127));
        const Tensor scales = numbers.tensor({columns});
        Tensor weight({columns, depth});
        for (std::size_t n = 0; n < columns; ++n) {
          for (std::size_t k = 0; k < depth; ++k)
            weight.set({n, k}, static_cast<float>(whole[n * depth + k]) * scales.at({n}));
        }
        const Tensor clone = weight.clone();
        keep_rounded(weight, whole, scales);
        EXPECT_TRUE(packed_transpose(weight).panels.empty());
        const Tensor a = numbers.tensor({rows, depth});
        const Tensor bias = numbers.tensor({columns});
        const auto product = [&](const Tensor& of) {
          Tensor made({rows, columns});
          multiply(matrix_of(a), packed_transpose(of), made.mutable_data(), bias.data());
          return made;
        };
        EXPECT_TRUE(product(weight).has_same_bits(product(clone)))
            << rows << " × " << depth << " × " << columns;
      }
    }
  }
}

}  // namespace
}  // namespace kernels
