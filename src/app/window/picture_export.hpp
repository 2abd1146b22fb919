// A picture to be exported.
#pragma once

#include <memory>
#include <string>

#include "draw/stage/stage_view.hpp"
#include "imgui.h"
#include "stage/scene/stage.hpp"

namespace app {

struct Picture {
  stage::Stage stage;  ///< what it shows
  std::string name;    ///< of its file, without ".png"
  // Its draw commands, which are carried out at the end of the frame.
  std::unique_ptr<ImDrawList> list;
  draw::Drawn drawn;
  float pixel_ratio = 1.0F;
};

}  // namespace app
