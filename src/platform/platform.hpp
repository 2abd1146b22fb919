// The platform: a window or a canvas with its GL context, input, clipboard, and requests for
// frames. Implemented for the desktop (native.cpp) and for the web (web.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace platform {

/// The drawing surface. Lengths in logical pixels unless noted.
struct Surface {
  float width = 0.0F;
  float height = 0.0F;
  float pixel_ratio = 1.0F;    ///< device pixels per logical pixel
  int framebuffer_width = 0;   ///< device pixels
  int framebuffer_height = 0;  ///< device pixels
};

/// How many frames one request draws. A command takes effect in the first, after the panels were
/// drawn; the second shows it in the panels; in the third, what Dear ImGui measured in the second
/// (the size of a window around its contents, a hover, a focus) is in place; in the fourth, scroll
/// bars have the height of what is there since the third.
inline constexpr int frames_per_request = 4;

/// A gesture of two fingers on a touch screen or a trackpad, since the last frame.
struct Gesture {
  float x = 0.0F;  ///< centre, logical pixels
  float y = 0.0F;
  float pan_x = 0.0F;  ///< movement of the centre, logical pixels
  float pan_y = 0.0F;
  float zoom = 1.0F;  ///< factor
};

/// Preferences of the reader's system.
struct Preferences {
  bool dark = false;
  bool reduced_motion = false;
};

/// Callbacks of the platform, implemented by the program.
class Client {
 public:
  virtual ~Client() = default;
  /// Web only: the size is known, but there is no GL context yet. Browsers take long to make one,
  /// so fonts, layout and code for the first frame can be prepared meanwhile.
  virtual void prepare(double seconds) = 0;
  /// A new GL context is current: create all GL objects. Called before the first frame and after a
  /// lost context was restored.
  virtual void graphics_ready() = 0;
  /// The context is lost, or is destroyed with the window, and so are its objects: do not delete
  /// them.
  virtual void graphics_lost() = 0;
  /// Draws one frame. ImGui's current context has received all input. `seconds`: a monotonic clock.
  virtual void frame(double seconds) = 0;
  /// True while a finger scrolls a panel, so that the page must not scroll.
  virtual bool finger_scrolls() const = 0;
  /// Whether a key outside of fields had something to do since the last call; the others are the
  /// page's.
  virtual bool took_keys() = 0;
  /// The reader chose or dropped a picture. rgba: [height,width,4], rows from the top, alpha not
  /// premultiplied. Called between frames.
  virtual void picture_given(std::span<const std::uint8_t> rgba, std::size_t width,
                             std::size_t height) = 0;
  /// What the reader chose, dropped or asked for cannot be had; `sentence` says why.
  virtual void refused(const std::string& sentence) = 0;
};

struct WindowOptions {
  int width = 1280;
  int height = 800;
  bool visible = true;
  /// Desktop only: whether a dropped file is the program's to open, which is then done; else it is
  /// a picture.
  std::function<bool(const std::string& path)> opens_file = {};
};

/// One window or canvas. An ImGui context must be current before `open`; it and the Client outlive
/// the Platform.
class Platform {
 public:
  /// Errors: no display, no OpenGL 3.3, with what to do about it. It cannot fail on the web, where
  /// the page creates the WebGL2 context later.
  static base::Result<std::unique_ptr<Platform>> open(const WindowOptions& options, Client& client);
  virtual ~Platform() = default;

  virtual Surface surface() const = 0;
  /// How often the surface lost its content so far: by a new size, or because a browser discards it
  /// after showing it. (A lost context is reported by graphics_lost.) Nothing if every frame begins
  /// with an undefined surface, as with double buffering.
  virtual std::optional<std::uint64_t> times_emptied() const = 0;
  virtual Preferences preferences() const = 0;
  /// Gestures since the last call, oldest first.
  virtual std::vector<Gesture> take_gestures() = 0;
  /// Requests frames_per_request frames. Input events do so themselves; without a request nothing
  /// is drawn.
  virtual void request_frame() = 0;
  /// Requests them when so many seconds have passed, once, instead of at the time that an earlier
  /// call named.
  virtual void request_frame_in(double seconds) = 0;
  virtual void set_clipboard(const std::string& text) = 0;
  /// Saves a file: on the web as a download, on the desktop as a new file in the working directory.
  /// Returns a sentence that says where it is. Errors: it cannot be written.
  virtual base::Result<std::string> save_file(const std::string& name, const std::string& bytes,
                                              const std::string& media_type) = 0;
  /// The same for a picture, as PNG; `rgba`: bytes, rows from the top. On the web it is also copied
  /// to the clipboard if the browser allows it.
  virtual base::Result<std::string> save_picture(const std::string& name, int width, int height,
                                                 std::span<const unsigned char> rgba) = 0;
  /// True if `begin_film` can record.
  virtual bool has_film() const = 0;
  /// Records what is drawn at this place of the surface, in logical pixels, from now on.
  virtual void begin_film(float x, float y, float width, float height) = 0;
  /// Saves what was recorded as a file. Returns a sentence that says where it is.
  virtual std::string end_film(const std::string& name) = 0;
  /// True if `choose_picture` opens a dialog. Pictures can be dropped in any case.
  virtual bool has_file_dialog() const = 0;
  /// Opens a dialog to choose a picture, which the Client gets later, or never. Browsers allow this
  /// only for a few seconds after a click or a key.
  virtual void choose_picture() = 0;
  /// The same for a file with the attention of a model.
  virtual void choose_layer() = 0;
  /// Copies a program in Python; or shows it to be read and saved, which says itself whether it
  /// could be copied. `library` is the name of the one that it uses; `file`, of the file that it
  /// reads, which the program's API saves as "safetensors", or nothing. True if it was copied and
  /// nobody has said so.
  virtual bool show_program(const std::string& text, std::string_view library,
                            std::string_view file) = 0;
  /// True if the page around the program can show it in another language.
  virtual bool has_languages() const = 0;
  /// Shows the present state in another language: "en", "de" or "es". On the web this is another
  /// page.
  virtual void choose_language(const std::string& language) = 0;
  /// Web only, where the translator's weights are no part of the program: asks the page to load
  /// them and then to show that example.
  virtual void load_translator() = 0;
  /// Runs until the window is closed (native) or for ever (web, where it returns at once and frames
  /// come from the browser).
  virtual void run() = 0;
  /// Handles pending input and draws one frame at once, requested or not: for tests.
  virtual void pump() = 0;
};

}  // namespace platform
