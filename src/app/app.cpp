#include "app/app.hpp"

#include <algorithm>
#include <utility>

#include "draw/panels/widgets.hpp"
#include "imgui.h"
#include "platform/text_picture.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/highlight/compare.hpp"
#include "stage/layout/folds.hpp"
#include "stage/motion/motion.hpp"
#include "stage/wording/changed_words.hpp"

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
         a.all_samples != b.all_samples || a.map != b.map;
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

App::App() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would draw frames for ever
  io.ConfigInputTextEnterKeepActive = false;
  io.MouseDragThreshold = 5.0F;
  letters_ = [](std::string_view text, float size, draw::Glyph& glyph) {
    platform::TextPicture picture;
    if (!platform::draw_text(text, size, picture)) return false;
    glyph = {picture.width,   picture.height,  picture.left,
             picture.top,     picture.advance, std::move(picture.pixels),
             picture.coloured};
    return true;
  };
  type_ = draw::Type::load(letters_);
}

void App::attach(platform::Platform& platform) {
  platform_ = &platform;
  view_.has_file_dialog = platform.has_file_dialog();
}

void App::graphics_ready() {
  cells_.prepare();
  imgui_renderer_.prepare();
  graphics_ = true;
  shaders_ready_ = false;
}

void App::graphics_lost() {
  graphics_ = false;
  on_the_screen_ = {};
  cells_.forget();
  imgui_renderer_.forget();
}

const draw::Theme& App::theme() const {
  const document::Theme chosen = session_.document().view_state.theme;
  const bool system_is_dark = platform_ != nullptr && platform_->preferences().dark;
  const bool dark =
      chosen == document::Theme::automatic ? system_is_dark : chosen == document::Theme::dark;
  return dark ? dark_theme_ : light_theme_;
}

base::Result<void> App::set_colours(const draw::SiteColours& colours) {
  light_theme_ = draw::with_colours(draw::light_theme(), colours);
  dark_theme_ = draw::with_colours(draw::dark_theme(), colours);
  request_frame();
  const std::string_view refusal = draw::refusal_of(colours);
  return refusal.empty() ? base::Result<void>() : base::fail(std::string(refusal));
}

void App::request_frame() {
  if (platform_ != nullptr) platform_->request_frame();
}

base::Result<void> App::told(base::Result<void> result) {
  view_.message = result ? std::string() : result.error().message;
  request_frame();
  return result;
}

void App::notify(std::string sentence) {
  view_.notice.say(std::move(sentence));
  request_frame();
}

base::Result<void> App::perform(const document::Command& command) {
  end_playing_once();
  view_.notice.clear();
  const model::Mistake before = session_.document().configuration.mistake;
  const bool edits = std::holds_alternative<document::EditCell>(command) ||
                     std::holds_alternative<document::EditCells>(command);
  const document::Computed numbers = edits ? session_.computed() : document::Computed();
  const std::uint64_t revision = session_.revision();
  auto done = told(session_.perform(command));
  if (edits && session_.revision() != revision) say_what_changed(numbers);
  // What was said to a guess was about the mistake before.
  if (session_.document().configuration.mistake != before) view_.guess_answer.clear();
  return done;
}

void App::say_what_changed(const document::Computed& before) {
  view_.changed.sentence =
      stage::changed_words(before, session_.computed(), session_.attention().id);
  view_.changed.revision = session_.revision();
}

base::Result<void> App::replace(const document::Document& document) {
  // A step may be playing once. A document that did not change its progress gets the end of it.
  document::Document wanted = document;
  const bool untouched =
      once_ && wanted.view_state.progress == session_.document().view_state.progress;
  end_playing_once();
  if (untouched) wanted.view_state.progress = 1.0F;
  return told(session_.replace(wanted));
}

void App::show(const stage::Parts& parts) {
  if (parts == parts_) return;
  parts_ = parts;
  if (!parts_.panel) view_.controls_open = false;
  request_frame();
}

void App::undo() {
  session_.undo();
  static_cast<void>(told({}));
}

void App::redo() {
  session_.redo();
  static_cast<void>(told({}));
}

