// Exports the matrix of the chosen cell as a picture, drawn off screen by the same code as the
// screen.
#include "app/window/picture_export.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/app.hpp"
#include "base/text.hpp"
#include "draw/gl/off_screen.hpp"
#include "imgui.h"

namespace app {

namespace {

constexpr float pixel_ratio = 2.0F;
constexpr float largest_side =
    4096.0F;  // device pixels; a texture size that nearly all of WebGL2 supports

/// Sets the pixel density of glyphs to the picture's during its lifetime.
class SharpLetters {
 public:
  SharpLetters(const draw::Type& type, float density)
      : fonts_{type.words, type.strong, type.numbers, type.strong_numbers} {
    for (std::size_t i = 0; i < fonts_.size(); ++i) {
      before_[i] = fonts_[i]->CurrentRasterizerDensity;
      fonts_[i]->CurrentRasterizerDensity = density;
    }
  }
  ~SharpLetters() {
    for (std::size_t i = 0; i < fonts_.size(); ++i)
      fonts_[i]->CurrentRasterizerDensity = before_[i];
  }
  SharpLetters(const SharpLetters&) = delete;
  SharpLetters& operator=(const SharpLetters&) = delete;

 private:
  std::array<ImFont*, 4> fonts_;
  std::array<float, 4> before_ = {};
};

}  // namespace

void App::begin_picture() {
  if (!picture_) return;
  Picture& picture = *picture_;
  const stage::Rect& bounds = picture.stage.bounds;
  picture.pixel_ratio =
      std::min(pixel_ratio, largest_side / std::max({bounds.width, bounds.height, 1.0F}));
  draw::Scene scene;
  scene.stage = &picture.stage;
  scene.camera = {bounds.centre(), 1.0F};
  scene.viewport = bounds;
  scene.trace = &session_.attention().trace;
  scene.query = std::numeric_limits<std::size_t>::max();  // no row is marked
  scene.sample = session_.document().view_state.sample;
  picture.list = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
  picture.list->_ResetForNewFrame();
  picture.list->PushTexture(ImGui::GetIO().Fonts->TexRef);
  picture.list->PushClipRect({0.0F, 0.0F},
                             {bounds.right(), bounds.bottom()});  // a new list clips everything
  const SharpLetters sharp(type_, picture.pixel_ratio);
  picture.drawn = stage_view_.draw(scene, theme(), type_, picture.list.get());
}

void App::finish_picture() {
  if (!picture_) return;
  Picture picture = *std::move(picture_);
  picture_.reset();
  const stage::Rect& bounds = picture.stage.bounds;
  const int width = static_cast<int>(std::ceil(bounds.width * picture.pixel_ratio));
  const int height = static_cast<int>(std::ceil(bounds.height * picture.pixel_ratio));
  std::vector<unsigned char> pixels;
  {
    const draw::OffScreen target(width, height);
    if (!target.complete()) {
      view_.message = base::text("app.picture.too_large", {{"width", width}, {"height", height}});
      return;
    }
    const draw::Theme& colours = theme();
    glViewport(0, 0, width, height);
    glClearColor(colours.page.red, colours.page.green, colours.page.blue, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    std::vector<tensor::Tensor> matrices;
    for (const stage::Block& block : picture.drawn.stage.blocks) matrices.push_back(block.matrix);
    cells_.hold(matrices);
    for (std::size_t i = 0; i < matrices.size(); ++i) {
      picture.drawn.instances[i].base =
          cells_.atlas().base_of(matrices[i]) + static_cast<std::int32_t>(matrices[i].offset());
    }
    const float logical_height = static_cast<float>(height) / picture.pixel_ratio;
    cells_.draw(picture.drawn.instances, colours, static_cast<float>(width) / picture.pixel_ratio,
                logical_height, picture.pixel_ratio, {0.0F, 0.0F, bounds.width, logical_height});
    ImDrawData data;
    data.Valid = true;
    data.DisplaySize = {static_cast<float>(width) / picture.pixel_ratio, logical_height};
    data.FramebufferScale = {picture.pixel_ratio, picture.pixel_ratio};
    data.Textures = &ImGui::GetPlatformIO().Textures;
    picture.list->_PopUnusedDrawCmd();
    data.AddDrawList(picture.list.get());
    imgui_renderer_.draw(data);
    pixels = target.read();
  }
  const auto saved = platform_->save_picture(picture.name + ".png", width, height, pixels);
  if (saved)
    notify(*saved);
  else
    view_.message = saved.error().message;
}

}  // namespace app
