#include "app/app.hpp"

#include <algorithm>
#include <array>

#include "attention/provenance.hpp"
#include "draw/widgets.hpp"
#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "platform/glyphs.hpp"
#include "stage/layout.hpp"

namespace app {

namespace {

constexpr double travel_seconds = 0.45;
constexpr float margin = 8.0F;  // around the stage, for the outlines of what is chosen at its edge

bool shows_another_stage(const document::Look& a, const document::Look& b) {
  return a.step != b.step || a.attention != b.attention || a.all_heads != b.all_heads ||
         a.head != b.head || a.sample != b.sample;
}

}  // namespace

App::App() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would draw frames for ever
  io.ConfigInputTextEnterKeepActive = false;
  io.MouseDragThreshold = 5.0F;
  letters_ = [](char32_t letter, float size, draw::Glyph& glyph) {
    platform::LetterBitmap bitmap;
    if (!platform::draw_letter(letter, size, bitmap)) return false;
    glyph = {bitmap.width, bitmap.height,  bitmap.left,
             bitmap.top,   bitmap.advance, std::move(bitmap.coverage)};
    return true;
  };
  type_ = draw::Type::load(letters_);
}

void App::attach(platform::Platform& platform) {
  platform_ = &platform;
  request_frames(3);
}

void App::graphics_ready() {
  ImGui_ImplOpenGL3_Init(draw::shader_version.substr(0, draw::shader_version.find('\n')) ==
                                 "#version 300 es"
                             ? "#version 300 es"
                             : "#version 330 core");
  const auto prepared = cells_.prepare();
  graphics_ = prepared.has_value();
  if (!prepared) view_.message = prepared.error().message;
  request_frames(3);
}

void App::graphics_lost() {
  graphics_ = false;
  cells_.forget();
  ImGui_ImplOpenGL3_Shutdown();
}

const draw::Theme& App::theme() const {
  switch (session_.document().look.theme) {
    case document::Theme::light:
      return draw::light_theme();
    case document::Theme::dark:
      return draw::dark_theme();
    case document::Theme::automatic:
      break;
  }
  return platform_ != nullptr && platform_->preferences().dark ? draw::dark_theme()
                                                               : draw::light_theme();
}

void App::request_frames(int count) {
  if (platform_ != nullptr) platform_->request_frames(count);
}

attention::Result<void> App::perform(const document::Command& command) {
  auto result = session_.perform(command);
  view_.message = result ? std::string() : result.error().message;
  request_frames(3);
  return result;
}

attention::Result<void> App::replace(const document::Document& document) {
  auto result = session_.replace(document);
  view_.message = result ? std::string() : result.error().message;
  request_frames(3);
  return result;
}

void App::undo() {
  session_.undo();
  view_.message.clear();
  request_frames(3);
}

void App::redo() {
  session_.redo();
  view_.message.clear();
  request_frames(3);
}

void App::frame(double seconds) {
  if (!graphics_ || platform_ == nullptr) return;
  const platform::Surface surface = platform_->surface();
  if (surface.framebuffer_width <= 0 || surface.framebuffer_height <= 0) return;
  begin(surface, seconds);
  draw::Requests requests;
  panels(requests);
  interact(requests);
  carry_out(requests);
  // After the commands: what was asked for in this frame is seen in this frame.
  refresh_stage(seconds);
  draw_frame(surface, seconds);
  ++frames_drawn_;
}

void App::begin(const platform::Surface& surface, double seconds) {
  now_ = seconds;
  draw::apply_style(theme());
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  chrome_ = stage::arrange(surface.width, surface.height);
  if (laid_out_revision_ == ~std::uint64_t{0}) refresh_stage(seconds);
}

void App::panels(draw::Requests& requests) {
  const draw::Screen screen{session_, chrome_, theme(), type_};
  draw::text_panel(screen);
  draw::heads_panel(screen, requests);
  draw::bar_panel(screen, view_, requests);
  draw::steps_panel(screen, requests);
  draw::side_panels(screen, view_, requests);
  draw::message_panel(screen, view_);
}

void App::carry_out(const draw::Requests& requests) {
  if (requests.fit) fit();
  if (requests.undo) undo();
  if (requests.redo) redo();
  for (const document::Command& command : requests.commands) {
    if (!perform(command)) break;
  }
  if (!requests.error.empty()) {
    view_.message = requests.error;
    request_frames(2);
  }
}

