// The canvas of a page. GLFW (web_glfw.js) makes the WebGL2 context and keeps the clock; everything
// else comes from the page's own DOM events through the exported functions at the end of this file,
// because GLFW knows nothing of touch, pixel ratio or text (web/program/input/input.mjs does).
#include "platform/platform.hpp"

#define GLFW_INCLUDE_NONE  // the functions of OpenGL are not called here
#include <GLFW/glfw3.h>
#include <emscripten.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "platform/surface.hpp"
#include "platform/web/dom_keys.hpp"

// Functions of the page, from the object that web/program/program.mjs passes as Module.page.
// Strings are passed as address and length, so that Emscripten's string library is not needed.
// clang-format off
EM_JS(void, page_request_frame, (), { Module["page"].requestFrame(); });
EM_JS(void, page_request_frame_in, (double seconds), { Module["page"].requestFrameIn(seconds); });
EM_JS(void, page_set_cursor, (const char* name, int length), { Module["page"].setCursor(name, length); });
EM_JS(void, page_set_text_field, (int wanted, double x, double y, double height), {
  Module["page"].setTextField(wanted != 0, x, y, height);
});
EM_JS(void, page_set_clipboard, (const char* text, int length), { Module["page"].setClipboard(text, length); });
EM_JS(void, page_choose_picture, (), { Module["page"].choosePicture(); });
EM_JS(void, page_choose_layer, (), { Module["page"].chooseLayer(); });
EM_JS(void, page_show_program, (const char* text, int length, const char* library, int library_length,
                                const char* file, int file_length), {
  Module["page"].showProgram(text, length, library, library_length, file, file_length);
});
EM_JS(int, page_has_languages, (), { return Module["page"].hasLanguages ? 1 : 0; });
EM_JS(void, page_choose_language, (const char* name, int length), {
  Module["page"].chooseLanguage(name, length);
});
EM_JS(void, page_load_translator, (), { Module["page"].loadTranslator(); });
EM_JS(void, page_save_file, (const char* name, int name_length, const char* type, int type_length,
                             const char* bytes, int length), {
  Module["page"].saveFile(name, name_length, type, type_length, bytes, length);
});
EM_JS(void, page_save_picture, (const char* name, int name_length, int width, int height,
                                const unsigned char* rgba), {
  Module["page"].savePicture(name, name_length, width, height, rgba);
});
EM_JS(int, page_has_film, (), { return typeof MediaRecorder === "undefined" ? 0 : 1; });
EM_JS(void, page_begin_film, (double x, double y, double width, double height), {
  Module["page"].beginFilm(x, y, width, height);
});
EM_JS(void, page_end_film, (const char* name, int length), { Module["page"].endFilm(name, length); });
// clang-format on

namespace platform {
namespace {

/// The CSS name of ImGui's mouse cursor.
std::string_view css_cursor(ImGuiMouseCursor cursor) {
  if (cursor == ImGuiMouseCursor_TextInput) return "text";
  if (cursor == ImGuiMouseCursor_ResizeEW) return "ew-resize";
  return cursor == ImGuiMouseCursor_Hand ? "pointer" : "default";
}

class WebPlatform final : public Platform {
 public:
  explicit WebPlatform(Client& client) : client_(client) {
    ImGuiIO& io = ImGui::GetIO();
    io.BackendPlatformName = "attention-live web";
    io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would draw frames for ever
    ImGuiPlatformIO& platform_io = ImGui::GetPlatformIO();
    platform_io.Platform_ClipboardUserData = this;
    platform_io.Platform_GetClipboardTextFn = [](ImGuiContext* context) {
      return self(context)->clipboard_.c_str();
    };
    platform_io.Platform_SetClipboardTextFn = [](ImGuiContext* context, const char* text) {
      self(context)->set_clipboard(text);
    };
    platform_io.Platform_ImeUserData = this;
    platform_io.Platform_SetImeDataFn = [](ImGuiContext* context, ImGuiViewport*,
                                           ImGuiPlatformImeData* data) {
      self(context)->caret_ = *data;
    };
  }
  Surface surface() const override { return surface_; }
  std::optional<std::uint64_t> times_emptied() const override { return times_emptied_; }
  Preferences preferences() const override { return preferences_; }
  std::vector<Gesture> take_gestures() override { return std::exchange(gestures_, {}); }

