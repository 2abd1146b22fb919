// A picture cut into patches that are tokens: where each patch stands, and how the chosen query's
// weights are drawn over them.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/figures/row_table.hpp"

namespace stage {

/// The picture in a square frame. Places are in pixels of the layout, which the camera scales.
class PatchGrid {
 public:
  PatchGrid(const lesson::Picture& picture, const Rect& frame);

  const Rect& frame() const { return frame_; }
  /// The patch of a token. Tokens count patches row by row.
  Rect patch(std::size_t token) const;

  /// The picture's pixels in their colours.
  void put_pixels(Figure& figure) const;
  /// A layer of the page's colour over each patch, the more of it the less weight it gets, and the
  /// weight as a number where it has room. `tensor`: attention_weights or mean_weights, of which
  /// the row's numbers [Lk] are shown.
  void put_weights(Figure& figure, const QueryRow& row, model::TensorId tensor) const;
  /// An area for each patch that makes it the query.
  void put_targets(Figure& figure, const QueryRow& row) const;
  /// Lines between patches, and frames around the query's patch and, if given, the key's.
  void put_frames(Figure& figure, std::size_t query, std::optional<std::size_t> key) const;

 private:
  const lesson::Picture* picture_;
  Rect frame_;
  float size_;  ///< of a patch's side
};

}  // namespace stage
