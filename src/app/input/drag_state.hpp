// What a pressed pointer on the stage is about to do, or does.
#pragma once

#include <functional>
#include <optional>

#include "app/input/number_drag.hpp"
#include "document/document.hpp"
#include "stage/scene/stage.hpp"

namespace app {

struct DragState {
  enum class Action : unsigned char {
    pan,            ///< the plane goes with the pointer
    change_number,  ///< the chosen number goes up to the right and down to the left
    paint,          ///< mask cells are hidden or shown
    target,         ///< something in a figure is dragged
    nothing         ///< broken off; until it is let go
  };
  Action action = Action::pan;
  stage::Point at;           ///< where the pointer was last, logical pixels
  stage::Point start;        ///< ... when it was pressed
  stage::Point start_plane;  ///< ... on the plane
  std::optional<stage::Hit> hit;
  std::optional<document::CellRef> cell;  ///< which it was then: the stage may become another
  bool moved = false;                     ///< too far for a click
  bool changed = false;  ///< it has changed the document: what follows continues that step
  std::optional<NumberDrag> number;
  std::optional<MaskStroke> stroke;
  std::optional<document::Command> click;
  std::function<std::optional<document::Command>(stage::Point)> drag;
};

}  // namespace app
