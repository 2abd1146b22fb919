// The part of the screen's state that is not in the document, and what the reader asks for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/session.hpp"
#include "draw/notice.hpp"
#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "lesson/steps/offered_steps.hpp"
#include "stage/focus/focus.hpp"
#include "stage/layout/chrome.hpp"
#include "stage/layout/composition.hpp"
#include "stage/scene/stage.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace draw {

using stage::address_text;
using stage::words_for;

using document::CellRef;

/// The speeds at which the lesson can play: half, normal and double.
inline constexpr std::array<float, 3> play_speeds = {0.5F, 1.0F, 2.0F};

/// The groups of controls that can be folded.
enum class PanelGroup : unsigned char { translation, settings, break_it, learn, copy };

/// Cells that a message offers to go to; valid while `message` is the one on screen.
struct Offer {
  std::string message;
  std::vector<CellRef> cells;  ///< in the attention on screen
};

/// What the last edit changed; true for as long as the session has this revision.
struct Changed {
  std::string sentence;
  std::uint64_t revision = 0;
};

/// What the last step of learning did; true for as long as the session has this revision.
struct Learned {
  float before = 0.0F;  ///< the loss
  float after = 0.0F;
  float first = 0.0F;     ///< the loss before the first of `steps`
  std::size_t steps = 0;  ///< with nothing else in between
  std::uint64_t revision = 0;
};

/// What the reader is doing on the screen. It changes no number and is not saved.
struct View {
  std::optional<CellRef> pointed;  ///< under the pointer
  std::optional<stage::Rect>
      pinned_place;                  ///< the chosen cell's place on the screen in the last frame
  std::optional<CellRef> inspected;  ///< whose arithmetic the inspector shows
  model::Mistake explained =
      model::Mistake::none;                      ///< the mistake whose explanation was scrolled to
  lesson::OfferedSteps offered_steps;            ///< to which the bar, keys and playing lead
  std::optional<lesson::ExampleId> settings_of;  ///< of which example the settings were shown last
  bool shows_training = false;  ///< the settings of a training, which come first, were asked for
  bool editing = false;         ///< the chosen cell's number is being typed
  std::string edit_text;
  bool edit_starts = false;      ///< the field for it must take the keyboard
  bool select_all = false;       ///< and select its text
  bool has_film = false;         ///< what is drawn can be recorded
  bool has_file_dialog = false;  ///< a picture can be chosen; dropping one always works
  bool has_languages = false;    ///< the page can show the program in another language
  /// The first step that showed a shape. It explains the letters until the reader moves on.
  std::optional<lesson::StepId> letters_step;
  bool letters_seen = false;
  std::optional<PanelGroup> open_group;  ///< the group of controls that is unfolded
  std::size_t said_place = 0;            ///< the token of the translation whose choices are listed
  bool controls_open = false;            ///< the sheet of controls over the stage is open
  bool playing = false;                  ///< the lesson plays by itself
  bool scrubbing = false;                ///< the step's progress is being dragged
  /// The step from which the reader went to the map; the map itself if there is none.
  lesson::StepId before_map = lesson::StepId::overview;
  float speed = 1.0F;                   ///< one of play_speeds
  std::optional<std::uint64_t> copied;  ///< Session::changes when the link was copied
  std::string message;                  ///< what was wrong with the last input; may be empty
  Changed changed;
  Offer offer;                  ///< shown with that message
  std::string sentence_text;    ///< text that is being typed into the sentence field
  Notice notice;                ///< not shown while there is a message
  bool notice_pointed = false;  ///< the pointer was on it in the last frame
  bool copy_whole = false;      ///< copy the whole tensor, not only the matrix that is drawn
  Learned learned;
  bool learns = false;  ///< one step of learning follows another
  std::string training_rate_text;
  std::string seed_text;
  std::string scale_text;
  std::string rate_text;
  std::string kdim_text;
  std::string rope_text;
  std::string window_text;
  std::string softcap_text;
  std::string sink_text;
  std::string batch_text;
  std::string guess_answer;  ///< the reaction to the last guess
};

/// The format in which a chosen cell or its matrix is copied.
enum class CopyAs : unsigned char {
  number,
  table,
  numpy,
  pytorch,
  png,
  svg,
  safetensors,
  numpy_program,
  pytorch_program,
  step_png,
  step_svg,
  film
};

/// The text of the sentence field, sent after each letter and again when the field is left.
struct TypedSentence {
  std::string text;
  bool left = false;  ///< the field was left, by Enter or otherwise
};

/// Another moment of a training.
struct TrainedSteps {
  std::size_t steps = 0;
  bool goes_on = false;  ///< the same drag as before
};

/// What the reader asked for in this frame; commands are in order.
struct Requests {
  std::vector<document::Command> commands;
  bool undo = false;
  bool redo = false;
  bool begin_guessing = false;          ///< switch on a random mistake to guess
  std::optional<model::Mistake> guess;  ///< the reader's guess; `none`: gives up
  bool learn = false;                   ///< one step of learning
  bool learns = false;                  ///< start or stop learning
  bool play = false;                    ///< start or stop playing
  bool train = false;                   ///< start or pause training
  bool train_step = false;              ///< learn one step more
  bool restart_training = false;        ///< back to step 0
  bool next_sequence = false;           ///< let the network read another one
  std::optional<TrainedSteps> trained_steps;
  bool map = false;              ///< go to the map, or back to the step before it
  bool choose_picture = false;   ///< open a file dialog
  bool load_translator = false;  ///< and show it when its weights are there
  bool choose_layer = false;     ///< open a file dialog for own-layer
  std::string language;          ///< show the present state in this language, if not empty
  bool copy_link = false;        ///< copy a link to the current view
  std::optional<CopyAs> copy;
  std::optional<document::ViewState> level;  ///< up, to what is looked at there
  std::optional<CellRef> go_to;              ///< choose this cell, in a step that shows it
  std::optional<TypedSentence> sentence;     ///< the sentence field has another text or was left
  std::optional<std::string> own_words;      ///< other tokens for the attention of a file
  std::string error;  ///< what was wrong with an input that led to no command

  void add(document::Command command) { commands.push_back(std::move(command)); }
};

/// The cells that the message offers; none if another message has replaced it.
inline std::vector<CellRef> offered(const View& view) {
  return view.message == view.offer.message ? view.offer.cells : std::vector<CellRef>();
}

/// What the last edit changed, as a sentence; empty if other numbers changed since.
inline std::string changed(const View& view, const document::Session& session) {
  return view.changed.revision == session.revision() ? view.changed.sentence : std::string();
}

/// What every panel reads from.
struct Screen {
  const document::Session& session;
  const stage::Chrome& chrome;
  const Theme& theme;
  const Type& type;
  const stage::Composition& composition;
  const stage::Focus& focus;  ///< the cell that everything is about
  /// Of the cell in focus: the session's, or that of a head which is enlarged under the pointer.
  const document::ComputedAttention& attention;
};

/// The text of the button that copies the link, by its key. It says "copied" until the session
/// changes.
inline const char* link_text(const View& view, const document::Session& session) {
  return view.copied == session.changes() ? "draw.bar.link.copied" : "draw.bar.link.copy";
}

}  // namespace draw
