#include "app/app.hpp"

#include <algorithm>
#include <utility>

#include "app/news.hpp"
#include "draw/panels/widgets.hpp"
#include "imgui.h"
#include "platform/text_picture.hpp"
#include "stage/highlight/cell_diff.hpp"
#include "stage/wording/changed_words.hpp"

namespace app {

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
  view_.has_film = platform.has_film();
  view_.has_file_dialog = platform.has_file_dialog();
  view_.has_languages = platform.has_languages();
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
  const Dressed& dressed = dark ? dark_theme_ : light_theme_;
  const lesson::Example& example = lesson::example(session_.document().configuration.example);
  return example.has_picture ? dressed.picture : dressed.plain;
}

base::Result<void> App::set_colours(const draw::SiteColours& colours) {
  light_theme_ = Dressed(draw::with_colours(draw::light_theme(), colours));
  dark_theme_ = Dressed(draw::with_colours(draw::dark_theme(), colours));
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
  const document::ViewState looked_at = session_.document().view_state;
  auto done = told(session_.perform(command));
  if (std::holds_alternative<document::ChooseStep>(command))
    notify(where_it_landed(session_, looked_at));
  if (edits && session_.revision() != revision) say_what_changed(numbers);
  if (session_.document().configuration.mistake != before) after_another_mistake();
  return done;
}

void App::after_another_mistake() {
  // What was said to a guess, or of what it changes, was about the mistake before.
  view_.guess_answer.clear();
  notify(why_mistake_is_unseen(session_));
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
  const model::Mistake before = session_.document().configuration.mistake;
  auto done = told(session_.replace(wanted));
  if (session_.document().configuration.mistake != before) after_another_mistake();
  return done;
}

void App::show(const stage::Parts& parts) {
  if (parts == parts_) return;
  parts_ = parts;
  if (!parts_.panel) view_.controls_open = false;
  request_frame();
}

void App::offer(const lesson::OfferedSteps& steps) {
  view_.offered_steps = steps;
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
  // The animation has moved on. Composed now, the panels explain the cell that this frame draws.
  if (view_.playing) refresh_stage(seconds);
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
  const document::Configuration& shown = session_.document().configuration;
  const bool translation = session_.computed().translated.has_value();
  // Where nothing can be changed there is no field, but what is said all the same.
  const bool sentence =
      lesson::takes_words(shown.example, shown.parameters) && (parts_.panel || translation);
  stage::Opened opened{letters,  0.0F,       view_.controls_open, session_.has_task(),
                       sentence, translation};
  if (session_.document().view_state.more) {
    opened.words = 1.0F;
    const float wide = stage::arrange(width, height, parts_, opened).words.width;
    opened.words = draw::words_height(session_, type_, wide);
  }
  const stage::Chrome before =
      std::exchange(chrome_, stage::arrange(width, height, parts_, opened));
  if (before.stage != chrome_.stage) request_frame();
}

void App::panels(draw::Requests& requests) {
  const document::ComputedAttention& attention = previewed();
  const stage::Focus focus = panel_focus();
  const draw::Screen screen{session_, chrome_, theme(), type_, composed_.value(), focus, attention};
  draw::text_panel(screen, view_, requests);
  draw::sentence_panel(screen, view_, requests);
  draw::heads_panel(screen, view_, requests);
  draw::view_panel(screen, requests);
  const std::optional<std::size_t> scaled = legend_block();
  const bool of_weights = scaled && stage_.blocks[*scaled].colouring == stage::Colouring::weights;
  draw::legend_panel(screen, of_weights, requests);
  draw::bar_panel(screen, view_, requests);
  draw::steps_panel(screen, view_, requests);
  draw::training_panel(screen, view_, requests);
  draw::side_panels(screen, view_, requests);
  draw::message_panel(screen, view_, requests);
}

void App::carry_out(const draw::Requests& requests) {
  if (requests.copy) copy(*requests.copy);
  if (requests.play) toggle_playing();
  train_as_asked(requests);
  if (requests.map) toggle_map();
  if (requests.go_to) go_to(*requests.go_to);
  if (requests.level) (void)replace({session_.document().configuration, *requests.level});
  if (requests.begin_guessing) (void)begin_guessing();
  if (requests.guess) (void)guess(*requests.guess);
  if (requests.learn) (void)learn();
  if (requests.learns) set_learning(!view_.learns);
  if (requests.undo) undo();
  if (requests.redo) redo();
  if (requests.copy_link) copy_link();
  if (requests.choose_picture) platform_->choose_picture();
  if (requests.choose_layer) choose_layer();
  if (requests.load_translator) platform_->load_translator();
  if (!requests.language.empty()) platform_->choose_language(requests.language);
  if (requests.own_words && words_are_typed_) words_are_typed_(*requests.own_words);
  if (requests.sentence) type_sentence(*requests.sentence);
  for (const document::Command& command : requests.commands) {
    if (!perform(command)) break;
  }
  const lesson::StepId step = session_.document().view_state.step;
  if (step != lesson::StepId::overview) view_.before_map = step;
  keep_framing();
  if (!requests.error.empty()) view_.message = requests.error;
}

void App::toggle_map() {
  constexpr lesson::StepId map = lesson::StepId::overview;
  if (!view_.offered_steps.has(map)) return;
  const bool there = session_.document().view_state.step == map;
  const lesson::StepId back = view_.before_map == map ? lesson::StepId::sentence : view_.before_map;
  (void)perform(document::ChooseStep{there ? back : map});
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

}  // namespace app
