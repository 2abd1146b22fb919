// Heat maps of attention weights beside a loss curve: a square for each head.
#pragma once

#include "draw/panels/panels.hpp"
#include "tensor/tensor.hpp"

namespace draw {

/// Draws the weights [B,H,L,L] of one head, for the first sample, in a square.
void draw_heat_map(ImDrawList* list, const Theme& theme, const tensor::Tensor& weights,
                   std::size_t head, stage::Point corner, float size);

/// The heads of the attention on screen, now: each under its name, with the tokens at its rows and
/// columns where they have room. Pointed at, a weight says whose it is.
class HeatMaps {
 public:
  static constexpr float between = 12.0F;  ///< before each map

  /// The screen must outlive the maps.
  explicit HeatMaps(const Screen& screen);

  std::size_t count() const { return count_; }
  /// What the maps take of a place of this height, the gaps before them included.
  float width(float height) const;
  /// At the right end of the place.
  void draw(ImDrawList* list, const stage::Rect& place) const;

 private:
  /// Where the map of a head stands.
  stage::Rect square(std::size_t head, const stage::Rect& place) const;
  bool has_tokens(float size) const;
  void put_tokens(ImDrawList* list, const stage::Rect& map) const;
  /// What whole words beside the rows of the first map take, where those are high enough; else 0.
  float names_width(float size) const;
  void put_names(ImDrawList* list, const stage::Rect& map) const;
  void explain(std::size_t head, const stage::Rect& map) const;

  const Screen& screen_;
  const model::Trace& trace_;
  std::size_t count_;
};

}  // namespace draw
