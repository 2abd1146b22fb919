// What one thread of this machine and browser can do at most in strict SIMD: a tile of the result
// in registers, fed from panels that never leave the first-level cache. Written apart from the
// engine's own kernel, so that the measure stays the same while the engine changes.
#include <array>
#include <cstddef>

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

using Lane = float __attribute__((vector_size(16)));

constexpr std::size_t rows = 4;
constexpr std::size_t lanes = 2;
constexpr std::size_t columns = 4 * lanes;
constexpr std::size_t depth = 256;  // 4 kB and 8 kB of panels

struct Panels {
  alignas(16) std::array<float, depth * rows> a;
  alignas(16) std::array<float, depth * columns> b;
  alignas(16) std::array<float, rows * columns> sums;
};

Panels& panels() {
  static Panels made = [] {
    Panels filled{};
    filled.a.fill(0.5F);
    filled.b.fill(0.25F);
    return filled;
  }();
  return made;
}

Lane load(const float* cells) { return *reinterpret_cast<const Lane*>(cells); }
Lane repeat(float cell) { return Lane{cell, cell, cell, cell}; }

/// One tile, its sums in eight registers that have names: an array of them went through memory
/// under Emscripten 3.1.6 and halved the speed, and a loop that was unrolled lost a third. A
/// function of its own: a browser puts optimised code in place between calls.
__attribute__((noinline)) void multiply(const float* a, const float* b, float* sums) {
  Lane s00{}, s01{}, s10{}, s11{}, s20{}, s21{}, s30{}, s31{};
#pragma clang loop unroll(disable)
  for (std::size_t k = 0; k < depth; ++k) {
    const Lane left = load(b);
    const Lane right = load(b + 4);
    Lane factor = repeat(a[0]);
    s00 += factor * left;
    s01 += factor * right;
    factor = repeat(a[1]);
    s10 += factor * left;
    s11 += factor * right;
    factor = repeat(a[2]);
    s20 += factor * left;
    s21 += factor * right;
    factor = repeat(a[3]);
    s30 += factor * left;
    s31 += factor * right;
    a += rows;
    b += columns;
  }
  const std::array<Lane, rows * lanes> tile{s00, s01, s10, s11, s20, s21, s30, s31};
  for (std::size_t i = 0; i < tile.size(); ++i) *reinterpret_cast<Lane*>(sums + 4 * i) = tile[i];
}

}  // namespace

/// Multiplies and adds of one call of ceiling_run, counted apart, for each of its tiles.
EXPORTED(ceiling_operations)
double ceiling_operations() { return 2.0 * static_cast<double>(rows * columns * depth); }

/// Runs the tile `calls` times; gives one of its sums.
EXPORTED(ceiling_run)
float ceiling_run(std::size_t calls) {
  Panels& made = panels();
  for (std::size_t i = 0; i < calls; ++i) {
    multiply(made.a.data(), made.b.data(), made.sums.data());
  }
  return made.sums.back();
}
