// A frame's drawing: from what the stage shows now to pixels.
#include <algorithm>
#include <utility>

#include "app/app.hpp"
#include "attention/provenance.hpp"
#include "imgui.h"

namespace app {

namespace {

constexpr double travel_seconds = 0.45;

}  // namespace

bool App::shaders_ready() {
  if (shaders_ready_) return true;
  for (const auto& ready : {cells_.ready(), lists_.ready()}) {
    if (ready) continue;
    view_.message = ready.error().message;
    graphics_ = false;
    return false;
  }
  shaders_ready_ = true;
  return true;
}

draw::Scene App::scene_at(double seconds) {
  const document::Look& look = session_.document().look;
  const attention::Trace& trace = session_.attention().trace;
  draw::Scene scene;
  scene.stage = &stage_;
  scene.camera = camera_;
  scene.viewport = chrome_.stage;
  scene.trace = &trace;
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
  const auto cell = explained();
  scene.pointed = place_of(chosen() ? view_.pointed : cell);
  scene.pinned = place_of(chosen());
  view_.pinned_place.reset();
  if (scene.pinned) {
    const stage::Rect place =
        stage_.blocks[scene.pinned->block].cell(scene.pinned->row, scene.pinned->column);
    view_.pinned_place = camera_.to_screen(place, chrome_.stage);
  }
  for (const document::Edit& edit : session_.document().setup.edits) {
    if (edit.cell.attention != session_.attention().id) continue;
    if (const auto hit = stage::find_cell(stage_, edit.cell.tensor, edit.cell.index))
      scene.edited.push_back(*hit);
  }
  const auto read = cell ? cell : composed_.followed;
  if (read && trace.has(read->tensor)) {
    const attention::Tensor& tensor = trace[read->tensor];
    scene.same_float = stage::cells_reading(stage_, tensor, tensor.position(read->index));
  }
  if (cell) {
    scene.sources =
        stage::sources_on(stage_, trace, attention::provenance(trace, cell->tensor, cell->index));
  }
  return scene;
}

void App::draw_frame(const platform::Surface& surface, double seconds) {
  const document::Look& look = session_.document().look;
  const draw::Theme& colours = theme();
  begin_picture();
  const draw::Scene scene = scene_at(seconds);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  drawn_ = stage_view_.draw(scene, colours, type_, list);
  draw_edit_marks(seconds, list);

  std::vector<attention::Tensor> held;
  for (const stage::Block& block : drawn_.stage.blocks) held.push_back(block.matrix);
  for (const stage::Sheet& sheet : drawn_.stage.sheets) held.push_back(sheet.matrix);
  // The legend belongs to what is looked at: the explained cell's matrix, else what this step
  // makes.
  legend_scale_.clear();
  if (!composed_.stage.groups.empty() && !chrome_.legend.empty()) {
    const auto of_interest = place_of(explained());
    // A sum on its way is no tensor's: the last group that is.
    const auto whole = std::find_if(
        stage_.groups.rbegin(), stage_.groups.rend(),
        [this](const stage::Group& group) { return !stage_.blocks[group.first_block].only_seen; });
    const stage::Group& made = whole == stage_.groups.rend() ? stage_.groups.back() : *whole;
    const std::size_t of_head =
        made.block_count > 1 ? std::min(look.head, made.block_count - 1) : 0;
    drawn_.legend = of_interest ? of_interest->block : made.first_block + of_head;
    const stage::Block& interesting = stage_.blocks[*drawn_.legend];
    const draw::Legend::Bar bar = legend_.bar(interesting, chrome_.legend);
    draw::Legend::text(interesting, chrome_.legend, look.shared_scale, colours, type_, list);
    held.push_back(bar.matrix);
    cells_.hold(held);
    legend_scale_.push_back(cells_.instance(bar.matrix, bar.place, interesting.colouring,
                                            interesting.range,
                                            colours.head(interesting.head.value_or(0)), 1.0F));
    legend_scale_.back().gap = 0.0F;
  }
  // Holding the legend may have moved the others in the texture.
  for (std::size_t i = 0; i < drawn_.instances.size(); ++i) {
    const attention::Tensor& matrix = drawn_.stage.blocks[i].matrix;
    drawn_.instances[i].base =
        cells_.atlas().base_of(matrix) + static_cast<std::int32_t>(matrix.offset());
  }
  std::size_t sheet = 0;
  for (draw::CellsInstance& instance : drawn_.sheets) {
    if (instance.shown < 0) continue;
    const attention::Tensor& matrix = drawn_.stage.sheets[sheet++].matrix;
    instance.base = cells_.atlas().base_of(matrix) + static_cast<std::int32_t>(matrix.offset());
  }
  draw_cells(surface, colours);
  finish_picture();
}

bool App::is_on_the_screen(const platform::Surface& surface, const draw::Theme& colours) {
  const std::optional<std::uint64_t> emptied = platform_->times_emptied();
  if (!emptied) return false;
  // With other numbers it is another picture. To look closer would take a part of an edit's frame;
  // what it saves is one more drawing of the next.
  const std::uint64_t sent = cells_.atlas().floats_sent();
  if (std::exchange(floats_on_the_screen_, sent) != sent) {
    on_the_screen_.reset();
    return false;
  }
  draw::Fingerprint all;
  all.add(*emptied);
  all.add(surface.framebuffer_width);
  all.add(surface.framebuffer_height);
  all.add(&colours);  // there are two themes, which stay where they are
  all.add(chrome_.stage);
  all.add(chrome_.legend);
  all.add(drawn_.sheets);
  all.add(drawn_.instances);
  all.add(legend_scale_);
  all.add(drawn_.stage.first_piece);
  all.add(cells_.atlas().texture());
  const bool whole = draw::ListsRenderer::note(*ImGui::GetDrawData(), all);
  const auto last =
      std::exchange(on_the_screen_, whole ? std::optional(all.value()) : std::nullopt);
  return last && last == on_the_screen_;
}

void App::draw_cells(const platform::Surface& surface, const draw::Theme& colours) {
  ImGui::Render();
  // Asked for here and not sooner: they were compiled beside all that this frame needed so far.
  if (!shaders_ready()) return;
  // Of the frames that an input asks for, most are the same once more: ImGui settles in them.
  if (is_on_the_screen(surface, colours)) return;
  glViewport(0, 0, surface.framebuffer_width, surface.framebuffer_height);
  glClearColor(colours.page.red, colours.page.green, colours.page.blue, 1.0F);
  glClear(GL_COLOR_BUFFER_BIT);
  cell_draw_calls_ = 0;
  const auto draw = [&](std::span<const draw::CellsInstance> instances, const stage::Rect& clip) {
    if (instances.empty()) return;
    cells_.draw(instances, colours, surface.width, surface.height, surface.pixel_ratio, clip);
    ++cell_draw_calls_;
  };
  const std::span<const draw::CellsInstance> all(drawn_.instances);
  const std::size_t pieces = std::min(drawn_.stage.first_piece, all.size());
  // In one go, whatever lies under what.
  std::vector<draw::CellsInstance> ground = drawn_.sheets;
  ground.insert(ground.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(pieces));
  draw(ground, chrome_.stage);
  draw(legend_scale_, chrome_.legend);
  stage_view_.draw_pieces = [&] { draw(all.subspan(pieces), chrome_.stage); };
  lists_.draw(*ImGui::GetDrawData());
}

}  // namespace app
