// The application: connects platform, session, stage and drawing in one loop.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/input/drag_state.hpp"
#include "app/input/touch_scroll.hpp"
#include "app/window/picture_export.hpp"
#include "code/figure_program.hpp"
#include "document/lesson_file/lesson_file.hpp"
#include "document/memo.hpp"
#include "document/session.hpp"
#include "draw/gl/cells.hpp"
#include "draw/gl/imgui_renderer.hpp"
#include "draw/legend/legend.hpp"
#include "draw/panels/panels.hpp"
#include "draw/stage/stage_view.hpp"
#include "draw/text/glyph_source.hpp"
#include "draw/text/type.hpp"
#include "lesson/input/own_layers.hpp"
#include "platform/platform.hpp"
#include "stage/focus/focus.hpp"
#include "stage/layout/camera.hpp"
#include "stage/layout/chrome.hpp"
#include "stage/layout/composition.hpp"

namespace app {

/// One running program on one window or canvas. An ImGui context must be current when it is made
/// and while it lives.
///
/// An event becomes a command; the command changes the document; the document is computed into
/// traces; they are laid out as a stage; the stage is drawn. Only commands change the document.
class App final : public platform::Client {
 public:
  App();

  /// The platform to ask for frames, clipboard and preferences; it must outlive the App. Call once,
  /// after Platform::open.
  void attach(platform::Platform& platform);

  void prepare(double seconds) override;
  void graphics_ready() override;
  void graphics_lost() override;
  void frame(double seconds) override;
  bool finger_scrolls() const override { return touch_scroll_.scrolls(); }
  bool took_keys() override { return std::exchange(took_keys_, false); }
  // own_picture.cpp: shows the reader's picture in image-patches; errors become the message.
  void picture_given(std::span<const std::uint8_t> rgba, std::size_t width,
                     std::size_t height) override;
  void refused(const std::string& sentence) override;

  // own_file.cpp
  /// Opens a dialog to choose a file with an attention, where the platform has one.
  void choose_layer();
  /// Shows a variant of own-layer, from the beginning.
  base::Result<void> show_own_layer(std::size_t variant);
  /// Shows the attention of a file that is shown with the array .npy `bytes` as its tokens. Errors:
  /// what is wrong with it; none is shown.
  base::Result<void> show_own_tokens(const std::string& name, std::span<const std::byte> bytes);

  using Places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  /// Where the rows of these tokens lie in the file of the attention that is shown; with these
  /// rows, shows it with them. Errors: as lesson::places_of_words and lesson::add_own_words.
  base::Result<Places> own_words(const lesson::OwnWords& words,
                                 std::optional<std::span<const std::byte>> rows);
  /// What to do when the reader has typed tokens for it: the App does not read files.
  void when_words_are_typed(std::function<void(const std::string&)> told) {
    words_are_typed_ = std::move(told);
  }

  // api_lesson.cpp
  /// The lesson that the reader is led through; one without steps: none.
  const document::LessonFile& lesson() const { return lesson_; }
  void take_lesson(document::LessonFile lesson);
  /// Shows a step of it, which is there. `keep`: everything stays as it is, and only what can be
  /// changed is as the step says.
  base::Result<void> show_lesson_step(std::size_t place, bool keep);

  /// Shows a sentence for as long as it takes to read it; an empty one takes away what is shown.
  void notify(std::string sentence);

  const document::Session& session() const { return session_; }
  /// Carries out a command. On error nothing changes, and the error is shown as the message until a
  /// command succeeds.
  base::Result<void> perform(const document::Command& command);
  base::Result<void> replace(const document::Document& document);
  void undo();
  void redo();

  /// What is on screen as a program in Python. Errors: it would tell the mistake that is to be
  /// guessed.
  base::Result<code::FigureText> program(code::Library library) const;

  // guessing.cpp
  /// Makes a random mistake, other than the present one, that changes the output. The reader has to
  /// find out which. Errors: no mistake changes a number here.
  base::Result<void> begin_guessing();
  /// Returns the answer to a guess; the right one ends the game, and so does `none`, giving up.
  /// Errors: no game is on.
  base::Result<std::string> guess(model::Mistake guessed);

  // links.cpp
  /// "#v=1&example=…"; see document::to_link.
  base::Result<std::string> link() const;
  /// As document::open_link; the problems are also shown as the message. `begins`: the program
  /// starts with this link, so there is nothing to undo.
  std::vector<std::string> open_link(std::string_view link, bool begins = false);
  /// The address of the page, without “#…”, that copied links begin with.
  void set_address(std::string address) { address_ = std::move(address); }