void App::frame(double seconds) {
  if (!graphics_ || platform_ == nullptr) return;
  const platform::Surface surface = platform_->surface();
  if (surface.framebuffer_width <= 0 || surface.framebuffer_height <= 0) return;
  begin(surface, seconds);
  const bool interrupted = once_ && has_input();
  play(seconds);
  play_learning(seconds);
  train();
  if (const auto rest = view_.notice.pass(seconds, view_.notice_pointed))
    platform_->request_frame_in(*rest);
  draw::Requests requests;
  panels(requests);
  interact(requests);
  // But the play button and its key pause it where it is.
  if (interrupted && !requests.play) end_playing_once();
  carry_out(requests);
  arrange(surface.width, surface.height);
  // After the commands, so that their effect is visible in the same frame.
  refresh_stage(seconds);
  draw_frame(surface, seconds);
  ++frames_drawn_;
}

void App::prepare(double seconds) {
  const platform::Surface surface = platform_->surface();
  if (surface.framebuffer_width <= 0 || surface.framebuffer_height <= 0) return;
  begin(surface, seconds);
  draw::Requests requests;  // ignored: there was no input yet
  panels(requests);
  ImGui::EndFrame();
}

void App::begin(const platform::Surface& surface, double seconds) {
  now_ = seconds;
  draw::apply_style(theme());
  ImGui::NewFrame();
  touch_scroll_.update();
  arrange(surface.width, surface.height);
  if (composed_.empty()) refresh_stage(seconds);
}

void App::arrange(float width, float height) {
  // Shapes are on all steps but the first and the map.
  const lesson::StepId step = session_.document().view_state.step;
  const bool shapes = step != lesson::StepId::sentence && step != lesson::StepId::overview;
  if (shapes && !view_.letters_step) view_.letters_step = step;
  if (view_.letters_step && view_.letters_step != step) view_.letters_seen = true;
  const bool letters = shapes && !view_.letters_seen;
  const stage::Opened opened{letters, view_.words_open ? view_.words_height : 0.0F,
                             view_.controls_open, session_.has_task()};
  const stage::Chrome before =
      std::exchange(chrome_, stage::arrange(width, height, parts_, opened));
  if (before.stage != chrome_.stage) request_frame();
}

void App::panels(draw::Requests& requests) {
  const draw::Screen screen{session_, chrome_, theme(), type_, composed_.value(), focus_};
  draw::text_panel(screen, view_);
  draw::heads_panel(screen, view_, requests);
  draw::view_panel(screen, requests);
  const std::optional<std::size_t> scaled = legend_block();
  const bool of_weights = scaled && stage_.blocks[*scaled].colouring == stage::Colouring::weights;
  draw::legend_panel(screen, of_weights, requests);
  draw::bar_panel(screen, view_, requests);
  draw::steps_panel(screen, view_, requests);
  draw::training_panel(screen, requests);
  draw::side_panels(screen, view_, requests);
  draw::message_panel(screen, view_, requests);
}

void App::carry_out(const draw::Requests& requests) {
  const lesson::StepId before = session_.document().view_state.step;
  if (requests.copy) copy(*requests.copy);
  if (requests.play) toggle_playing();
  train_as_asked(requests);
  if (requests.map) toggle_map();
  if (requests.go_to) go_to(*requests.go_to);
  if (requests.begin_guessing) (void)begin_guessing();
  if (requests.guess) (void)guess(*requests.guess);
  if (requests.learn) (void)learn();
  if (requests.learns) set_learning(!view_.learns);
  if (requests.undo) undo();
  if (requests.redo) redo();
  if (requests.copy_link) copy_link();
  if (requests.choose_picture) platform_->choose_picture();
  if (requests.sentence) type_sentence(*requests.sentence);
  for (const document::Command& command : requests.commands) {
    if (!perform(command)) break;
  }
  const lesson::StepId step = session_.document().view_state.step;
  if (step != before) view_.words_open = false;
  if (step != lesson::StepId::overview) view_.before_map = step;
  keep_framing();
  if (!requests.error.empty()) view_.message = requests.error;
}

void App::toggle_map() {
  constexpr lesson::StepId map = lesson::StepId::overview;
  const bool there = session_.document().view_state.step == map;
  const lesson::StepId back = view_.before_map == map ? lesson::StepId::sentence : view_.before_map;
  (void)perform(document::ChooseStep{there ? back : map});
}

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

