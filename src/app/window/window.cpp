// The desktop window, and its headless test mode. Native only: CMake leaves this file out of the
// page's program.
#include "app/window/window.hpp"

#include <stb_image_write.h>

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "app/api/api.hpp"
#include "app/api/api_json.hpp"
#include "app/app.hpp"
#include "app/window/open_layer.hpp"
#include "base/text.hpp"
#include "draw/gl/off_screen.hpp"
#include "imgui.h"
#include "platform/platform.hpp"

namespace app {

namespace {

/// ImGui's context, for as long as the window lives.
struct ImGuiScope {
  ImGuiScope() { ImGui::CreateContext(); }
  ~ImGuiScope() { ImGui::DestroyContext(); }
  ImGuiScope(const ImGuiScope&) = delete;
  ImGuiScope& operator=(const ImGuiScope&) = delete;
};

/// Draws a frame with all animations at their end and writes it as a PNG. Returns the sentence of
/// an error, or nothing.
std::string screenshot(platform::Platform& platform, App& app, const std::string& path) {
  const platform::Surface surface = platform.surface();
  const int width = surface.framebuffer_width;
  const int height = surface.framebuffer_height;
  if (width <= 0 || height <= 0) return std::string(base::text("app.picture.no_window"));
  const draw::OffScreen target(width, height);  // the pixels of a hidden window are undefined
  app.frame(1e12);
  const int written =
      stbi_write_png(path.c_str(), width, height, 4, target.read().data(), width * 4);
  return written != 0 ? std::string() : base::text("app.picture.not_written", {{"path", path}});
}

std::string error(std::string_view sentence) {
  return Json::object().with("error", sentence).dump();
}

/// The tensor with its numbers: unlike a page, a script cannot read them from memory.
std::string tensor_with_data(const Api& api, const Json& described) {
  const auto tensor = api.tensor(*described.find("name")->text());
  Json data = Json::array();
  for (const float value : tensor->tensor.storage()) data.push_back(number(value));
  Json copy = described;
  copy.add("data", std::move(data));
  return Json::object().with("result", std::move(copy)).dump();
}

/// Opens a dropped file where it is that of a model; what is wrong with it is told to the reader.
bool drop(App& app, LayerFiles& files, const std::string& path) {
  if (!is_layer_file(path)) return false;
  const auto shown = files.open(path, "");
  if (!shown) app.refused(shown.error().message);
  return true;
}

std::string answer(const std::string& line, Api& api, App& app, LayerFiles& files,
                   platform::Platform& platform) {
  const Json request = Json::parse(line);
  const Json* named = request.find("method");
  const std::string* method = named != nullptr ? named->text() : nullptr;
  if (method == nullptr) return error(base::text("app.api.no_request"));
  const Json* given = request.find("arguments");
  const Json arguments = given != nullptr ? *given : Json::object();
  if (*method == "screenshot") {
    Arguments read(arguments);
    const std::string path = read.text("path");
    if (read.wrong()) return error((*read.wrong()).message);
    const std::string failed = screenshot(platform, app, path);
    return failed.empty() ? Json::object().with("result", true).dump() : error(failed);
  }
  if (*method == "drop") {
    Arguments read(arguments);
    const std::string path = read.text("path");
    if (read.wrong()) return error((*read.wrong()).message);
    const bool taken = drop(app, files, path);
    platform.pump();
    return Json::object().with("result", taken).dump();
  }
  std::string result = api.call(*method, arguments.dump());
  if (*method == "tensor") {
    const Json described = Json::parse(result);
    const Json* found = described.find("result");
    return found != nullptr ? tensor_with_data(api, *found) : result;
  }
  // The next request sees what this one did; asking changes nothing and needs no frame.
  const bool asks = *method == "state" || *method == "link" || *method == "tensors" ||
                    *method == "program" || *method == "probe" || *method == "blocks" ||
                    *method == "provenance" || *method == "frames" || *method == "message";
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
  LayerFiles files(app);
  platform::WindowOptions options;
  options.width = request.width;
  options.height = request.height;
  options.visible = !request.script;
  options.opens_file = [&](const std::string& path) { return drop(app, files, path); };
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
  if (!request.file.empty()) {
    const auto shown = files.open(request.file, request.layer);
    if (!shown) return failed(shown.error().message);
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
    const std::string reply = answer(line, api, app, files, *platform) + '\n';
    std::fwrite(reply.data(), 1, reply.size(), stdout);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace app