  // typing_sentence.cpp
  /// Shows the sentence as far as it has been typed, while it can be computed; the last one that
  /// could stays. What is wrong with it is said when the field is left. All of one typing is one
  /// undo step.
  void type_sentence(const draw::TypedSentence& typed);

  /// Selects a cell; where this step does not show it, in the step that does.
  void go_to(const document::CellRef& cell);

  // playing.cpp
  /// Starts or stops playing the lesson.
  void set_playing(bool on);
  bool playing() const { return view_.playing; }
  /// Plays the present step once. Any input ends it. With reduced motion, shows its end at once.
  void play_once();
  /// `speed`: one of draw::play_speeds.
  void set_speed(float speed);
  float speed() const { return view_.speed; }

  // learning.cpp
  /// The cell whose target is set where `cell` is set: one of output or attention_weights, while
  /// the reader sets targets; nothing for others.
  std::optional<document::CellAddress> targeted(const document::CellRef& cell) const;
  /// Sets a number in a cell: a target where the reader sets targets, else an edit.
  document::Command command_to_set(const document::CellAddress& cell, float value) const;
  /// One step of gradient descent. Errors: as document::learned; nothing changes then.
  base::Result<void> learn();
  /// Starts or stops learning step after step, until nothing is left to learn or a step fails. All
  /// steps until it stops are one undo step.
  void set_learning(bool on);
  /// What the last step changed; of another revision if numbers have changed since.
  const draw::Learned& learned() const { return view_.learned; }
  bool learns() const { return view_.learns; }
  // training.cpp
  /// Starts or pauses the training of an example with a task. Errors: it has none; training failed.
  base::Result<void> set_training(bool on);

  /// Saves the matrix of this tensor (of one head) with the next frame, as SVG or PNG. False where
  /// this attention has no such matrix.
  bool save_picture(model::TensorId tensor, std::optional<std::size_t> head, bool scalable);
  /// Saves all that the stage shows with the next frame, as SVG or PNG.
  void save_step(bool scalable);
  /// Plays the step once and records it. False where the platform cannot.
  bool begin_film();
  /// Saves every tensor as EXAMPLE.safetensors: what `attention-live trace` writes, for what is on
  /// screen.
  void save_tensors();

  /// Chooses which parts around the stage are shown from the next frame on.
  void show(const stage::Parts& parts);
  const stage::Parts& parts() const { return parts_; }
  /// Chooses to which steps the bar, keys and playing lead. What is shown stays.
  void offer(const lesson::OfferedSteps& steps);
  const lesson::OfferedSteps& offered_steps() const { return view_.offered_steps; }
  /// The cell under the pointer, if there is one.
  const std::optional<document::CellRef>& pointed() const { return view_.pointed; }
  /// What everything on the screen is about, as the document is now.
  stage::Focus focus() const;
  /// What the step shows in the room that the stage has, as the document is now: also before the
  /// frame that will show it.
  stage::Composition composition() const;

  /// The stage as the last frame showed it.
  const draw::Drawn& drawn() const { return drawn_; }
  const draw::CellsRenderer& cells() const { return cells_; }
  const draw::Theme& theme() const;
  /// The colours of the site around the figure. Errors: colours on which something could not be
  /// read; the themes are then as they were made.
  base::Result<void> set_colours(const draw::SiteColours& colours);
  /// What was wrong with the last input, and the cells that are offered instead; empty: nothing.
  std::string message() const;
  /// What was done invisibly, or does nothing that is seen; it goes by itself.
  const std::string& notice() const { return view_.notice.sentence(); }
  /// What the last edit changed, as a sentence; empty if other numbers changed since.
  std::string changed() const { return draw::changed(view_, session_); }
  std::uint64_t frames_drawn() const { return frames_drawn_; }

 private:
  /// What a composition depends on.
  struct ComposedFor {
    std::uint64_t revision = 0;  // of the session
    lesson::ExampleId example{};
    document::ViewState view_state;  // without what only moves or colours what is there
    stage::Focus focus;
    stage::Rect viewport;
    std::optional<document::ChooseHeadOf> preview;
    friend bool operator==(const ComposedFor&, const ComposedFor&) = default;
  };

  /// Shows the error as the message, or clears it; requests a frame.
  base::Result<void> told(base::Result<void> result);
  /// After an edit; `before`: the numbers that it changed.
  void say_what_changed(const document::Computed& before);
  void after_another_mistake();
  void begin(const platform::Surface& surface, double seconds);
  /// Where everything stands on a surface of this size.
  void arrange(float width, float height);
  void panels(draw::Requests& requests);
  void carry_out(const draw::Requests& requests);

