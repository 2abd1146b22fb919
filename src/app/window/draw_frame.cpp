// Draws a frame.
#include <algorithm>
#include <utility>

#include "app/app.hpp"
#include "document/learning/target.hpp"
#include "draw/legend/small_scale.hpp"
#include "imgui.h"
#include "model/trace.hpp"
#include "stage/motion/zoom.hpp"

namespace app {

namespace {

constexpr double travel_seconds = 0.45;
constexpr double zoom_seconds = 0.7;  // to the map and back: farther

}  // namespace

bool App::shaders_ready() {
  if (shaders_ready_) return true;
  for (const auto& ready : {cells_.ready(), imgui_renderer_.ready()}) {
    if (ready) continue;
    view_.message = ready.error().message;
    graphics_ = false;
    return false;
  }
  shaders_ready_ = true;
  return true;
}

draw::Scene App::scene_at(double seconds) {
  const document::ViewState& view_state = session_.document().view_state;
  const model::Trace& trace = session_.attention().trace;
  draw::Scene scene;
  scene.stage = &stage_;
  scene.camera = camera_;
  scene.viewport = chrome_.stage;
  scene.trace = &trace;
  scene.query = stage::focused(view_state, session_.attention(), focus_).query;
  scene.sample = view_state.sample;
  if (travel_start_ >= 0.0) {
    const double whole = stage::is_zoom(before_, stage_) ? zoom_seconds : travel_seconds;
    scene.travel = static_cast<float>((seconds - travel_start_) / whole);
    if (scene.travel >= 1.0F) {
      travel_start_ = -1.0;
      scene.travel = 1.0F;
    } else {
      scene.before = &before_;
      request_frame();
    }
  }
  scene.focus = place_of_focus();
  scene.chosen = place_of(chosen());
  view_.pinned_place.reset();
  if (scene.chosen) {
    const stage::Rect place =
        stage_.blocks[scene.chosen->block].cell(scene.chosen->row, scene.chosen->column);
    view_.pinned_place = camera_.to_screen(place, chrome_.stage);
  }
  for (const document::Edit& edit : session_.document().configuration.edits) {
    if (edit.cell.attention != session_.attention().id) continue;
    if (const auto hit = stage::find_cell(stage_, edit.cell.tensor, edit.cell.index))
      scene.edited.push_back(*hit);
  }
  for (const document::Edit& edit : session_.document().configuration.target) {
    if (edit.cell.attention != session_.attention().id) continue;
    // In every matrix that shows this number.
    const tensor::Tensor& tensor = trace[edit.cell.tensor];
    const auto hits = view_state.gradients
                          ? std::vector<stage::Hit>()
                          : stage::cells_reading(stage_, tensor, tensor.position(edit.cell.index));
    for (const stage::Hit& hit : hits) {
      const stage::Block& block = stage_.blocks[hit.block];
      if (document::targeted(session_.attention(),
                             {block.tensor, block.index_of(hit.row, hit.column)}) == edit.cell)
        scene.targets.push_back(hit);
    }
  }
  // A number on its way is marked where it is, and nowhere else: it comes from where it lay.
  if (scene.focus && stage_.blocks[scene.focus->block].piece) return scene;
  // What a number was made of would tell which mistake is to be guessed.
  if (session_.document().view_state.guessing) return scene;
  if (trace.has(focus_.cell.tensor)) {
    const tensor::Tensor& tensor = trace[focus_.cell.tensor];
    scene.same_float = stage::cells_reading(stage_, tensor, tensor.position(focus_.cell.index));
  }
  scene.sources = stage::sources_on(stage_, trace,
                                    model::explain(trace, focus_.cell.tensor, focus_.cell.index));
  return scene;
}

std::optional<std::size_t> App::legend_block() const {
  if (stage_.groups.empty() || chrome_.legend.empty()) return std::nullopt;
  if (const auto of_interest = place_of_focus()) return of_interest->block;
  if (composed_.key().preview) return stage_.groups.front().first_block;  // it is enlarged
  // A sum on its way is no tensor's: the last group that is.
  const auto whole = std::find_if(
      stage_.groups.rbegin(), stage_.groups.rend(),
      [this](const stage::Group& group) { return !stage_.blocks[group.first_block].only_seen; });
  const stage::Group& made = whole == stage_.groups.rend() ? stage_.groups.back() : *whole;
  const std::size_t head = session_.document().view_state.head;
  return made.first_block + (made.block_count > 1 ? std::min(head, made.block_count - 1) : 0);
}

void App::draw_frame(const platform::Surface& surface, double seconds) {
  const draw::Theme& colours = theme();
  draw::Scene scene = scene_at(seconds);
  begin_picture(scene);
  std::optional<std::size_t> legend = legend_block();
  if (legend && !draw::Legend::is_needed(stage_.blocks[*legend])) legend.reset();
  const stage::Block* scaled = legend ? &stage_.blocks[*legend] : nullptr;
  if (scaled != nullptr) scene.legend = legend_.matrix(*scaled);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  drawn_ = stage_view_.draw(scene, colours, type_, list);
  drawn_.legend = legend;
  draw_edit_marks(seconds, list);
  scales_.clear();
  if (scaled != nullptr) {
    draw::Legend::text(*scaled, chrome_.legend, session_.document().view_state.shared_scale,
                       colours, type_, list);
    std::vector<stage::Rect> ramps{draw::Legend::bar_place(chrome_.legend)};
    if (scene.before == nullptr) {
      if (const auto ramp = draw::put_small_scale(drawn_, colours, type_, list))
        ramps.push_back(*ramp);
    }
    for (const stage::Rect& ramp : ramps) {
      scales_.push_back(
          cells_.instance(scene.legend, ramp, scaled->colouring, scaled->range, 1.0F));
      scales_.back().gap = 0.0F;
    }
  }
  draw_cells(surface, colours);
  finish_picture();
  end_film();
}

bool App::is_on_the_screen(const platform::Surface& surface, const draw::Theme& colours) {
  const std::optional<std::uint64_t> emptied = platform_->times_emptied();
  if (!emptied) return false;
  const ImDrawData& lists = *ImGui::GetDrawData();
  draw::FrameBytes all;
  all.reserve(on_the_screen_);
  all.add(*emptied);
  all.add(surface.framebuffer_width);
  all.add(surface.framebuffer_height);
  all.add(&colours);  // the address identifies the theme: both are static
  all.add(chrome_.stage);
  all.add(chrome_.legend);
  all.add(drawn_.sheets);
  all.add(drawn_.instances);
  all.add(scales_);
  all.add(drawn_.stage.first_piece);
  all.add(cells_.atlas().texture());
  all.add(cells_.atlas().floats_sent());  // grows when other numbers are sent
  draw::ImGuiRenderer::note(lists, all);
  const bool same = all == on_the_screen_;
  on_the_screen_ = std::move(all);
  return same && !draw::ImGuiRenderer::changes_textures(lists);
}

void App::draw_cells(const platform::Surface& surface, const draw::Theme& colours) {
  ImGui::Render();
  // Checked as late as possible, because shaders compile in the background until then.
  if (!shaders_ready()) return;
  // Input requests several frames so that ImGui settles, and most of them are equal. Not drawing
  // one saves 0.5 ms, or 50 ms without a graphics card.
  if (is_on_the_screen(surface, colours)) return;
  glViewport(0, 0, surface.framebuffer_width, surface.framebuffer_height);
  glClearColor(colours.page.red, colours.page.green, colours.page.blue, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  const auto draw = [&](std::span<const draw::CellsInstance> instances, const stage::Rect& clip) {
    if (instances.empty()) return;
    cells_.draw(instances, colours, surface.width, surface.height, surface.pixel_ratio, clip);
  };
  const std::span<const draw::CellsInstance> all(drawn_.instances);
  const std::size_t pieces = std::min(drawn_.stage.first_piece, all.size());
  // All cells in one draw call.
  std::vector<draw::CellsInstance> ground = drawn_.sheets;
  ground.insert(ground.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(pieces));
  draw(ground, chrome_.stage);
  draw(scales_, {0.0F, 0.0F, surface.width, surface.height});
  stage_view_.draw_pieces = [&] { draw(all.subspan(pieces), chrome_.stage); };
  imgui_renderer_.draw(*ImGui::GetDrawData());
}

}  // namespace app