void App::refresh_stage(double seconds) {
  const document::Look& look = session_.document().look;
  const stage::Rect& viewport = chrome_.stage;
  const bool first = laid_out_revision_ == ~std::uint64_t{0};
  const bool numbers_changed = laid_out_revision_ != session_.revision();
  const bool resized = viewport != laid_out_viewport_;
  const bool elsewhere = shows_another_stage(look, laid_out_look_);
  const bool other_query = look.query != laid_out_look_.query;
  if (!first && !numbers_changed && !resized && !elsewhere && !other_query) return;

  const stage::Space space{viewport.width - 2.0F * margin, viewport.height - 2.0F * margin};
  stage::Stage next = stage::lay_out(session_.attention(), look, space);
  const bool reshaped = next.bounds != stage_.bounds || next.blocks.size() != stage_.blocks.size();
  const bool moves = !first && elsewhere && !platform_->preferences().reduced_motion;
  if (moves) {
    // From where things are seen now, even half-way through another journey or under another
    // camera.
    before_ = drawn_.stage;
    const stage::Camera& from = camera_;
    fitted_ = stage::Camera::framing(next.bounds, viewport, margin, 1.0F);
    for (stage::Block& block : before_.blocks) {
      const stage::Rect seen = from.to_screen(block.cells, viewport);
      const stage::Point corner = fitted_.to_plane({seen.x, seen.y}, viewport);
      block.cells = {corner.x, corner.y, seen.width / fitted_.zoom, seen.height / fitted_.zoom};
    }
    for (stage::Group& group : before_.groups) {
      for (stage::Rect* rect : {&group.bounds, &group.caption}) {
        const stage::Rect seen = from.to_screen(*rect, viewport);
        const stage::Point corner = fitted_.to_plane({seen.x, seen.y}, viewport);
        *rect = {corner.x, corner.y, seen.width / fitted_.zoom, seen.height / fitted_.zoom};
      }
    }
    travel_start_ = seconds;
  } else if (elsewhere || resized || reshaped) {
    travel_start_ = -1.0;
  }
  stage_ = std::move(next);
  fitted_ = stage::Camera::framing(stage_.bounds, viewport, margin, 1.0F);
  // An edit leaves the camera where the reader put it.
  if (first || elsewhere || resized || reshaped) camera_ = fitted_;
  // Cells that are no longer there cannot stay chosen.
  const attention::Trace& trace = session_.attention().trace;
  const auto gone = [&](const std::optional<draw::CellRef>& cell) {
    if (!cell) return false;
    if (cell->tensor == attention::TensorId::weighted_values) return cell->index[2] != look.query;
    if (!trace.has(cell->tensor) || cell->index.rank() != trace[cell->tensor].rank()) return true;
    for (std::size_t axis = 0; axis < cell->index.rank(); ++axis) {
      if (cell->index[axis] >= trace[cell->tensor].dim(axis)) return true;
    }
    return false;
  };
  // The document lets a chosen cell go where there is none any more; a query's products are only
  // there while that query is looked at.
  if (gone(chosen()) || (elsewhere && look.attention != laid_out_look_.attention)) {
    choose(std::nullopt);
    view_.editing = false;
  }
  if (gone(view_.pointed)) view_.pointed.reset();
  laid_out_revision_ = session_.revision();
  laid_out_look_ = look;
  laid_out_viewport_ = viewport;
}

void App::draw_frame(const platform::Surface& surface, double seconds) {
  const document::Look& look = session_.document().look;
  const draw::Theme& colours = theme();
  draw::Scene scene;
  scene.stage = &stage_;
  scene.camera = camera_;
  scene.viewport = chrome_.stage;
  scene.trace = &session_.attention().trace;
  scene.query = look.query;
  scene.sample = look.sample;
  scene.head = look.head;
  if (travel_start_ >= 0.0) {
    scene.travel = static_cast<float>((seconds - travel_start_) / travel_seconds);
    if (scene.travel >= 1.0F) {
      travel_start_ = -1.0;
      scene.travel = 1.0F;
    } else {
      scene.before = &before_;
      request_frames(1);
    }
  }
  scene.pointed = place_of(view_.pointed);
  scene.pinned = place_of(chosen());
  view_.pinned_place.reset();
  if (scene.pinned) {
    const stage::Rect cell =
        stage_.blocks[scene.pinned->block].cell(scene.pinned->row, scene.pinned->column);
    view_.pinned_place = camera_.to_screen(cell, chrome_.stage);
  }
  for (const document::Edit& edit : session_.document().setup.edits) {
    if (edit.cell.attention != session_.attention().id) continue;
    if (const auto hit = stage::find_cell(stage_, edit.cell.tensor, edit.cell.index))
      scene.edited.push_back(*hit);
  }
  const std::optional<draw::CellRef>& explained = chosen() ? chosen() : view_.pointed;
  if (explained) {
    const attention::Trace& trace = session_.attention().trace;
    scene.sources = stage::sources_on(
        stage_, trace, attention::provenance(trace, explained->tensor, explained->index));
  }

  ImDrawList* list = ImGui::GetBackgroundDrawList();
  drawn_ = stage_view_.draw(scene, colours, type_, list);

  // The legend belongs to what is looked at: the explained cell's matrix, else what this step
  // makes.
  const auto of_interest = place_of(explained);
  const stage::Group& made = stage_.groups.back();
  const std::size_t of_head = made.block_count > 1 ? std::min(look.head, made.block_count - 1) : 0;
  const stage::Block& interesting =
      stage_.blocks[of_interest ? of_interest->block : made.first_block + of_head];
  const draw::Legend::Bar bar = legend_.bar(interesting, chrome_.legend);
  draw::Legend::text(interesting, chrome_.legend, colours, type_, list);
  std::vector<attention::Tensor> held{bar.matrix};
  for (const stage::Block& block : drawn_.stage.blocks) held.push_back(block.matrix);
  cells_.hold(held);
  // Holding the legend may have moved the others in the texture.
  for (std::size_t i = 0; i < drawn_.instances.size(); ++i) {
    const attention::Tensor& matrix = drawn_.stage.blocks[i].matrix;
    drawn_.instances[i].base =
        cells_.atlas().base_of(matrix) + static_cast<std::int32_t>(matrix.offset());
  }
  draw::CellsInstance scale =
      cells_.instance(bar.matrix, bar.place, interesting.colouring, interesting.range,
                      colours.head(interesting.head.value_or(0)), 1.0F);
  scale.gap = 0.0F;

  glViewport(0, 0, surface.framebuffer_width, surface.framebuffer_height);
  glClearColor(colours.page.red, colours.page.green, colours.page.blue, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  cells_.draw(drawn_.instances, colours, surface.width, surface.height, surface.pixel_ratio,
              chrome_.stage);
  cells_.draw({scale}, colours, surface.width, surface.height, surface.pixel_ratio, chrome_.legend);
  cell_draw_calls_ = 2;
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace app
