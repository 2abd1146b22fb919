// A picture to be exported.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "draw/stage/stage_view.hpp"
#include "imgui.h"
#include "stage/scene/stage.hpp"

namespace app {

struct Picture {
  std::optional<stage::Stage> matrix;  ///< what it shows; nothing: the stage on the screen
  std::string name;                    ///< of its file, without ".png"
  bool scalable = false;               ///< SVG, which needs no graphics card; else PNG
  draw::Scene scene;
  // Its draw commands, which are carried out at the end of the frame.
  std::unique_ptr<ImDrawList> list;
  draw::Drawn drawn;
  float pixel_ratio = 1.0F;
};

}  // namespace app
