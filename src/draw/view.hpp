// What the panels show beside the document, and what they ask for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/session.hpp"
#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/focus/focus.hpp"
#include "stage/layout/chrome.hpp"
#include "stage/layout/composition.hpp"
#include "stage/scene/stage.hpp"
#include "stage/wording/explanation_words.hpp"

namespace draw {

using stage::address_text;
using stage::words_for;

using document::CellRef;

/// How fast the lesson can play by itself: half, normal, double.
inline constexpr std::array<float, 3> play_speeds = {0.5F, 1.0F, 2.0F};

/// The groups of controls that fold.
enum class PanelGroup : unsigned char { settings, break_it, copy };

/// Cells to go to from a message, for as long as it is the one that is shown.
struct Offer {
  std::string message;
  std::vector<CellRef> cells;  ///< of the attention on screen
};

/// Where the reader is on the screen. Changes no number and is in no document.
struct View {
  std::optional<CellRef> pointed;  ///< under the pointer
  std::optional<stage::Rect>
      pinned_place;      ///< where the chosen cell was on the screen in the last frame
  bool editing = false;  ///< the chosen cell's number is being typed
  std::string edit_text;
  bool edit_starts = false;      ///< the field must take the focus
  bool select_all = false;       ///< ... with its text selected
  bool has_file_dialog = false;  ///< a picture can be chosen; it can be dropped in any case
  /// The first step that showed a shape: what its letters mean is said until one goes on.
  std::optional<lesson::StepId> letters_step;
  bool letters_seen = false;
  bool words_open = false;               ///< the step's words, formula and shapes in full
  std::optional<PanelGroup> open_group;  ///< of the controls, the one that is not folded
  bool controls_open = false;  ///< the sheet of controls, where there is no room for a panel
  bool playing = false;        ///< the lesson goes on by itself
  bool scrubbing = false;      ///< the step's progress is dragged
  /// Where one came from to the map; the map itself: from nowhere.
  lesson::StepId before_map = lesson::StepId::overview;
  float speed = 1.0F;                                    ///< of playing, one of play_speeds
  std::optional<std::uint64_t> copied;  ///< Session::changes when the link was copied
  std::string message;                  ///< what was wrong with the last input; empty: nothing
  Offer offer;                          ///< under that message
  std::string sentence_text;            ///< the sentence field while it is typed in
  std::string notice;                   ///< what has been done and cannot be seen: a copy, a file
  bool copy_whole = false;  ///< copies are of the whole tensor, not of the matrix that is drawn
  std::string seed_text;
  std::string scale_text;
  std::string guess_answer;  ///< what was said to the last guess
};

/// What a chosen cell, or the matrix it is in, is copied as.
enum class CopyAs : unsigned char { number, table, numpy, pytorch, png, svg };

/// The text of the sentence field, after each letter and once more when it is left.
struct TypedSentence {
  std::string text;
  bool left = false;  ///< by Enter, or for something else
};

/// What the reader asked for in this frame, in order.
struct Requests {
  std::vector<document::Command> commands;
  bool undo = false;
  bool redo = false;
  bool begin_guessing = false;          ///< make a mistake at random, to be named
  std::optional<model::Mistake> guess;  ///< which it is; `none`: the reader gives up
  bool play = false;                    ///< start playing, or stop
  bool map = false;                     ///< go to the map, or back to where one came from
  bool choose_picture = false;          ///< ask for a file
  bool copy_link = false;               ///< put the link to what is seen on the clipboard
  std::optional<CopyAs> copy;
  std::optional<CellRef> go_to;           ///< select this cell, in the step that shows it
  std::optional<TypedSentence> sentence;  ///< the sentence field has another text, or was left
  std::string error;                      ///< input that is no command: said, not done

  void add(document::Command command) { commands.push_back(std::move(command)); }
};

/// The cells that are offered under the message; none if it is another one by now.
inline std::vector<CellRef> offered(const View& view) {
  return view.message == view.offer.message ? view.offer.cells : std::vector<CellRef>();
}

/// What every panel reads.
struct Screen {
  const document::Session& session;
  const stage::Chrome& chrome;
  const Theme& theme;
  const Type& type;
  const stage::Composition& composition;
  const stage::Focus& focus;  ///< what all of them are about
};

/// What the button says that copies the link: that it has been copied, until the session changes.
inline const char* link_label(const View& view, const document::Session& session) {
  return view.copied == session.changes() ? "Link copied##link" : "Copy link##link";
}

}  // namespace draw
