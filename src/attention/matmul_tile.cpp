#include "attention/matmul_tile.hpp"

#include <cstring>
#include <utility>

namespace attention {
namespace {

inline Lane broadcast(float value) {
#if defined(__wasm__) && !defined(__wasm_simd128__)
  return value;
#else
  return all_four(value);
#endif
}

inline Lane load(const float* values) {
  Lane lane;
  std::memcpy(&lane, values, sizeof lane);
  return lane;
}

inline void store(Lane lane, float* values) { std::memcpy(values, &lane, sizeof lane); }

template <std::size_t rows>
using Tile = std::array<Lane, rows * tile_lanes>;

/// One step of k: sums[row,lane] += a[row] · b[lane]. Written without a loop: compilers take
/// an array into registers before they unroll loops, and a tile that goes through memory takes
/// three times as long.
template <std::size_t rows, std::size_t... places>
inline void add_products(const std::array<const float*, rows>& of_a,
                         const std::array<Lane, tile_lanes>& of_b, Tile<rows>& sums,
                         std::index_sequence<places...>) {
  ((sums[places] += broadcast(*of_a[places / tile_lanes]) * of_b[places % tile_lanes]), ...);
}

template <std::size_t rows, std::size_t... row, std::size_t... lane>
inline Tile<rows> sum_products(const PanelProduct& product, const float* a,
                               std::index_sequence<row...> /*rows*/,
                               std::index_sequence<lane...> /*lanes*/) {
  std::array<const float*, rows> of_a{(a + row * product.a_stride)...};
  const float* b = product.b_panel;
  const std::size_t depth = product.depth;
  Tile<rows> sums{};
#ifdef __clang__
#pragma clang loop unroll(disable)  // browsers run out of registers in an unrolled one
#endif
  for (std::size_t k = 0; k < depth; ++k, b += tile_columns) {
    const std::array<Lane, tile_lanes> of_b{load(b + lane * lane_width)...};
    add_products<rows>(of_a, of_b, sums, std::make_index_sequence<rows * tile_lanes>());
    (++of_a[row], ...);
  }
  return sums;
}

/// Σ_k a[k]·b[k], outer products.
template <std::size_t rows>
inline Tile<rows> sum_products(const PanelProduct& product, const float* a) {
  return sum_products<rows>(product, a, std::make_index_sequence<rows>(),
                            std::make_index_sequence<tile_lanes>());
}

inline void put_lane(const PanelProduct& product, Lane sum, std::size_t lane, float* result) {
  const std::size_t column = lane * lane_width;
  if (product.add) sum = load(result + column) + sum;
  if (product.bias != nullptr) sum += load(product.bias + column);
  store(sum, result + column);
}

/// Puts one row of a tile where it belongs where not all its columns are wanted.
void put_part_of_row(const PanelProduct& product, const std::array<Lane, tile_lanes>& sums,
                     float* result) {
  // The whole lanes first, then the numbers of the last one.
  const std::size_t lanes = product.columns / lane_width;
  for (std::size_t lane = 0; lane < lanes; ++lane) put_lane(product, sums[lane], lane, result);
  std::array<float, lane_width> numbers;
  std::memcpy(numbers.data(), &sums[lanes], sizeof numbers);
  for (std::size_t column = lanes * lane_width; column < product.columns; ++column) {
    float sum = numbers[column % lane_width];
    if (product.add) sum = result[column] + sum;
    if (product.bias != nullptr) sum += product.bias[column];
    result[column] = sum;
  }
}

template <std::size_t rows, std::size_t... lane>
inline void put_row(const PanelProduct& product, const Tile<rows>& sums, std::size_t row,
                    float* result, std::index_sequence<lane...>) {
  if (product.columns == tile_columns) {
    (put_lane(product, sums[row * tile_lanes + lane], lane, result), ...);
  } else {
    put_part_of_row(product, {sums[row * tile_lanes + lane]...}, result);
  }
}

/// Without a loop, as add_products.
template <std::size_t rows, std::size_t... row>
inline void put_rows(const PanelProduct& product, const Tile<rows>& sums, float* result,
                     std::index_sequence<row...>) {
  (put_row<rows>(product, sums, row, result + row * product.result_stride,
                 std::make_index_sequence<tile_lanes>()),
   ...);
}

template <std::size_t rows>
inline void multiply_rows(const PanelProduct& product, std::size_t first) {
  const Tile<rows> sums = sum_products<rows>(product, product.a + first * product.a_stride);
  put_rows<rows>(product, sums, product.result + first * product.result_stride,
                 std::make_index_sequence<rows>());
}

/// How many rows to take when fewer than ten are left: 9 as 3 + 3 + 3 and 6 as 3 + 3, since a tile
/// of one or two rows waits for its own additions.
constexpr std::array<std::size_t, 10> rows_to_take = {0, 1, 2, 3, 4, 3, 3, 4, 4, 3};

}  // namespace

void multiply_panel(const PanelProduct& product) {
  for (std::size_t row = 0; row < product.rows;) {
    const std::size_t left = product.rows - row;
    const std::size_t rows = left < rows_to_take.size() ? rows_to_take[left] : tile_rows;
    switch (rows) {
      case 1:
        multiply_rows<1>(product, row);
        break;
      case 2:
        multiply_rows<2>(product, row);
        break;
      case 3:
        multiply_rows<3>(product, row);
        break;
      default:
        multiply_rows<tile_rows>(product, row);
    }
    row += rows;
  }
}

}  // namespace attention
