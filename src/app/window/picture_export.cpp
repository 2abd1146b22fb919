// Exports the step on screen or one matrix as a picture, drawn by the same code as the screen.
#include "app/window/picture_export.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/app.hpp"
#include "base/text.hpp"
#include "draw/export/svg.hpp"
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

void App::begin_picture(const draw::Scene& on_screen) {
  if (!picture_) return;
  Picture& picture = *picture_;
  draw::Scene& scene = picture.scene;
  if (picture.matrix) {
    scene.stage = &*picture.matrix;
    scene.trace = on_screen.trace;
    scene.query = std::numeric_limits<std::size_t>::max();  // no row is marked
    scene.sample = on_screen.sample;
  } else {
    scene = on_screen;
    scene.before = nullptr;  // at rest
    scene.travel = 1.0F;
    scene.legend = {};
  }
  constexpr float margin = 16.0F;
  const stage::Rect bounds = scene.stage->bounds.inset(picture.matrix ? 0.0F : -margin);
  scene.camera = {bounds.centre(), 1.0F};
  // Whole logical pixels, so that cells and shapes of ImGui agree.
  scene.viewport = {0.0F, 0.0F, std::ceil(bounds.width), std::ceil(bounds.height)};
  if (picture.scalable) {
    const auto svg = draw::svg_of(scene, theme(), type_);
    if (svg)
      save_file(picture.name + ".svg", *svg, "image/svg+xml");
    else
      view_.message = svg.error().message;
    picture_.reset();
    return;
  }
  picture.pixel_ratio =
      std::min(pixel_ratio, largest_side / std::max({bounds.width, bounds.height, 1.0F}));
  picture.list = std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData());
  picture.list->_ResetForNewFrame();
  picture.list->PushTexture(ImGui::GetIO().Fonts->TexRef);
  picture.list->PushClipRect(
      {0.0F, 0.0F}, {scene.viewport.width, scene.viewport.height});  // a new list clips everything
  const SharpLetters sharp(type_, picture.pixel_ratio);
  picture.drawn = draw::paint(
      scene, theme(), type_, picture.list.get(),
      [](const ImDrawList*, const ImDrawCmd* command) {
        static_cast<App*>(command->UserCallbackData)->draw_picture_cells(true);
      },
      this);
}

void App::draw_picture_cells(bool pieces) {
  const Picture& picture = *picture_;
  const stage::Rect& bounds = picture.scene.viewport;
  std::vector<draw::CellsInstance> cells;
  const std::vector<draw::CellsInstance>& all = picture.drawn.instances;
  const std::size_t first_piece = std::min(picture.drawn.stage.first_piece, all.size());
  const auto middle = all.begin() + static_cast<std::ptrdiff_t>(first_piece);
  if (!pieces) cells = picture.drawn.sheets;
  cells.insert(cells.end(), pieces ? middle : all.begin(), pieces ? all.end() : middle);
  cells_.draw(cells, theme(), bounds.width, bounds.height, picture.pixel_ratio, bounds);
}

void App::finish_picture() {
  if (!picture_) return;
  Picture& picture = *picture_;
  const stage::Rect& bounds = picture.scene.viewport;
  const int width = static_cast<int>(std::ceil(bounds.width * picture.pixel_ratio));
  const int height = static_cast<int>(std::ceil(bounds.height * picture.pixel_ratio));
  std::vector<unsigned char> pixels;
  {
    const draw::OffScreen target(width, height);
    if (!target.complete()) {
      view_.message = base::text("app.picture.too_large", {{"width", width}, {"height", height}});
      picture_.reset();
      return;
    }
    const draw::Theme& colours = theme();
    glViewport(0, 0, width, height);
    glClearColor(colours.page.red, colours.page.green, colours.page.blue, 1.0F);
    glClear(GL_COLOR_BUFFER_BIT);
    stage_view_.put_cells(picture.scene, colours, picture.drawn);
    draw_picture_cells(false);
    ImDrawData data;
    data.Valid = true;
    data.DisplaySize = {bounds.width, bounds.height};
    data.FramebufferScale = {picture.pixel_ratio, picture.pixel_ratio};
    data.Textures = &ImGui::GetPlatformIO().Textures;
    picture.list->_PopUnusedDrawCmd();
    data.AddDrawList(picture.list.get());
    imgui_renderer_.draw(data);
    pixels = target.read();
  }
  const auto saved = platform_->save_picture(picture.name + ".png", width, height, pixels);
  picture_.reset();
  if (saved)
    notify(*saved);
  else
    view_.message = saved.error().message;
}

}  // namespace app
