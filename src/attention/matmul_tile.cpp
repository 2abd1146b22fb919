#include "attention/matmul_tile.hpp"

#include <cstring>

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

/// Σ_k a[k]·b[k], outer products.
template <std::size_t rows>
inline Tile<rows> sum_products(const PanelProduct& product, const float* a) {
  std::array<const float*, rows> row_of_a;
  for (std::size_t row = 0; row < rows; ++row) row_of_a[row] = a + row * product.a_stride;
  const float* b = product.b_panel;
  Tile<rows> sums{};
  for (std::size_t k = 0; k < product.depth; ++k, b += tile_columns) {
    for (std::size_t row = 0; row < rows; ++row) {
      const Lane factor = broadcast(row_of_a[row][k]);
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        sums[row * tile_lanes + lane] += factor * load(b + lane * lane_width);
      }
    }
  }
  return sums;
}

/// Puts one row of a tile where it belongs; `whole` where all its columns are wanted.
inline void put_whole_row(const PanelProduct& product, const Lane* sums, float* result) {
  for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
    const std::size_t column = lane * lane_width;
    Lane sum = sums[lane];
    if (product.add) sum = load(result + column) + sum;
    if (product.bias != nullptr) sum += load(product.bias + column);
    store(sum, result + column);
  }
}

inline void put_part_of_row(const PanelProduct& product, const Lane* sums, float* result) {
  std::array<float, tile_columns> numbers;
  std::memcpy(numbers.data(), sums, sizeof numbers);
  for (std::size_t column = 0; column < product.columns; ++column) {
    float sum = numbers[column];
    if (product.add) sum = result[column] + sum;
    if (product.bias != nullptr) sum += product.bias[column];
    result[column] = sum;
  }
}

template <std::size_t rows>
inline void multiply_rows(const PanelProduct& product, std::size_t first) {
  const Tile<rows> sums = sum_products<rows>(product, product.a + first * product.a_stride);
  float* result = product.result + first * product.result_stride;
  for (std::size_t row = 0; row < rows; ++row, result += product.result_stride) {
    const Lane* of_row = sums.data() + row * tile_lanes;
    if (product.columns == tile_columns) {
      put_whole_row(product, of_row, result);
    } else {
      put_part_of_row(product, of_row, result);
    }
  }
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
