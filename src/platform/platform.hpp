// The machine under the program: a window or a canvas, its GL context, input, clipboard, and when
// to draw. One implementation for the desktop (native.cpp) and one for the web (web.cpp); CMake
// picks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace platform {

/// What the program draws on. Lengths in logical pixels unless they say otherwise.
struct Surface {
  float width = 0.0F;
  float height = 0.0F;
  float pixel_ratio = 1.0F;    ///< device pixels per logical pixel
  int framebuffer_width = 0;   ///< device pixels
  int framebuffer_height = 0;  ///< device pixels
};

/// How many frames one request draws. A command takes effect in the first, after the panels were
/// drawn; the second shows it in the panels; in the third, what Dear ImGui measured in the second
/// (the size of a window around its contents, a hover, a focus) is in place.
inline constexpr int frames_per_request = 3;

/// Two fingers on a touch screen or a trackpad pinch, since the last frame.
struct Gesture {
  float x = 0.0F;  ///< centre, logical pixels
  float y = 0.0F;
  float pan_x = 0.0F;  ///< movement of the centre, logical pixels
  float pan_y = 0.0F;
  float zoom = 1.0F;  ///< factor
};

/// What the reader's system asks for.
struct Preferences {
  bool dark = false;
  bool reduced_motion = false;
};

/// The program, as the platform sees it.
class Client {
 public:
  virtual ~Client() = default;
  /// There is a size to draw at, and no context yet. A browser takes a long time to make one: what
  /// the first frame needs of fonts, places and code can be there before it. Only the web asks.
  virtual void prepare(double seconds) = 0;
  /// A GL context is current and has none of our objects: make them. Called before the first frame,
  /// and again after a lost context came back.
  virtual void graphics_ready() = 0;
  /// The context is gone, or going with the window, and its objects with it: forget them, do not
  /// delete them.
  virtual void graphics_lost() = 0;
  /// Draws one frame. Input of ImGui's current context has been fed. `seconds`: a clock that never
  /// runs backwards.
  virtual void frame(double seconds) = 0;
  /// True while the finger that is the mouse scrolls a panel: it is not the page's, then.
  virtual bool finger_scrolls() const = 0;
  /// A picture that the reader chose or dropped, between two frames. rgba: [height,width,4], rows
  /// from the top, alpha not multiplied in.
  virtual void picture_given(std::span<const std::uint8_t> rgba, std::size_t width,
                             std::size_t height) = 0;
  /// What was chosen or dropped is no picture; `sentence` says why and what would be one.
  virtual void picture_refused(const std::string& sentence) = 0;
};

struct WindowOptions {
  int width = 1280;
  int height = 800;
  bool visible = true;
};

/// One window or canvas. An ImGui context must be current before `open`; it and the Client outlive
/// the Platform.
class Platform {
 public:
  /// Errors: no display, no OpenGL 3.3, with what to do about it. On the web there are none: the
  /// page makes the WebGL2 context when it is wanted.
  static base::Result<std::unique_ptr<Platform>> open(const WindowOptions& options, Client& client);
  virtual ~Platform() = default;

  virtual Surface surface() const = 0;
  /// How often the surface has been emptied so far: by a new size, or by a browser that has shown
  /// it and is asked for it again (a lost context is told by graphics_lost); nothing where every
  /// frame begins with an empty one, as it does where two buffers change places.
  virtual std::optional<std::uint64_t> times_emptied() const = 0;
  virtual Preferences preferences() const = 0;
  /// Gestures since the last call, oldest first.
  virtual std::vector<Gesture> take_gestures() = 0;
  /// Something is to be seen that is not on the screen yet: draws frames_per_request frames. Input
  /// asks by itself; nothing is drawn that was not asked for.
  virtual void request_frame() = 0;
  virtual void set_clipboard(const std::string& text) = 0;
  /// Gives the reader a file: a download on the web, a new one in the working directory on the
  /// desktop, where none is overwritten. Returns the sentence that says where it is. Errors: it
  /// cannot be written.
  virtual base::Result<std::string> save_file(const std::string& name, const std::string& bytes,
                                              const std::string& media_type) = 0;
  /// The same for a picture, as PNG; `rgba`: a byte each, row after row from the top. On the web it
  /// goes to the clipboard too, where the browser allows that.
  virtual base::Result<std::string> save_picture(const std::string& name, int width, int height,
                                                 std::span<const unsigned char> rgba) = 0;
  /// True where `choose_picture` asks for a file; a picture can be dropped in any case.
  virtual bool has_file_dialog() const = 0;
  /// Asks the reader for a picture. The Client is told of it later, or never. A browser allows it
  /// for a few seconds after a click or a key only.
  virtual void choose_picture() = 0;
  /// Runs until the window is closed (native) or for ever (web, where it returns at once and frames
  /// come from the browser).
  virtual void run() = 0;
  /// Feeds pending input and draws one frame now, asked for or not: for tests.
  virtual void pump() = 0;
};

}  // namespace platform
