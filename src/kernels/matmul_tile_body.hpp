// The tiles of the matrix product, written once for vectors of every width. Included by the files
// that define kernels, each of which is compiled for the processors it is for: so that no function
// of one is taken for that of another, everything is in an unnamed namespace, and nothing of the
// standard library is called.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

/// Four floats, in every build: what is summed in four parts is summed in the same four parts
/// whether the machine has SIMD or not, and gives the same numbers.
using f32x4 = float __attribute__((vector_size(16)));

/// `Lane` is what one instruction works on, a vector of floats; `multiply_add`
/// gives sum + a · b. A tile is up to `most_rows` rows by `lanes` lanes of accumulators.
template <typename Lane, Lane (*multiply_add)(Lane a, Lane b, Lane sum), std::size_t lanes,
          std::size_t most_rows>
struct Tiles {
  static constexpr std::size_t lane_width = sizeof(Lane) / sizeof(float);
  static constexpr std::size_t columns = lanes * lane_width;

  static Lane load(const float* values) {
    Lane lane;
    __builtin_memcpy(&lane, values, sizeof lane);
    return lane;
  }
  static void store(Lane lane, float* values) { __builtin_memcpy(values, &lane, sizeof lane); }
  /// value − 0 in every place: unlike 0 + value it keeps −0.
  static Lane broadcast(float value) { return value - Lane{}; }

  template <std::size_t rows>
  struct Sums {
    Lane of[rows * lanes];
  };
  struct Row {
    Lane of[lanes];
  };

  /// One step of k: sums[row,lane] += a[row] · b[lane]. Written without a loop: compilers take an
  /// array into registers before they unroll loops, and a tile that goes through memory takes three
  /// times as long.
  template <std::size_t rows, std::size_t... place>
  static void add_products(const float* a, const Row& b, Sums<rows>& sums,
                           std::index_sequence<place...>) {
    ((sums.of[place] = multiply_add(broadcast(a[place / lanes * matmul_block_depth]),
                                    b.of[place % lanes], sums.of[place])),
     ...);
  }

  /// Σ_k a[k]·b[k], outer products.
  template <std::size_t rows, std::size_t... lane>
  static Sums<rows> sum_products(const float* a, const PanelProduct& product,
                                 std::index_sequence<lane...>) {
    const float* b = product.b_panel;
    const std::size_t depth = product.depth;
    Sums<rows> sums{};
#ifdef __clang__
#pragma clang loop unroll(disable)  // browsers run out of registers in an unrolled one
#endif
    for (std::size_t k = 0; k < depth; ++k, ++a, b += columns) {
      add_products(a, Row{{load(b + lane * lane_width)...}}, sums,
                   std::make_index_sequence<rows * lanes>());
    }
    return sums;
  }

  static void put_lane(const PanelProduct& product, Lane sum, std::size_t column, float* result) {
    if (product.add) sum = load(result + column) + sum;
    if (product.bias != nullptr) sum += load(product.bias + column);
    store(sum, result + column);
  }

  static void put_number(const PanelProduct& product, float sum, std::size_t column,
                         float* result) {
    if (product.add) sum = result[column] + sum;
    if (product.bias != nullptr) sum += product.bias[column];
    result[column] = sum;
  }

  /// Puts those numbers of a lane that begins at `column` where they belong that are wanted.
  template <std::size_t... place>
  static void put_part_of_lane(const PanelProduct& product, Lane sum, std::size_t column,
                               float* result, std::index_sequence<place...>) {
    ((column + place < product.columns ? put_number(product, sum[place], column + place, result)
                                       : void()),
     ...);
  }

  /// Puts one row of a tile where it belongs where not all its columns are wanted. A function of
  /// its own: it is wanted at the edge only, and for tiles of every height. The lanes come one by
  /// one, in registers: a kernel in a module of its own has no stack.
  template <typename... Sum>
  [[gnu::noinline]] static void put_part_of_row(const PanelProduct& product, float* result,
                                                Sum... sums) {
    std::size_t column = 0;
    ((put_part_of_lane(product, sums, column, result, std::make_index_sequence<lane_width>()),
      column += lane_width),
     ...);
  }

  template <std::size_t rows, std::size_t... lane>
  static void put_row(const PanelProduct& product, const Sums<rows>& sums, std::size_t row,
                      float* result, std::index_sequence<lane...>) {
    if (product.columns == columns) {
      (put_lane(product, sums.of[row * lanes + lane], lane * lane_width, result), ...);
    } else {
      put_part_of_row(product, result, sums.of[row * lanes + lane]...);
    }
  }

  /// A tile of so many rows, from the row `first` on. Without a loop, as add_products.
  template <std::size_t... row>
  static void multiply_tile(const PanelProduct& product, std::size_t first,
                            std::index_sequence<row...>) {
    constexpr auto each_lane = std::make_index_sequence<lanes>();
    const Sums<sizeof...(row)> sums =
        sum_products<sizeof...(row)>(product.a + first * matmul_block_depth, product, each_lane);
    (put_row(product, sums, row, product.result + (first + row) * product.result_stride, each_lane),
     ...);
  }

  /// Calls multiply_tile for so many rows, from 1 to most_rows.
  template <std::size_t... less>
  static void multiply_rows(const PanelProduct& product, std::size_t first, std::size_t rows,
                            std::index_sequence<less...>) {
    ((rows == less + 1 ? multiply_tile(product, first, std::make_index_sequence<less + 1>())
                       : void()),
     ...);
  }

  /// As few tiles as there can be, of much the same height: 9 rows by fours are 3 + 3 + 3, since a
  /// tile of one or two rows waits for its own additions. A function of its own, called per panel:
  /// a browser swaps in the optimised code of a function only between calls.
  static void multiply_panel(const PanelProduct& product) {
    std::size_t row = 0;
    for (std::size_t tiles = (product.rows + most_rows - 1) / most_rows; tiles > 0; --tiles) {
      const std::size_t rows = (product.rows - row + tiles - 1) / tiles;
      multiply_rows(product, row, rows, std::make_index_sequence<most_rows>());
      row += rows;
    }
  }

  static constexpr MatmulKernel kernel(std::string_view name, bool fused) {
    return {name, fused, columns, most_rows, &multiply_panel};
  }
};

}  // namespace
}  // namespace kernels