  void request_frame() override {
    frames_wanted_ = frames_per_request;
    if (can_draw()) page_request_frame();
  }
  void request_frame_in(double seconds) override { page_request_frame_in(seconds); }
  void set_clipboard(const std::string& text) override {
    clipboard_ = text;
    page_set_clipboard(clipboard_.data(), static_cast<int>(clipboard_.size()));
  }
  base::Result<std::string> save_file(const std::string& name, const std::string& bytes,
                                      const std::string& media_type) override {
    page_save_file(name.data(), static_cast<int>(name.size()), media_type.data(),
                   static_cast<int>(media_type.size()), bytes.data(),
                   static_cast<int>(bytes.size()));
    return base::text("platform.file.downloaded", {{"name", name}});
  }
  base::Result<std::string> save_picture(const std::string& name, int width, int height,
                                         std::span<const unsigned char> rgba) override {
    page_save_picture(name.data(), static_cast<int>(name.size()), width, height, rgba.data());
    return base::text("platform.file.downloaded", {{"name", name}});
  }
  bool has_film() const override { return page_has_film() != 0; }
  void begin_film(float x, float y, float width, float height) override {
    page_begin_film(x, y, width, height);
  }
  std::string end_film(const std::string& name) override {
    page_end_film(name.data(), static_cast<int>(name.size()));
    return base::text("platform.file.downloaded", {{"name", name}});
  }
  bool has_file_dialog() const override { return true; }
  void choose_picture() override { page_choose_picture(); }
  void choose_layer() override { page_choose_layer(); }
  bool show_program(const std::string& text, std::string_view library,
                    std::string_view file) override {
    page_show_program(text.data(), static_cast<int>(text.size()), library.data(),
                      static_cast<int>(library.size()), file.data(), static_cast<int>(file.size()));
    return false;
  }
  bool has_languages() const override { return page_has_languages() != 0; }
  void choose_language(const std::string& language) override {
    page_choose_language(language.data(), static_cast<int>(language.size()));
  }
  void load_translator() override { page_load_translator(); }

  // The browser runs the loop. The first frames come when the page has given the canvas's size.
  void run() override { request_frame(); }

  void pump() override {
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
    draw();
    if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) {
      // ImGui handles a press and a release, or a key and a character, in different frames.
      request_frame();
    }
  }

  /// Draws the present frame again, because browsers discard the canvas after showing it.
  void draw_again() {
    ++times_emptied_;
    pump();
  }

  // ---- events from the page ----

  /// One animation frame. True if there is to be another one.
  bool animation_frame() {
    if (frames_wanted_ > 0) pump();
    return frames_wanted_ > 0 && can_draw();
  }

  /// Draws until the program has handled all input: for browser events that need an answer at once
  /// (a copy, a screen keyboard that may only be opened within the tap). As Client::took_keys.
  bool settle() {
    constexpr int most = 12;
    client_.took_keys();  // those of before
    pump();
    for (int i = 1; i < most && ImGui::GetCurrentContext()->InputEventsQueue.Size > 0; ++i) pump();
    pump();
    return client_.took_keys();
  }

  /// Before the first frame, when nothing can be drawn yet.
  void prepare(const Surface& surface) {
    surface_ = surface;
    client_.prepare(begin_frame());
    surface_ = {};
  }
  void set_surface(const Surface& surface) {
    surface_ = surface;
    ++times_emptied_;
    // At once, not at the next animation frame, because a resized canvas is empty.
    request_frame();
    pump();
  }
  void set_preferences(const Preferences& preferences) {
    preferences_ = preferences;
    request_frame();
  }
  void add_gesture(const Gesture& gesture) {
    gestures_.push_back(gesture);
    request_frame();
  }
  bool finger_scrolls() const { return client_.finger_scrolls(); }

  void context_lost() {
    lost_ = true;
    if (std::exchange(has_graphics_, false)) client_.graphics_lost();
  }
  void context_restored() {
    lost_ = false;
    request_frame();
  }

  void paste(std::string text) {
    clipboard_ = std::move(text);
    ImGuiIO& io = ImGui::GetIO();
    const ImGuiKey modifier = io.ConfigMacOSXBehaviors ? ImGuiMod_Super : ImGuiMod_Ctrl;
    const bool held = io.KeyCtrl;  // io.KeyCtrl is Cmd where ConfigMacOSXBehaviors is set
    if (!held) io.AddKeyEvent(modifier, true);
    io.AddKeyEvent(ImGuiKey_V, true);
    io.AddKeyEvent(ImGuiKey_V, false);
    if (!held) io.AddKeyEvent(modifier, false);
    request_frame();
  }

 private:
  static WebPlatform* self(ImGuiContext* context) {
    return static_cast<WebPlatform*>(context->PlatformIO.Platform_ClipboardUserData);
  }

  bool can_draw() const {
    return !lost_ && surface_.framebuffer_width > 0 && surface_.framebuffer_height > 0;
  }

  void draw() {
    if (!can_draw()) return;
    if (!std::exchange(has_graphics_, true)) client_.graphics_ready();
    client_.frame(begin_frame());
    publish_cursor();
    publish_text_field();
  }

