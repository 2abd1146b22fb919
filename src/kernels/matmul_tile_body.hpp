// The tiles of the matrix product, written once for vectors of every width. Included by the files
// that define kernels, each of which is compiled for the processors it is for: so that no function
// of one is taken for that of another, everything is in an unnamed namespace, and nothing of the
// standard library is called.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/lanes.hpp"
#include "kernels/matmul_tile.hpp"

namespace kernels {
namespace {

/// `Lane` is what one instruction works on: a vector of floats, or a single one; `multiply_add`
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

  /// `wide`: so many lanes, of one panel or of several that lie one behind the other.
  template <std::size_t rows, std::size_t wide>
  struct Sums {
    Lane of[rows * wide];
  };
  template <std::size_t wide>
  struct Row {
    Lane of[wide];
  };

  /// One step of k: sums[row,lane] += a[row] · b[lane]. Written without a loop: compilers take an
  /// array into registers before they unroll loops, and a tile that goes through memory takes three
  /// times as long.
  template <std::size_t rows, std::size_t wide, std::size_t... place>
  static void add_products(const float* a, const Row<wide>& b, Sums<rows, wide>& sums,
                           std::index_sequence<place...>) {
    ((sums.of[place] =
          multiply_add(broadcast(a[place / wide]), b.of[place % wide], sums.of[place])),
     ...);
  }

  /// Σ_k a[k]·b[k], outer products.
  template <std::size_t rows, std::size_t... lane>
  static Sums<rows, sizeof...(lane)> sum_products(const float* a, const PanelProduct& product,
                                                  std::index_sequence<lane...>) {
    constexpr std::size_t wide = sizeof...(lane);
    const float* b = product.b_panel;
    const std::size_t depth = product.depth;
    Sums<rows, wide> sums{};
#ifdef __clang__
#pragma clang loop unroll(disable)  // browsers run out of registers in an unrolled one
#endif
    for (std::size_t k = 0; k < depth; ++k, a += rows, b += columns) {
      const Row<wide> of_b{
          {load(b + lane / lanes * product.b_stride + lane % lanes * lane_width)...}};
      add_products(a, of_b, sums, std::make_index_sequence<rows * wide>());
    }
    return sums;
  }

  static void put_lane(const PanelProduct& product, Lane sum, std::size_t column, float* result) {
    if (product.add) sum = load(result + column) + sum;
    if (product.bias != nullptr) sum += load(product.bias + column);
    store(sum, result + column);
  }

  /// Puts those numbers of a lane that begins at `column` where they belong that are wanted.
  static void put_part_of_lane(const PanelProduct& product, Lane sum, std::size_t column,
                               float* result) {
    if (column + lane_width <= product.columns) return put_lane(product, sum, column, result);
    if (column >= product.columns) return;
    const std::size_t count = product.columns - column;
    if constexpr (lane_width == 4) {
      float* place = result + column;
      if (product.add) sum = load_some(place, count, 0.0F) + sum;
      if (product.bias != nullptr) sum += load_some(product.bias + column, count, 0.0F);
      store_some(sum, count, place);
    } else {
      float numbers[lane_width];
      store(sum, numbers);
      for (std::size_t i = 0; i < count; ++i) {
        if (product.add) numbers[i] = result[column + i] + numbers[i];
        if (product.bias != nullptr) numbers[i] += product.bias[column + i];
        result[column + i] = numbers[i];
      }
    }
  }

  /// Puts one row of a tile where it belongs where not all its columns are wanted. A function of
  /// its own: it is wanted at the edge only, and for tiles of every height. The lanes come one by
  /// one, in registers: a kernel in a module of its own has no stack.
  template <typename... Sum>
  [[gnu::noinline]] static void put_part_of_row(const PanelProduct& product, float* result,
                                                Sum... sums) {
    std::size_t column = 0;
    ((put_part_of_lane(product, sums, column, result), column += lane_width), ...);
  }

  template <std::size_t rows, std::size_t wide, std::size_t... lane>
  static void put_row(const PanelProduct& product, const Sums<rows, wide>& sums, std::size_t row,
                      float* result, std::index_sequence<lane...>) {
    if (wide > lanes || product.columns == columns) {
      (put_lane(product, sums.of[row * wide + lane], lane * lane_width, result), ...);
    } else if constexpr (wide == lanes) {
      put_part_of_row(product, result, sums.of[row * wide + lane]...);
    }
  }

  /// Without a loop, as add_products.
  template <std::size_t rows, std::size_t wide, std::size_t... row>
  static void put_rows(const PanelProduct& product, const Sums<rows, wide>& sums, float* result,
                       std::index_sequence<row...>) {
    (put_row(product, sums, row, result + row * product.result_stride,
             std::make_index_sequence<wide>()),
     ...);
  }

  /// `a`: a tile of that many rows, which go to the result's from `first` on.
  template <std::size_t rows, std::size_t panels = 1>
  static void multiply_rows(const PanelProduct& product, const float* a, std::size_t first) {
    const auto sums = sum_products<rows>(a, product, std::make_index_sequence<panels * lanes>());
    put_rows(product, sums, product.result + first * product.result_stride,
             std::make_index_sequence<rows>());
  }

  /// Calls multiply_rows for so many rows, from 1 to most_rows.
  template <std::size_t... less>
  static void multiply_some_rows(const PanelProduct& product, std::size_t first, std::size_t rows,
                                 std::index_sequence<less...>) {
    // The rows before it are in tiles, too, each as long as it is high times the depth.
    const float* a = product.a_panels + first * product.depth;
    ((rows == less + 1 ? multiply_rows<less + 1>(product, a, first) : void()), ...);
  }

  /// A function of its own, called per panel: a browser swaps in the optimised code of a function
  /// only between calls.
  static void multiply_panel(const PanelProduct& product) {
    if (product.columns > columns) {
      multiply_rows<1, panels_of_row>(product, product.a_panels, 0);
      return;
    }
    if (product.a_stride > 0) {
      for (std::size_t row = 0; row < product.rows; ++row) {
        multiply_rows<1>(product, product.a_panels + row * product.a_stride, row);
      }
      return;
    }
    for (std::size_t row = 0; row < product.rows;) {
      const std::size_t rows = next_tile_rows(product.rows - row, most_rows);
      multiply_some_rows(product, row, rows, std::make_index_sequence<most_rows>());
      row += rows;
    }
  }

  static constexpr MatmulKernel kernel(std::string_view name, bool fused) {
    return {name, fused, columns, most_rows, &multiply_panel};
  }
};

}  // namespace
}  // namespace kernels
