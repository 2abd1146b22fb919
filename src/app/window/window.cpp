// The desktop window, and its headless test mode. Native only: CMake leaves this file out of the
// page's program.
#include "app/window/window.hpp"

#include <stb_image_write.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/api/api.hpp"
#include "app/app.hpp"
#include "draw/gl/gl.hpp"
#include "imgui.h"
#include "platform/platform.hpp"

namespace app {

namespace {

using Json = nlohmann::json;

/// ImGui's context, for as long as the window lives.
struct ImGuiScope {
  ImGuiScope() { ImGui::CreateContext(); }
  ~ImGuiScope() { ImGui::DestroyContext(); }
  ImGuiScope(const ImGuiScope&) = delete;
  ImGuiScope& operator=(const ImGuiScope&) = delete;
};

/// A texture to draw a frame into: what a hidden window itself shows is undefined.
class OffScreen {
 public:
  OffScreen(int width, int height) {
    glGenFramebuffers(1, &frame_);
    glGenTextures(1, &colour_);
    glBindTexture(GL_TEXTURE_2D, colour_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, width, height, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_, 0);
  }
  ~OffScreen() {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glDeleteFramebuffers(1, &frame_);
    glDeleteTextures(1, &colour_);
  }
  OffScreen(const OffScreen&) = delete;
  OffScreen& operator=(const OffScreen&) = delete;

 private:
  GLuint frame_ = 0;
  GLuint colour_ = 0;
};

/// Draws a frame, journeys at their end, and writes it as a PNG. Returns an error's sentence, or
/// nothing.
std::string screenshot(platform::Platform& platform, App& app, const std::string& path) {
  const platform::Surface surface = platform.surface();
  const int width = surface.framebuffer_width;
  const int height = surface.framebuffer_height;
  if (width <= 0 || height <= 0)
    return "There is nothing to take a picture of: the window has no size.";
  std::vector<unsigned char> pixels(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height) * 3);
  {
    const OffScreen target(width, height);
    app.frame(1e12);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  }
  stbi_flip_vertically_on_write(1);  // OpenGL counts rows from the bottom
  const int written = stbi_write_png(path.c_str(), width, height, 3, pixels.data(), width * 3);
  return written != 0 ? std::string() : "The picture could not be written to " + path + ".";
}

std::string answer(const std::string& line, Api& api, App& app, platform::Platform& platform) {
  const Json request = Json::parse(line, nullptr, false);
  const auto error = [](const std::string& sentence) { return Json{{"error", sentence}}.dump(); };
  if (!request.is_object() || !request.contains("method") || !request["method"].is_string()) {
    return error("A request is a JSON object with a method and arguments.");
  }
  const auto method = request["method"].get<std::string>();
  const Json arguments = request.value("arguments", Json::object());
  if (method == "screenshot") {
    if (!arguments.contains("path") || !arguments["path"].is_string())
      return error("path must be text.");
    const std::string failed = screenshot(platform, app, arguments["path"].get<std::string>());
    return failed.empty() ? Json{{"result", true}}.dump() : error(failed);
  }
  if (method == "tensor") {
    // A page reads the numbers from memory; a script gets them in the answer.
    Json described = Json::parse(api.call(method, arguments.dump()), nullptr, false);
    if (!described.contains("result")) return described.dump();
    const auto tensor = api.tensor(arguments["name"].get<std::string>());
    Json data = Json::array();
    for (const float value : tensor->tensor.storage()) {
      if (std::isfinite(value))
        data.push_back(value);
      else
        data.push_back(std::isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity");
    }
    described["result"]["data"] = std::move(data);
    return described.dump();
  }
  std::string result =
      api.call(method, arguments.dump(-1, ' ', false, Json::error_handler_t::replace));
  // The next request sees what this one did; asking changes nothing and needs no frame.
  const bool asks = method == "state" || method == "link" || method == "tensors" ||
                    method == "probe" || method == "blocks" || method == "provenance" ||
                    method == "frames" || method == "message";
  if (!asks) platform.pump();
  return result;
}

/// The next line of standard input without its end; false when there is no more.
bool next_line(std::string& line) {
  line.clear();
  int byte = std::getchar();
  if (byte == EOF) return false;
  for (; byte != EOF && byte != '\n'; byte = std::getchar())
    line.push_back(static_cast<char>(byte));
  return true;
}

int failed(const std::string& sentence) {
  std::fprintf(stderr, "attention-live: %s\n", sentence.c_str());
  return 2;
}

}  // namespace

int run_window(const WindowRequest& request) {
  const ImGuiScope imgui;
  App app;
  platform::WindowOptions options;
  options.width = request.width;
  options.height = request.height;
  options.visible = !request.script;
  auto opened = platform::Platform::open(options, app);
  if (!opened) {
    return failed(opened.error().message);
  }
  const std::unique_ptr<platform::Platform> platform = std::move(*opened);
  app.attach(*platform);
  if (request.example) {
    if (const auto chosen = app.perform(document::ChooseExample{*request.example, 0}); !chosen) {
      return failed(chosen.error().message);
    }
  }
  if (request.link) {
    for (const std::string& problem : app.open_link(*request.link, true))
      std::fprintf(stderr, "attention-live: %s\n", problem.c_str());
  }
  if (!request.script) {
    platform->run();
    return 0;
  }
  Api api(app);
  platform->pump();
  for (std::string line; next_line(line);) {
    if (line.empty()) continue;
    const std::string reply = answer(line, api, app, *platform) + '\n';
    std::fwrite(reply.data(), 1, reply.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace app
