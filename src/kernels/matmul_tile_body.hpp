// The tiles of the matrix product, for vectors of any width. Each file that includes this one is
// compiled for other processors. Everything is in an unnamed namespace, and nothing of the standard
// library is called, so that the linker cannot take a function of one file for that of another.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

/// Four floats, in builds without SIMD too, so that sums are made in the same order and have the
/// same bits.
using f32x4 = float __attribute__((vector_size(16)));

/// `Lane` is the vector of floats that one instruction works on; `multiply_add` returns sum + a ·
/// b. A tile is up to `most_rows` rows by `lanes` lanes of accumulators. `lane_of` reads a lane of
/// whole numbers; null where restore_panel is not used.
template <typename Lane, Lane (*multiply_add)(Lane a, Lane b, Lane sum), std::size_t lanes,
          std::size_t most_rows, Lane (*lane_of)(const std::int8_t* whole) = nullptr>
struct Tiles {
  static constexpr std::size_t lane_width = sizeof(Lane) / sizeof(float);
  static constexpr std::size_t columns = lanes * lane_width;

  static Lane load(const float* values) {
    Lane lane;
    __builtin_memcpy(&lane, values, sizeof lane);
    return lane;
  }
  static void store(Lane lane, float* values) { __builtin_memcpy(values, &lane, sizeof lane); }
  /// `value` in every place, written as value − 0, because 0 + value would turn −0 into 0.
  static Lane broadcast(float value) { return value - Lane{}; }

  template <std::size_t rows>
  struct Sums {
    Lane of[rows * lanes];
  };
  struct Row {
    Lane of[lanes];
  };

  /// One step of k: sums[row,lane] += a[row] · b[lane]. A fold and not a loop, so that compilers
  /// keep the sums in registers; through memory a tile takes three times as long.
  template <std::size_t rows, std::size_t... place>
  static void add_products(const float* a, const Row& b, Sums<rows>& sums,
                           std::index_sequence<place...>) {
    ((sums.of[place] = multiply_add(broadcast(a[place / lanes * matmul_block_depth]),
                                    b.of[place % lanes], sums.of[place])),
     ...);
  }

  /// Σ_k of the outer products of column k of a and row k of b.
  template <std::size_t rows, std::size_t... lane>
  static Sums<rows> sum_products(const float* a, const PanelProduct& product,
                                 std::index_sequence<lane...>) {
    const float* b = product.b_panel;
    const std::size_t depth = product.depth;
    Sums<rows> sums{};
#ifdef __clang__
#pragma clang loop unroll(disable)  // unrolled, it needs more registers than browsers use
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

  /// Writes the numbers of a lane that begins at `column`, without the padding.
  template <std::size_t... place>
  static void put_part_of_lane(const PanelProduct& product, Lane sum, std::size_t column,
                               float* result, std::index_sequence<place...>) {
    ((column + place < product.columns ? put_number(product, sum[place], column + place, result)
                                       : void()),
     ...);
  }

  /// Writes one row of a tile of the last panel, without the padding. Not inlined, because it is
  /// used at the edge only, by tiles of every height. Takes the lanes as separate arguments, which
  /// stay in registers: the relaxed kernel's module has no stack.
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

  /// Computes the tile of sizeof...(row) rows from the row `first` on. No loop: see add_products.
  template <std::size_t... row>
  static void multiply_tile(const PanelProduct& product, std::size_t first,
                            std::index_sequence<row...>) {
    constexpr auto each_lane = std::make_index_sequence<lanes>();
    const Sums<sizeof...(row)> sums =
        sum_products<sizeof...(row)>(product.a + first * matmul_block_depth, product, each_lane);
    (put_row(product, sums, row, product.result + (first + row) * product.result_stride, each_lane),
     ...);
  }

  /// Calls multiply_tile for `rows` rows, 1 to most_rows, as a compile-time number.
  template <std::size_t... less>
  static void multiply_rows(const PanelProduct& product, std::size_t first, std::size_t rows,
                            std::index_sequence<less...>) {
    ((rows == less + 1 ? multiply_tile(product, first, std::make_index_sequence<less + 1>())
                       : void()),
     ...);
  }

  /// Uses as few tiles as possible, of nearly equal height: 9 rows by fours are 3 + 3 + 3, because
  /// a tile of one or two rows waits for its own additions. Called once per panel, because browsers
  /// replace a function by its optimised code only between calls.
  static void multiply_panel(const PanelProduct& product) {
    std::size_t row = 0;
    for (std::size_t tiles = (product.rows + most_rows - 1) / most_rows; tiles > 0; --tiles) {
      const std::size_t rows = (product.rows - row + tiles - 1) / tiles;
      multiply_rows(product, row, rows, std::make_index_sequence<most_rows>());
      row += rows;
    }
  }

  template <std::size_t... lane>
  static void restore_lanes(const std::int8_t* whole, const float* scales, std::size_t depth,
                            float* panel, std::index_sequence<lane...>) {
    const Row scale{{load(scales + lane * lane_width)...}};
    for (std::size_t k = 0; k < depth; ++k, whole += columns, panel += columns) {
      (store(lane_of(whole + lane * lane_width) * scale.of[lane], panel + lane * lane_width), ...);
    }
  }

  static void restore_panel(const std::int8_t* whole, const float* scales, std::size_t depth,
                            float* panel) {
    restore_lanes(whole, scales, depth, panel, std::make_index_sequence<lanes>());
  }

  static constexpr MatmulKernel kernel(std::string_view name, bool fused) {
    return {name, fused, columns, most_rows, &multiply_panel, &restore_panel};
  }
};

}  // namespace
}  // namespace kernels
