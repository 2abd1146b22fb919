// The colour scale with its true range, drawn by the same shader as the cells.
#pragma once

#include <string>
#include <utility>

#include "document/memo.hpp"
#include "draw/gl/cells.hpp"
#include "draw/text/type.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// Makes the scale's own little matrix: numbers from one end of a block's range to the other.
class Legend {
 public:
  /// The scale of `block`, to be drawn at `bar_place`.
  const tensor::Tensor& matrix(const stage::Block& block);
  static stage::Rect bar_place(const stage::Rect& legend);
  /// The numbers at both ends.
  struct Ends {
    std::string low;
    std::string high;
  };
  static Ends ends(const stage::Block& block);
  /// Name of the tensor and the numbers at both ends and zero.
  /// `shared`: all matrices of the stage have this scale.
  static void text(const stage::Block& block, const stage::Rect& place, bool shared,
                   const Theme& theme, const Type& type, ImDrawList* list);

 private:
  /// By its ends. Made anew it would be sent to the graphics card in every frame.
  document::Memo<std::pair<float, float>, tensor::Tensor> matrix_;
};

}  // namespace draw