  // composing.cpp: what stands on the stage, and the camera that shows it.
  void refresh_stage(double seconds);
  void compose(double seconds);
  /// `preview`: a head that is shown as if it was chosen.
  stage::Composition composition(const stage::Focus& focus,
                                 const std::optional<document::ChooseHeadOf>& preview = {}) const;
  /// The focus on this stage, or where it is null, without what moves and what is pointed at.
  stage::Focus focus_on(const stage::Stage* stage) const;
  /// After a change of numbers in an example: the cell that a step chose because its number was
  /// large keeps the focus, so that what the change did to it can be seen. `before`: where it had
  /// the focus.
  void hold_focus(const document::ViewState& before);
  /// The attention of a head that is enlarged under the pointer, else the session's.
  const document::ComputedAttention& previewed() const;
  /// What the panels explain: the focus, or a weight of the head that is enlarged.
  stage::Focus panel_focus() const;
  /// A chosen cell that this step does not show is no longer chosen.
  void let_go();
  /// Puts the camera where the view state's framing has it.
  void frame_stage();
  void keep_framing();

  // draw_frame.cpp: from what the stage shows now to pixels.
  void draw_frame(const platform::Surface& surface, double seconds);
  draw::Scene scene_at(double seconds);
  /// Whose colour scale is shown: the block of the focus, else what this step makes.
  std::optional<std::size_t> legend_block() const;
  /// False if a shader does not compile; the message says which.
  bool shaders_ready();
  void draw_cells(const platform::Surface& surface, const draw::Theme& colours);
  /// Whether the screen already shows what the next frame would draw. If not, assumes that it does
  /// from now on.
  bool is_on_the_screen(const platform::Surface& surface, const draw::Theme& colours);

  void copy_link();

  // training.cpp
  /// Learns for a slice of this frame.
  void train();
  /// Where training rests: why nothing was learned, if so.
  void say_how_it_went();
  void train_as_asked(const draw::Requests& requests);

  // playing.cpp: playing the lesson.
  void play(double seconds);
  void toggle_playing();
  void play_learning(double seconds);
  /// Ends playing a step once, at its end.
  void end_playing_once();
  /// True if a key, a button or the wheel was used since the last frame.
  static bool has_input();

  /// To the map, or back to the step one came from.
  void toggle_map();
  /// Requests frames from the platform, if there is one. Needed for changes from outside a frame
  /// and for animations; input events request their frames themselves.
  void request_frame();

  // pointer.cpp: pointing, choosing, panning and zooming, dragging numbers.
  void interact(draw::Requests& requests);
  void pointer(draw::Requests& requests);
  DragState press_at(stage::Point at, stage::Point plane,
                     const std::optional<stage::Hit>& hit) const;
  void begin_drag(stage::Point at);
  void drag_to(stage::Point at, bool fine);
  void drag_edit(std::vector<document::Edit> edits);
  void drag_perform(const document::Command& command);
  /// Cancels a drag and undoes what it changed.
  void break_off();
  void show_sheet(stage::Point plane) const;
  /// What the letters of a matrix's shape mean, over its caption.
  void show_axes(stage::Point plane) const;
  void show_cursor(const std::optional<stage::Hit>& hit) const;
  const std::optional<document::CellRef>& chosen() const {
    return session_.document().view_state.cell;
  }
  void choose(std::optional<document::CellRef> cell);
  void choose_cell(const std::optional<stage::Hit>& hit);
  /// Carries out what pointing at a target does, once each time the pointer enters it.
  void point_at(const stage::Target* target, draw::Requests& requests);
  /// Goes from the map to the step that makes the tensor at a point; false if there is no tensor.
  bool leave_map(stage::Point plane, const std::optional<stage::Hit>& hit,
                 draw::Requests& requests);
  std::optional<stage::Hit> place_of(const std::optional<draw::CellRef>& cell) const;
  /// Where the focus is, or will be when the animation has computed it.
  std::optional<stage::Hit> place_of_focus() const;
  void zoom_at(stage::Point screen, float factor);
  void fit();

  // keys.cpp
  bool keys(draw::Requests& requests);
  bool close_what_is_open(draw::Requests& requests);
  bool keys_with_control(draw::Requests& requests);
  bool keys_through_the_step(draw::Requests& requests) const;
  bool keys_on_the_cell(draw::Requests& requests);
  bool typed_keys(draw::Requests& requests);
  bool typed_letter(unsigned int typed, draw::Requests& requests);
  bool go_by_steps(int by, draw::Requests& requests) const;
  bool step_through_heads(bool forward, draw::Requests& requests) const;
  void move_chosen(int rows, int columns);

