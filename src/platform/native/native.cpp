// A window of the desktop: GLFW for window, input and clipboard, OpenGL 3.3 core.
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/text.hpp"
#include "platform/native/native_files.hpp"
#include "platform/native/native_pictures.hpp"
#include "platform/platform.hpp"
#include "platform/surface.hpp"

namespace platform {
namespace {

/// True for a word such as "Adwaita-dark" or "prefer-dark".
bool says_dark(const char* text) {
  return text != nullptr && std::string_view(text).find("dark") != std::string_view::npos;
}

/// No setting can be read on every desktop without another library; the theme of GTK programs needs
/// none. A hidden window has reduced motion, because nobody sees it.
Preferences preferences_of_desktop(bool visible) {
  return {visible && says_dark(std::getenv("GTK_THEME")), !visible};
}

class NativePlatform final : public Platform {
 public:
  NativePlatform(GLFWwindow* opened, const WindowOptions& options, Client& client)
      : window_(opened),
        client_(client),
        opens_file_(options.opens_file),
        preferences_(preferences_of_desktop(options.visible)) {
    glfwSetWindowUserPointer(window_, this);
    // Not ImGui's own callbacks, because each event has to request a frame, and on X11 and Windows,
    // where positions are device pixels, they have to be divided by the pixel ratio.
    ImGui_ImplGlfw_InitForOpenGL(window_, false);
    glfwSetMouseButtonCallback(window_, heard<ImGui_ImplGlfw_MouseButtonCallback>);
    glfwSetCursorPosCallback(window_, heard<&NativePlatform::pointer_at>);
    glfwSetCursorEnterCallback(window_, heard<&NativePlatform::pointer_entered>);
    glfwSetScrollCallback(window_, heard<&NativePlatform::scrolled>);
    glfwSetKeyCallback(window_, heard<ImGui_ImplGlfw_KeyCallback>);
    glfwSetCharCallback(window_, heard<ImGui_ImplGlfw_CharCallback>);
    glfwSetWindowFocusCallback(window_, heard<ImGui_ImplGlfw_WindowFocusCallback>);
    glfwSetDropCallback(window_, [](GLFWwindow* window, int count, const char** paths) {
      if (count > 0) self(window).dropped(paths[0]);
    });
    // The window was uncovered, resized, or moved to a monitor with another scale.
    glfwSetWindowRefreshCallback(window_, [](GLFWwindow* window) { self(window).refresh(); });
    glfwSetFramebufferSizeCallback(
        window_, [](GLFWwindow* window, int, int) { self(window).request_frame(); });
    glfwSetWindowContentScaleCallback(
        window_, [](GLFWwindow* window, float, float) { self(window).request_frame(); });
    glfwSetWindowIconifyCallback(window_,
                                 [](GLFWwindow* window, int) { self(window).request_frame(); });
  }

  ~NativePlatform() override {
    if (has_graphics_) client_.graphics_lost();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window_);
    glfwTerminate();
  }

  NativePlatform(const NativePlatform&) = delete;
  NativePlatform& operator=(const NativePlatform&) = delete;

  Surface surface() const override {
    int width = 0;
    int height = 0;
    glfwGetFramebufferSize(window_, &width, &height);
    return surface_of(width, height, pixel_ratio());
  }
  std::optional<std::uint64_t> times_emptied() const override { return std::nullopt; }
  Preferences preferences() const override { return preferences_; }
  std::vector<Gesture> take_gestures() override { return std::exchange(gestures_, {}); }
  void request_frame() override { frames_wanted_ = frames_per_request; }
  void request_frame_in(double seconds) override { wake_ = glfwGetTime() + seconds; }
  void set_clipboard(const std::string& text) override {
    glfwSetClipboardString(window_, text.c_str());
  }
  base::Result<std::string> save_file(const std::string& name, const std::string& bytes,
                                      const std::string& /*media_type*/) override {
    return write_new_file(name, bytes);
  }
  base::Result<std::string> save_picture(const std::string& name, int width, int height,
                                         std::span<const unsigned char> rgba) override {
    return write_new_file(name, png_of(width, height, rgba));
  }
  bool has_film() const override { return false; }
  void begin_film(float, float, float, float) override {}
  std::string end_film(const std::string&) override { return {}; }
  bool has_file_dialog() const override { return false; }
  void choose_picture() override {}
  void choose_layer() override {}
  bool show_program(const std::string& text, std::string_view /*library*/,
                    std::string_view /*file*/) override {
    set_clipboard(text);
    return true;
  }
  bool has_languages() const override { return false; }
  void choose_language(const std::string& /*language*/) override {}
  void load_translator() override {}

  void run() override {
    request_frame();
    while (glfwWindowShouldClose(window_) == GLFW_FALSE) {
      const bool seen = glfwGetWindowAttrib(window_, GLFW_ICONIFIED) == GLFW_FALSE;
      if (frames_wanted_ > 0 && seen) {
        pump();
      } else if (!wake_) {
        glfwWaitEvents();
      } else if (const double rest = *wake_ - glfwGetTime(); rest > 0.0) {
        glfwWaitEventsTimeout(rest);
      } else {
        wake_.reset();
        request_frame();
      }
    }
  }

  void pump() override {
    glfwPollEvents();
    frames_wanted_ = std::max(frames_wanted_ - 1, 0);
    draw();
    if (ImGui::GetCurrentContext()->InputEventsQueue.Size > 0) {
      // ImGui handles a press and a release, or a key and a character, in different frames.
      request_frame();
    }
  }