  /// Begins a frame in ImGui; returns its time.
  double begin_frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(surface_.width, surface_.height);
    io.DisplayFramebufferScale = ImVec2(surface_.pixel_ratio, surface_.pixel_ratio);
    // The true time since the last frame, however long, since ImGui detects double clicks by it.
    constexpr double shortest = 1e-4;
    const double now = std::max(glfwGetTime(), last_frame_ + shortest);
    io.DeltaTime = last_frame_ > 0.0 ? static_cast<float>(now - last_frame_) : 1.0F / 60.0F;
    last_frame_ = now;
    return now;
  }

  void publish_cursor() {
    const ImGuiMouseCursor cursor = ImGui::GetMouseCursor();
    if (cursor == shown_cursor_) return;
    shown_cursor_ = cursor;
    const std::string_view name = css_cursor(cursor);
    page_set_cursor(name.data(), static_cast<int>(name.size()));
  }

  void publish_text_field() {
    const bool wanted = caret_.WantTextInput || ImGui::GetIO().WantTextInput;
    const std::array<float, 3> place = {caret_.InputPos.x, caret_.InputPos.y,
                                        caret_.InputLineHeight};
    if (wanted == field_shown_ && (!wanted || place == field_place_)) return;
    field_shown_ = wanted;
    field_place_ = place;
    page_set_text_field(wanted ? 1 : 0, static_cast<double>(place[0]),
                        static_cast<double>(place[1]), static_cast<double>(place[2]));
  }

  Client& client_;
  Surface surface_;
  std::uint64_t times_emptied_ = 0;
  Preferences preferences_;
  std::vector<Gesture> gestures_;
  std::string clipboard_;
  ImGuiPlatformImeData caret_ = {};
  int frames_wanted_ = 0;
  double last_frame_ = 0.0;
  bool lost_ = false;
  bool has_graphics_ = false;
  ImGuiMouseCursor shown_cursor_ = ImGuiMouseCursor_Arrow;
  bool field_shown_ = false;
  std::array<float, 3> field_place_ = {};
};

/// There is one canvas per WebAssembly instance; each figure of a page has an instance of its own.
WebPlatform* the_platform = nullptr;
/// Strings from the page are written here first.
std::string scratch;

/// The two strings that the page put into the scratch buffer one after the other.
std::string_view scratch_part(int start, int length) {
  return std::string_view(scratch).substr(static_cast<std::size_t>(start),
                                          static_cast<std::size_t>(length));
}

/// Lets GLFW use the canvas and its WebGL2 context. False if that fails.
bool open_window(int framebuffer_width, int framebuffer_height) {
  glfwInit();
  GLFWwindow* window =
      glfwCreateWindow(framebuffer_width, framebuffer_height, "attention-live", nullptr, nullptr);
  if (window == nullptr) return false;
  glfwMakeContextCurrent(window);
  return true;
}

}  // namespace

/// Needs no GL context, which browsers take long to create: the numbers can be computed meanwhile.
/// The page calls al_open_window when there is one.
base::Result<std::unique_ptr<Platform>> Platform::open(const WindowOptions&, Client& client) {
  auto platform = std::make_unique<WebPlatform>(client);
  the_platform = platform.get();
  return platform;
}

}  // namespace platform