  // editing.cpp: typing a number into the chosen cell.
  /// Opens the field with `text`, or with the cell's number, all of it selected, if that is empty.
  void begin_editing(const std::string& text = {});
  void edit_box();
  bool number_field();
  bool edit_key();
  bool commit_edit();
  void edit_next(int by);
  /// True if the chosen cell cannot be edited. Says why, and offers the given cells that it was
  /// computed from.
  bool refuses_edit();
  /// The number of a cell that can be edited.
  float number_in(const document::CellRef& cell) const;
  static std::string typed_text();

  // clipboard.cpp
  void copy_cell();
  void paste(const std::string& text);
  /// What the reader chose in the panel: a number, a table, code or a picture.
  void copy(draw::CopyAs as);
  void copy_program(code::Library library);
  void copy_text(const stage::Block& shown, draw::CopyAs as);
  void save_file(const std::string& name, const std::string& bytes, const char* media_type);
  /// "you-are-welcome-softmax"
  std::string step_file_name() const;
  std::string tensors_file_name() const;
  static std::string pasted_text();
  static bool is_block(const std::string& text);

  // picture_export.cpp: draws a picture off the screen. Called before and after drawing a frame, so
  // that its glyphs are rasterised together with those of the frame.
  void begin_picture(const draw::Scene& on_screen);
  void draw_picture_cells(bool pieces);
  void end_film();
  void finish_picture();

  // Editing marks.
  void note_changes(const stage::Stage& next, double seconds);
  void draw_edit_marks(double seconds, ImDrawList* list);

  /// The sentence that is being typed.
  struct Typing {
    std::uint64_t revision = 0;  ///< of the session, after the last letter that changed it
    std::size_t query = 0;       ///< chosen when the typing began
  };

  document::Session session_;
  document::LessonFile lesson_;
  std::optional<Typing> typing_;
  std::function<void(const std::string&)> words_are_typed_;
  draw::View view_;
  /// A theme, in the site's colours if it has any, and what it is where heads look for colours.
  struct Dressed {
    explicit Dressed(const draw::Theme& theme)
        : plain(theme), picture(draw::with_named_heads(theme)) {}
    draw::Theme plain;
    draw::Theme picture;
  };
  Dressed light_theme_{draw::light_theme()};
  Dressed dark_theme_{draw::dark_theme()};
  draw::Type type_;
  draw::GlyphSource letters_;  ///< for scripts that the program's fonts lack
  draw::CellsRenderer cells_;
  draw::ImGuiRenderer imgui_renderer_;
  draw::StageView stage_view_{cells_};
  draw::Legend legend_;
  draw::Drawn drawn_;
  std::vector<draw::CellsInstance> scales_;

  platform::Platform* platform_ = nullptr;
  std::string address_;  // empty: none is known
  bool graphics_ = false;
  bool shaders_ready_ = false;
  stage::Parts parts_;
  stage::Chrome chrome_;
  /// The composition at the end of the step. Keeping it saves 0.2 ms a frame with 9 tokens of 512
  /// numbers, and 25 ms if the numbers that a mistake changed are marked.
  document::Memo<ComposedFor, stage::Composition> composed_;
  /// A cell that keeps the focus of its place while numbers change.
  struct Held {
    document::CellRef cell;
    document::ViewState at;
  };
  std::optional<Held> held_;
  stage::Focus focus_;   // what it is composed around
  stage::Stage stage_;   // the same at the view state's progress: what is seen and pointed at
  stage::Stage before_;  // where blocks travel from
  double travel_start_ = -1.0;  // seconds; negative: nothing travels
  double now_ = 0.0;
  double played_ = 0.0;       // seconds; when the last frame of a playing step was drawn
  double hold_ = 0.0;         // seconds that a finished step still stays
  bool once_ = false;         // only this step is played
  double learned_at_ = -1.0;  // seconds; when the last step of learning was made

  std::optional<document::Framing> framing_;  // of the view state that camera_ was set to
  stage::Camera camera_;
  stage::Camera fitted_;                           // the camera that shows the whole step
  bool films_ = false;                             // what plays is recorded
  std::optional<Picture> picture_;                 // asked for, drawn with the next frame
  std::vector<stage::CellRange> flashing_;         // cells that just changed
  double flash_start_ = -1.0;                      // seconds
  std::optional<document::ChooseHeadOf> preview_;  // the head that the mouse is over
  std::optional<std::size_t> pointed_block_;       // a tensor may be drawn several times
  std::optional<std::size_t> chosen_block_;
  std::optional<stage::Rect> target_;  // the place of the target under the pointer
  stage::Point elsewhere_;             // where the pointer was when it was last not over the stage
  TouchScroll touch_scroll_;
  bool took_keys_ = false;
  std::optional<DragState> drag_;  // while the pointer is pressed on the stage
  std::uint64_t frames_drawn_ = 0;
  draw::FrameBytes on_the_screen_;  // what the last frame was drawn from
};

}  // namespace app
