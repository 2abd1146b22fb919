// The state of a pointer that is pressed on the stage.
#pragma once

#include <functional>
#include <optional>

#include "app/input/number_drag.hpp"
#include "document/computed.hpp"
#include "document/document.hpp"
#include "stage/scene/stage.hpp"

namespace app {

struct DragState {
  enum class Action : unsigned char {
    pan,            ///< the plane goes with the pointer
    change_number,  ///< the chosen number goes up to the right and down to the left
    paint,          ///< mask cells are hidden or shown
    target,         ///< something in a figure is dragged
    nothing         ///< cancelled; waiting for the release
  };
  Action action = Action::pan;
  stage::Point at;           ///< where the pointer was last, logical pixels
  stage::Point start;        ///< ... when it was pressed
  stage::Point start_plane;  ///< ... on the plane
  std::optional<stage::Hit> hit;
  std::optional<document::CellRef> cell;  ///< of `hit`, since the stage may change meanwhile
  bool moved = false;                     ///< moved too far to be a click
  bool changed = false;  ///< the document was changed; further changes are the same undo step
  std::optional<document::Computed> before;  ///< the numbers before the first change
  std::optional<NumberDrag> number;
  std::optional<MaskStroke> stroke;
  std::optional<document::Command> click;
  std::function<std::optional<document::Command>(stage::Point)> drag;
};

}  // namespace app