// Functions that the page calls. Lengths and positions in logical (CSS) pixels from the top left
// corner of the canvas.
extern "C" {

/// Returns a buffer of `size` bytes for text that the next call reads.
EMSCRIPTEN_KEEPALIVE char* al_scratch(int size) {
  platform::scratch.resize(static_cast<std::size_t>(size));
  return platform::scratch.data();
}

/// The canvas has this size, in device pixels, and a GL context; drawing begins. Returns 0 if GLFW
/// cannot draw on it.
EMSCRIPTEN_KEEPALIVE int al_open_window(int framebuffer_width, int framebuffer_height) {
  return platform::open_window(framebuffer_width, framebuffer_height) ? 1 : 0;
}

EMSCRIPTEN_KEEPALIVE int al_animation_frame() {
  return platform::the_platform->animation_frame() ? 1 : 0;
}
/// The time has come for which page_request_frame_in asked.
EMSCRIPTEN_KEEPALIVE void al_wake() { platform::the_platform->request_frame(); }
EMSCRIPTEN_KEEPALIVE void al_draw_again() { platform::the_platform->draw_again(); }
EMSCRIPTEN_KEEPALIVE bool al_settle() { return platform::the_platform->settle(); }

/// The canvas will have this size; its GL context is being created. See Client::prepare.
EMSCRIPTEN_KEEPALIVE void al_prepare(int framebuffer_width, int framebuffer_height,
                                     double pixel_ratio) {
  platform::the_platform->prepare(
      platform::surface_of(framebuffer_width, framebuffer_height, static_cast<float>(pixel_ratio)));
}

EMSCRIPTEN_KEEPALIVE void al_surface(int framebuffer_width, int framebuffer_height,
                                     double pixel_ratio) {
  platform::the_platform->set_surface(
      platform::surface_of(framebuffer_width, framebuffer_height, static_cast<float>(pixel_ratio)));
}

EMSCRIPTEN_KEEPALIVE void al_preferences(int dark, int reduced_motion, int mac) {
  ImGui::GetIO().ConfigMacOSXBehaviors = mac != 0;
  platform::the_platform->set_preferences({dark != 0, reduced_motion != 0});
}

EMSCRIPTEN_KEEPALIVE void al_context_lost() { platform::the_platform->context_lost(); }
EMSCRIPTEN_KEEPALIVE void al_context_restored() { platform::the_platform->context_restored(); }

/// The pointer is at x, y. source: 0 mouse, 1 touch, 2 pen.
EMSCRIPTEN_KEEPALIVE void al_pointer(int source, double x, double y) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(source == 1   ? ImGuiMouseSource_TouchScreen
                         : source == 2 ? ImGuiMouseSource_Pen
                                       : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
  platform::the_platform->request_frame();
}

/// The pointer left the canvas, or its press was cancelled.
EMSCRIPTEN_KEEPALIVE void al_pointer_gone() {
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
  platform::the_platform->request_frame();
}

/// button: 0 left, 1 right, 2 middle, 3 and 4 the others.
EMSCRIPTEN_KEEPALIVE void al_button(int button, int down) {
  if (button < 0 || button >= ImGuiMouseButton_COUNT) return;
  ImGui::GetIO().AddMouseButtonEvent(button, down != 0);
  platform::the_platform->request_frame();
}

/// The wheel turned, in ImGui's units: y > 0 is away from the reader, x > 0 to the left.
EMSCRIPTEN_KEEPALIVE void al_wheel(double x, double y) {
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
  platform::the_platform->request_frame();
}

EMSCRIPTEN_KEEPALIVE void al_gesture(double x, double y, double pan_x, double pan_y, double zoom) {
  platform::the_platform->add_gesture({static_cast<float>(x), static_cast<float>(y),
                                       static_cast<float>(pan_x), static_cast<float>(pan_y),
                                       static_cast<float>(zoom)});
}

/// Whether a panel lies there that has more to show: below for `direction` > 0, else above.
EMSCRIPTEN_KEEPALIVE bool al_panel_scrolls(double x, double y, double direction) {
  ImGuiWindow* window = nullptr;
  const ImVec2 place{static_cast<float>(x), static_cast<float>(y)};
  ImGui::FindHoveredWindowEx(place, false, &window, nullptr);
  if (window == nullptr) return false;
  return direction > 0.0 ? window->Scroll.y < window->ScrollMax.y : window->Scroll.y > 0.0F;
}

EMSCRIPTEN_KEEPALIVE bool al_finger_scrolls() { return platform::the_platform->finger_scrolls(); }

EMSCRIPTEN_KEEPALIVE void al_modifiers(int ctrl, int shift, int alt, int super) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, ctrl != 0);
  io.AddKeyEvent(ImGuiMod_Shift, shift != 0);
  io.AddKeyEvent(ImGuiMod_Alt, alt != 0);
  io.AddKeyEvent(ImGuiMod_Super, super != 0);
}

/// The scratch buffer holds KeyboardEvent.code and, after it, KeyboardEvent.key. True if ImGui
/// knows the key.
EMSCRIPTEN_KEEPALIVE int al_key(int code_length, int key_length, int down) {
  const ImGuiKey key = platform::key_from_dom(platform::scratch_part(0, code_length),
                                              platform::scratch_part(code_length, key_length));
  if (key == ImGuiKey_None) return 0;
  ImGui::GetIO().AddKeyEvent(key, down != 0);
  platform::the_platform->request_frame();
  return 1;
}

/// The scratch buffer holds what was typed, as UTF-8.
EMSCRIPTEN_KEEPALIVE void al_text() {
  ImGui::GetIO().AddInputCharactersUTF8(platform::scratch.c_str());
  platform::the_platform->request_frame();
}

/// The scratch buffer holds what was pasted, as UTF-8.
EMSCRIPTEN_KEEPALIVE void al_paste() { platform::the_platform->paste(platform::scratch); }

/// Releases every key, since macOS does not report the release of some keys while Cmd is held.
EMSCRIPTEN_KEEPALIVE void al_release_keys() {
  ImGui::GetIO().ClearInputKeys();
  platform::the_platform->request_frame();
}

/// Without the focus every key and button is released.
EMSCRIPTEN_KEEPALIVE void al_focus(int focused) {
  ImGui::GetIO().AddFocusEvent(focused != 0);
  platform::the_platform->request_frame();
}

}  // extern "C"