 private:
  static NativePlatform& self(GLFWwindow* window) {
    return *static_cast<NativePlatform*>(glfwGetWindowUserPointer(window));
  }

  /// A GLFW callback that passes the event to `listener` and requests frames.
  template <auto listener, typename... Values>
  static void heard(GLFWwindow* window, Values... values) {
    if constexpr (std::is_member_function_pointer_v<decltype(listener)>) {
      (self(window).*listener)(values...);
    } else {
      listener(window, values...);
    }
    self(window).request_frame();
  }

  /// How much larger the desktop wants everything drawn. Retina and Wayland say it in the
  /// framebuffer as well, X11 and Windows in the content scale only.
  float pixel_ratio() const {
    float x = 1.0F;
    float y = 1.0F;
    glfwGetWindowContentScale(window_, &x, &y);
    return std::clamp(x, 0.5F, 8.0F);
  }

  /// GLFW's screen coordinates for one logical pixel: 1 on macOS and Wayland, the pixel ratio
  /// elsewhere.
  double coordinates_per_pixel() const {
    int window_width = 0;
    int framebuffer_width = 0;
    glfwGetWindowSize(window_, &window_width, nullptr);
    glfwGetFramebufferSize(window_, &framebuffer_width, nullptr);
    if (window_width <= 0 || framebuffer_width <= 0) return 1.0;
    return static_cast<double>(window_width) * static_cast<double>(pixel_ratio()) /
           framebuffer_width;
  }

  void pointer_at(double x, double y) {
    const double scale = coordinates_per_pixel();
    pointer_ = ImVec2(static_cast<float>(x / scale), static_cast<float>(y / scale));
    ImGui::GetIO().AddMousePosEvent(pointer_.x, pointer_.y);
  }

  // ImGui's backend is not told when the pointer leaves: it would then ask GLFW for the position
  // itself and not divide it by the pixel ratio.
  void pointer_entered(int entered) {
    if (entered == GLFW_TRUE) {
      if (!std::exchange(pointer_known_, true))
        ImGui_ImplGlfw_CursorEnterCallback(window_, GLFW_TRUE);
      ImGui::GetIO().AddMousePosEvent(pointer_.x, pointer_.y);
    } else if (glfwGetMouseButton(window_, GLFW_MOUSE_BUTTON_LEFT) == GLFW_RELEASE) {
      ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
    }
  }

  /// With Ctrl the wheel zooms, as on the web.
  void scrolled(double x, double y) {
    if (ImGui::GetIO().KeyCtrl) {
      constexpr double zoom_per_notch = 1.25;
      gestures_.push_back(
          {pointer_.x, pointer_.y, 0.0F, 0.0F, static_cast<float>(std::pow(zoom_per_notch, y))});
    } else {
      ImGui_ImplGlfw_ScrollCallback(window_, x, y);
    }
  }

  /// A file was dropped onto the window.
  void dropped(const char* path) {
    if (opens_file_ && opens_file_(path)) return request_frame();
    const auto picture = read_picture_file(path);
    if (picture)
      client_.picture_given(picture->rgba, picture->width, picture->height);
    else
      client_.refused(picture.error().message);
    request_frame();
  }

  /// The window must be redrawn. Handled here, because a resize may block the loop.
  void refresh() {
    request_frame();
    draw();
  }

  void draw() {
    if (std::exchange(drawing_, true)) return;  // a refresh from within a frame
    if (!std::exchange(has_graphics_, true)) client_.graphics_ready();
    ImGui_ImplGlfw_NewFrame();
    const Surface now = surface();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(now.width, now.height);
    io.DisplayFramebufferScale = ImVec2(now.pixel_ratio, now.pixel_ratio);
    client_.frame(glfwGetTime());
    glfwSwapBuffers(window_);
    drawing_ = false;
  }

  GLFWwindow* window_;
  Client& client_;
  std::function<bool(const std::string&)> opens_file_;
  Preferences preferences_;
  std::vector<Gesture> gestures_;
  ImVec2 pointer_ = ImVec2(-FLT_MAX, -FLT_MAX);
  bool pointer_known_ = false;
  bool has_graphics_ = false;
  bool drawing_ = false;
  int frames_wanted_ = 0;
  std::optional<double> wake_;  // when frames are to be requested, in glfwGetTime's seconds
};

std::string last_glfw_error() {
  const char* description = nullptr;
  glfwGetError(&description);
  return std::string(description == nullptr ? base::text("platform.window.no_reason")
                                            : description);
}

}  // namespace

base::Result<std::unique_ptr<Platform>> Platform::open(const WindowOptions& options,
                                                       Client& client) {
  if (glfwInit() == GLFW_FALSE) {
    return base::fail(base::text("platform.window.no_display", {{"reason", last_glfw_error()}}));
  }
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);  // macOS gives a core profile only so
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_TRUE);       // the size is meant in logical pixels
  glfwWindowHint(GLFW_DEPTH_BITS, 0);
  glfwWindowHint(GLFW_STENCIL_BITS, 0);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  GLFWwindow* window =
      glfwCreateWindow(options.width, options.height, "attention-live", nullptr, nullptr);
  if (window == nullptr) {
    const std::string reason = last_glfw_error();
    glfwTerminate();
    return base::fail(base::text("platform.window.no_opengl", {{"reason", reason}}));
  }
  glfwMakeContextCurrent(window);
  glfwSwapInterval(options.visible ? 1 : 0);          // a hidden window has no refresh to wait for
  ImGui::GetIO().ConfigInputTextCursorBlink = false;  // a blinking caret would draw frames for ever
  return std::make_unique<NativePlatform>(window, options, client);
}

}  // namespace platform
