// The colour scale with its true range, drawn by the shader that draws the cells.
#pragma once

#include <string>
#include <utility>

#include "document/memo.hpp"
#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// Makes the matrix of the scale: numbers from one end of a block's range to the other.
class Legend {
 public:
  /// The scale of `block`, to be drawn at `bar_place`.
  const tensor::Tensor& matrix(const stage::Block& block);
  static stage::Rect bar_place(const stage::Rect& legend);
  /// False where no cell has a colour, as in a mask of nothing but 0 and −∞.
  static bool is_needed(const stage::Block& block);
  /// The numbers at both ends, as text.
  struct Ends {
    std::string low;
    std::string high;
  };
  static Ends ends(const stage::Block& block);
  /// Draws the tensor's name and the numbers at both ends and at zero. `shared`: one scale is used
  /// for all matrices of the stage.
  static void text(const stage::Block& block, const stage::Rect& place, bool shared,
                   const Theme& theme, const Type& type, ImDrawList* list);

 private:
  /// By the ends of the range. A new matrix per frame would be sent to the graphics card every
  /// time.
  document::Memo<std::pair<float, float>, tensor::Tensor> matrix_;
};

}  // namespace draw
