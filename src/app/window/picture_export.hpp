// A picture that has been asked for.
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
  // What has been drawn of it, until it is put on paper at the end of the frame.
  std::unique_ptr<ImDrawList> list;
  draw::Drawn drawn;
  float pixel_ratio = 1.0F;
};

}  // namespace app