void App::go_to(const document::CellRef& cell) {
  if (view_.playing) set_playing(false);
  const auto shown = [this](const document::CellRef& wanted) {
    return stage::find_cell(composition().stage, wanted.tensor, wanted.index).has_value();
  };
  document::ViewState there = session_.document().view_state;
  there.progress = 1.0F;
  there.cell = cell;
  // A gradient, or a part of one, lies where its tensor lies.
  const bool gradients = cell.tensor.is_gradient();
  if (gradients) there.cell->tensor = cell.tensor.value().gradient();
  if (gradients != there.gradients) {
    there.gradients = gradients;
    if (auto done = told(session_.perform(document::ShowGradients{gradients})); !done) return;
  }
  if (!shown(*there.cell)) {
    // What is drawn under another name: key_input of a self-attention as query_input.
    const model::Trace& trace = session_.attention().trace;
    const auto owner = trace.has(cell.tensor) ? trace.view_of(cell.tensor) : std::nullopt;
    const auto index =
        owner ? trace[*owner].index_at(trace[cell.tensor].position(cell.index)) : std::nullopt;
    if (index && shown({*owner, *index})) there.cell = document::CellRef{*owner, *index};
  }
  if (!shown(*there.cell)) {
    there.step = lesson::step_making(cell.tensor.value());
    there.framing.reset();
    const char first = model::name_of(cell.tensor.value()).front();
    if (first == 'q') there.projection = document::Projection::q;
    if (first == 'k') there.projection = document::Projection::k;
    if (first == 'v') there.projection = document::Projection::v;
  }
  (void)replace({session_.document().configuration, there});
}

void App::let_go() {
  if (!chosen()) return;
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
  if (focus.by != stage::FocusBy::step || view_state.step != lesson::StepId::overview) return focus;
  // On the map, what the step was about from which one came, if that is seen.
  document::ViewState before = view_state;
  before.step = view_.before_map;
  const document::CellRef cell = stage::step_cell(session_.attention(), before);
  if (stage::is_on_map(cell.tensor, view_state)) focus.cell = cell;
  const model::TensorId gradient = focus.cell.tensor.gradient();
  if (view_state.gradients && session_.attention().trace.has(gradient))
    focus.cell.tensor = gradient;
  return focus;
}

stage::Focus App::focus() const {
  const stage::Stage now = composition().stage;
  return focus_on(&now);
}

stage::Composition App::composition() const { return composition(focus_on(nullptr)); }

stage::Composition App::composition(const stage::Focus& focus) const {
  const stage::Rect room = chrome_.stage.empty()
                               ? stage::arrange(usual_width, usual_height, parts_).stage
                               : chrome_.stage;
  const stage::Space space{room.width - 2.0F * margin, room.height - 2.0F * margin};
  // Half-way, the same progress always shows the same: what moves, or is pointed at, moves nothing.
  const bool half_way = session_.document().view_state.progress < 1.0F;
  const document::ViewState view_state = stage::focused(
      session_.document().view_state, session_.attention(), half_way ? focus_on(nullptr) : focus);
  stage::Composition made =
      stage::compose(session_.computed(), view_state, space,
                     view_state.guessing ? nullptr : session_.without_mistake());
  if (const document::Computed* original = view_state.compare ? session_.original() : nullptr) {
    stage::subtract(made.stage, stage::compose(*original, view_state, space).stage);
    made.stage.sheets.clear();  // they would show numbers below differences
  }
  return made;
}

void App::compose(double seconds) {
  const document::ViewState& view_state = session_.document().view_state;
  const stage::Rect& viewport = chrome_.stage;
  const bool first = composed_.empty();
  ComposedFor now{session_.revision(), composed_view_state(view_state), {}, viewport};
  const ComposedFor last = first ? now : composed_.key();
  const bool numbers_changed = last.revision != now.revision;
  const bool resized = last.viewport != viewport;
  const bool elsewhere = shows_another_stage(view_state, last.view_state);
  const bool another = first || numbers_changed || resized || elsewhere;
  if (another) view_.pointed.reset();
  focus_ = focus_on(another ? nullptr : &composed_.value().stage);
  now.focus = focus_;
  if (composed_.has(now)) return;
  stage::Composition next = composition(focus_);
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
  composed_.keep(std::move(now), std::move(next));
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
