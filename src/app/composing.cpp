// What stands on the stage, and the camera that shows it.
#include <algorithm>
#include <functional>
#include <utility>

#include "app/app.hpp"
#include "document/places/settle.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/highlight/cell_diff.hpp"
#include "stage/highlight/compare.hpp"
#include "stage/layout/matrices/folds.hpp"
#include "stage/motion/motion.hpp"
#include "stage/wording/caption_words.hpp"

namespace app {

namespace {

constexpr float margin = 8.0F;  // around the stage, for the outline of a cell at its edge
// The size that is assumed before the first frame.
constexpr float usual_width = 1280.0F;
constexpr float usual_height = 800.0F;

/// True if matrices change or move between these view states, which is then animated.
bool shows_another_stage(const document::ViewState& a, const document::ViewState& b) {
  return a.step != b.step || a.attention != b.attention || a.all_heads != b.all_heads ||
         a.head != b.head || a.sample != b.sample || a.show != b.show ||
         a.gradients != b.gradients || a.projection != b.projection ||
         a.all_samples != b.all_samples || a.map != b.map || a.sort_heads != b.sort_heads ||
         a.held_out_heads != b.held_out_heads;
}

/// True if the step explains the same place in both view states, so that what has the focus in one
/// may have it in the other.
bool at_the_same_place(const document::ViewState& a, const document::ViewState& b) {
  return !shows_another_stage(a, b) && a.query == b.query && a.key == b.key &&
         a.mean_heads == b.mean_heads;
}

bool is_cell_of(const model::Trace& trace, const document::CellRef& cell) {
  if (!trace.has(cell.tensor)) return false;
  const tensor::Shape& shape = trace[cell.tensor].shape();
  return shape.rank() == cell.index.rank() &&
         std::equal(cell.index.begin(), cell.index.end(), shape.begin(), std::less<>());
}

/// The view state without the fields that a composition does not depend on.
document::ViewState composed_view_state(document::ViewState view_state) {
  if (!stage::is_figure_moving(view_state.step)) view_state.progress = 1.0F;
  view_state.framing.reset();
  view_state.theme = document::Theme::automatic;
  view_state.learning = false;
  view_state.learning_rate = 1.0F;
  view_state.learns = 0;
  return view_state;
}

/// The stage with everything moved so that the camera `to` shows it where `from` showed it before.
stage::Stage seen_under(stage::Stage stage, const stage::Camera& from, const stage::Camera& to,
                        const stage::Rect& viewport) {
  const auto moved = [&](stage::Rect& rect) {
    const stage::Rect seen = from.to_screen(rect, viewport);
    const stage::Point corner = to.to_plane({seen.x, seen.y}, viewport);
    rect = {corner.x, corner.y, seen.width / to.zoom, seen.height / to.zoom};
  };
  for (stage::Block& block : stage.blocks) moved(block.cells);
  for (stage::Group& group : stage.groups) {
    moved(group.bounds);
    moved(group.caption);
  }
  const float factor = from.zoom / to.zoom;
  const stage::Point origin = to.to_plane(from.to_screen(stage::Point{}, viewport), viewport);
  for (stage::Figure& figure : stage.figures) stage::zoom(figure, factor, origin.x, origin.y);
  return stage;
}

/// The camera of a framing; `fitted` shows the whole step.
stage::Camera camera_for(const std::optional<document::Framing>& framing, const stage::Rect& bounds,
                         const stage::Camera& fitted) {
  if (!framing) return fitted;
  return {{bounds.x + framing->x * bounds.width, bounds.y + framing->y * bounds.height},
          fitted.zoom * framing->zoom};
}

/// The inverse of camera_for; nothing for the camera that shows the whole step.
std::optional<document::Framing> framing_of(const stage::Camera& camera, const stage::Rect& bounds,
                                            const stage::Camera& fitted) {
  if (camera == fitted || bounds.empty()) return std::nullopt;
  return document::Framing{
      std::clamp((camera.centre.x - bounds.x) / bounds.width, -1.0F, 2.0F),
      std::clamp((camera.centre.y - bounds.y) / bounds.height, -1.0F, 2.0F),
      std::clamp(camera.zoom / fitted.zoom, document::smallest_zoom, document::largest_zoom)};
}

}  // namespace

void App::refresh_stage(double seconds) {
  // What has the focus is known of what is there: where that has changed, it is composed again.
  compose(seconds);
  let_go();
  compose(seconds);
  if (session_.document().view_state.framing != framing_) frame_stage();
  stage_ = stage::at(composed_.value().stage, session_.document().view_state.progress);
  stage::keep_readable(stage_, session_.attention().trace, focus_);
  if (!chosen()) view_.editing = false;
}

void App::let_go() {
  if (!chosen() || preview_) return;
  const stage::Composition& shown = composed_.value();
  if (stage::find_cell(shown.stage, chosen()->tensor, chosen()->index)) return;
  // It may be in the other view of the step.
  const auto& tensors = lesson::step(session_.document().view_state.step).tensors;
  const bool of_step =
      std::find(tensors.begin(), tensors.end(), chosen()->tensor.value()) != tensors.end();
  if (!of_step || !shown.either) choose(std::nullopt);
}

stage::Focus App::focus_on(const stage::Stage* stage) const {
  const document::ViewState& view_state = session_.document().view_state;
  const stage::Attention reader{view_.pointed, view_.playing || view_.scrubbing};
  stage::Focus focus = stage == nullptr
                           ? stage::focus_of(session_.attention(), view_state, {}, {})
                           : stage::focus_of(session_.attention(), view_state, *stage, reader);
  if (focus.by != stage::FocusBy::step) return focus;
  if (held_ && at_the_same_place(held_->at, view_state) &&
      is_cell_of(session_.attention().trace, held_->cell)) {
    focus.cell = held_->cell;
    return focus;
  }
  if (view_state.step != lesson::StepId::overview) return focus;
  // On the map, what the step was about from which one came, if that is seen; where all heads are,
  // a weight.
  const bool heads = view_state.show != document::Show::matrices &&
                     stage::has_all_heads({session_.computed(), session_.attention(), view_state});
  document::ViewState before = view_state;
  before.step = heads ? lesson::StepId::softmax : view_.before_map;
  const document::CellRef cell = stage::step_cell(session_.attention(), before);
  if (heads || stage::is_on_map(cell.tensor, view_state)) focus.cell = cell;
  const model::TensorId gradient = focus.cell.tensor.gradient();
  if (view_state.gradients && session_.attention().trace.has(gradient))
    focus.cell.tensor = gradient;
  return focus;
}

const document::ComputedAttention& App::previewed() const {
  const auto& preview = composed_.key().preview;
  return preview ? session_.computed().find(preview->attention) : session_.attention();
}

stage::Focus App::panel_focus() const {
  const auto& preview = composed_.key().preview;
  if (!preview) return focus_;
  document::ViewState view_state = session_.document().view_state;
  view_state.step = lesson::StepId::softmax;
  view_state.attention = preview->attention;
  view_state.head = preview->head;
  view_state.cell.reset();
  if (auto there = document::settle(view_state, view_state, session_.computed()))
    view_state = *std::move(there);
  return {stage::step_cell(previewed(), view_state), stage::FocusBy::pointed, {}};
}

stage::Focus App::focus() const {
  const stage::Stage now = composition().stage;
  return focus_on(&now);
}

stage::Composition App::composition() const { return composition(focus_on(nullptr)); }

stage::Composition App::composition(const stage::Focus& focus,
                                    const std::optional<document::ChooseHeadOf>& preview) const {
  const stage::Rect room = chrome_.stage.empty()
                               ? stage::arrange(usual_width, usual_height, parts_).stage
                               : chrome_.stage;
  const stage::Space space{room.width - 2.0F * margin, room.height - 2.0F * margin,
                           chrome_.form == stage::Form::page};
  // Half-way, the same progress always shows the same: what moves, or is pointed at, moves nothing.
  const bool half_way = session_.document().view_state.progress < 1.0F;
  document::ViewState view_state = stage::focused(
      session_.document().view_state, session_.attention(), half_way ? focus_on(nullptr) : focus);
  if (preview) {
    view_state.attention = preview->attention;
    view_state.head = preview->head;
    view_state.cell.reset();
    // Given twice, it is corrected without errors: the other attention may have fewer queries.
    if (auto there = document::settle(view_state, view_state, session_.computed()))
      view_state = *std::move(there);
  }
  stage::Composition made =
      stage::compose(session_.computed(), view_state, space,
                     view_state.guessing ? nullptr : session_.without_mistake());
  if (const document::Computed* original = view_state.compare ? session_.original() : nullptr) {
    stage::subtract(made.stage, stage::compose(*original, view_state, space).stage);
    made.stage.sheets.clear();  // they would show numbers below differences
  } else if (!view_state.gradients && !view_state.learning) {
    // While the program learns, most numbers change all the time.
    if (const document::Computed* before = session_.without_edits())
      stage::mark_changed(made.stage, *before, view_state);
  }
  if (parts_.words) stage::put_captions_in_words(made.stage);
  // The reader is still at the chosen head: marks and explanations are about its cells only.
  if (preview) {
    for (stage::Block& block : made.stage.blocks) block.only_seen = true;
  }
  return made;
}

void App::hold_focus(const document::ViewState& before) {
  // What a mask does is seen at a key that it hides, which is another one with another mask.
  if (focus_.by != stage::FocusBy::step || before.step == lesson::StepId::mask) return;
  held_ = Held{focus_.cell, before};
}

void App::compose(double seconds) {
  const document::ViewState& view_state = session_.document().view_state;
  const stage::Rect& viewport = chrome_.stage;
  const bool first = composed_.empty();
  ComposedFor now{session_.revision(),
                  session_.document().configuration.example,
                  composed_view_state(view_state),
                  {},
                  viewport,
                  {}};
  const ComposedFor last = first ? now : composed_.key();
  const bool numbers_changed = last.revision != now.revision;
  const bool resized = last.viewport != viewport;
  const bool elsewhere = shows_another_stage(view_state, last.view_state);
  if (numbers_changed || resized || elsewhere) preview_.reset();
  now.preview = preview_;
  const bool another =
      first || numbers_changed || resized || elsewhere || last.preview != now.preview;
  if (another) view_.pointed.reset();
  if (elsewhere) chosen_block_.reset();
  if (last.example != now.example) {
    held_.reset();
  } else if (numbers_changed && !elsewhere) {
    hold_focus(last.view_state);
  }
  focus_ = focus_on(another ? nullptr : &composed_.value().stage);
  now.focus = focus_;
  if (composed_.has(now)) return;
  stage::Composition next = composition(focus_, preview_);
  const bool reshaped = first || next.stage.bounds != composed_.value().stage.bounds ||
                        next.stage.blocks.size() != composed_.value().stage.blocks.size();
  fitted_ = stage::Camera::framing(next.stage.bounds, viewport, margin, 1.0F);
  if (elsewhere && !platform_->preferences().reduced_motion) {
    // Start where things are on screen now, even in the middle of another animation.
    before_ = seen_under(drawn_.stage, camera_, fitted_, viewport);
    travel_start_ = seconds;
  } else if (elsewhere || resized || reshaped) {
    travel_start_ = -1.0;
  }
  if (numbers_changed && !session_.trains()) note_changes(next.stage, seconds);
  // One that came with the other attention, in a link, stays.
  if (view_state.attention != last.view_state.attention && chosen() == last.view_state.cell)
    choose(std::nullopt);
  composed_.keep(now, std::move(next));
  // An edit leaves the camera where the reader put it.
  if (elsewhere || resized || reshaped) frame_stage();
}

void App::frame_stage() {
  framing_ = session_.document().view_state.framing;
  camera_ = camera_for(framing_, composed_.value().stage.bounds, fitted_);
}

void App::keep_framing() {
  if (drag_) return;  // kept when the pointer is released
  const std::optional<document::Framing> now =
      framing_of(camera_, composed_.value().stage.bounds, fitted_);
  if (now == framing_) return;
  if (session_.perform(document::Frame{now})) framing_ = session_.document().view_state.framing;
}

}  // namespace app
