// The colour scale with its true range, drawn by the same shader as the cells.
#pragma once

#include <string>

#include "draw/gl/cells.hpp"
#include "draw/text/type.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// Makes the scale's own little matrix: numbers from one end of a block's range to the other.
class Legend {
 public:
  /// The matrix to be held and drawn, and where: the scale of `block` inside `place`.
  struct Bar {
    attention::Tensor matrix;
    stage::Rect place;
  };
  Bar bar(const stage::Block& block, const stage::Rect& place);
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
  attention::Tensor matrix_;  // kept while the range stays, so that it is not sent again
  float low_ = 0.0F;
  float high_ = 0.0F;
};

}  // namespace draw
