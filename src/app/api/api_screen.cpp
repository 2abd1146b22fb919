#include "app/api/api_screen.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace app {

using base::fail;
using base::Result;
using model::TensorId;

namespace {

struct NamedPart {
  std::string_view name;
  bool stage::Parts::*part;
};
constexpr std::array<NamedPart, 7> named_parts = {{{"bar", &stage::Parts::bar},
                                                   {"text", &stage::Parts::text},
                                                   {"heads", &stage::Parts::heads},
                                                   {"legend", &stage::Parts::legend},
                                                   {"panel", &stage::Parts::panel},
                                                   {"steps", &stage::Parts::steps},
                                                   {"words", &stage::Parts::words}}};

/// Sets the colours of the site: paper, ink and accent as "#1b2c3d"; those that are not given are
/// the program's own.
Result<Json> colours(App& app, const Arguments& arguments) {
  draw::SiteColours given;
  const auto read = [&](const char* name, std::optional<draw::Rgb>& to) {
    const Json* found = arguments.find(name);
    if (found == nullptr) return true;
    const std::string* text = found->text();
    to = text == nullptr ? std::nullopt : draw::colour_from(*text);
    return to.has_value();
  };
  for (const auto& [name, to] : {std::pair("paper", &given.paper), std::pair("ink", &given.ink),
                                 std::pair("accent", &given.accent)}) {
    if (!read(name, *to)) return fail(base::text("app.api.colour", {{"field", name}}));
  }
  if (auto set = app.set_colours(given); !set) return fail(set.error());
  return Json(true);
}

/// Sets the parts if there is an argument "parts"; returns those that are shown.
Result<Json> parts(App& app, const Arguments& arguments) {
  const std::string_view wanted = base::text("app.api.parts");
  if (const Json* found = arguments.find("parts")) {
    if (!found->is_array() || found->size() > named_parts.size()) return fail(wanted);
    stage::Parts chosen{false, false, false, false, false, false};
    for (const Json& name : found->elements()) {
      const NamedPart* known = nullptr;
      for (const NamedPart& part : named_parts) {
        if (name == part.name) known = &part;
      }
      if (known == nullptr) return fail(wanted);
      chosen.*(known->part) = true;
    }
    app.show(chosen);
  }
  Json shown = Json::array();
  for (const NamedPart& part : named_parts) {
    if (app.parts().*(part.part)) shown.push_back(part.name);
  }
  return shown;
}

/// Offers the steps of the argument "steps", all of them where that is empty; returns which are
/// offered.
Result<Json> steps(App& app, const Arguments& arguments) {
  if (const Json* found = arguments.find("steps")) {
    std::vector<lesson::StepId> chosen;
    const auto all = lesson::steps();
    for (const Json& name : found->elements()) {
      const auto known = std::find_if(all.begin(), all.end(),
                                      [&](const lesson::Step& step) { return name == step.name; });
      if (known != all.end()) chosen.push_back(known->id);
    }
    if (!found->is_array() || chosen.size() != found->size()) {
      std::string names;
      for (const lesson::Step& step : all)
        names += (names.empty() ? "" : ", ") + std::string(step.name);
      return fail(base::text("app.api.steps", {{"names", names}}));
    }
    app.offer(chosen.empty() ? lesson::OfferedSteps() : lesson::OfferedSteps(chosen));
  }
  Json offered = Json::array();
  for (const lesson::Step& step : lesson::steps())
    if (app.offered_steps().has(step.id)) offered.push_back(step.name);
  return offered;
}

Result<Json> play(App& app, Arguments& arguments) {
  const bool on = arguments.flag("on");
  float speed = app.speed();
  if (arguments.find("speed") != nullptr) {
    speed = static_cast<float>(arguments.number("speed"));
    const auto& speeds = draw::play_speeds;
    if (std::find(speeds.begin(), speeds.end(), speed) == speeds.end())
      arguments.refuse(base::text("app.api.speed"));
  }
  const bool once = arguments.find("once") != nullptr && arguments.flag("once");
  if (arguments.wrong()) return fail(*arguments.wrong());
  app.set_speed(speed);
  if (on && once) {
    app.play_once();
  } else {
    app.set_playing(on);
  }
  return Json(app.playing());
}

/// The matrix of a tensor, of one head or of all; without a tensor, the step; or every tensor.
Result<Json> save(App& app, Arguments& arguments) {
  const std::string as = arguments.text("as");
  if (as == "safetensors") {
    app.save_tensors();
    return Json(nullptr);
  }
  if (as == "webm") {
    if (arguments.wrong()) return fail(*arguments.wrong());
    if (!app.begin_film()) return fail(base::text("app.api.no_film"));
    return Json(nullptr);
  }
  if (as != "png" && as != "svg") arguments.refuse(base::text("app.api.picture_format"));
  if (arguments.find("tensor") == nullptr) {
    if (arguments.wrong()) return fail(*arguments.wrong());
    app.save_step(as == "svg");
    return Json(nullptr);
  }
  const document::ComputedAttention& attention = app.session().attention();
  const TensorId tensor = arguments.tensor(attention);
  const model::Trace& trace = attention.trace;
  const std::size_t last = trace.config.num_heads / trace.sharing(tensor) - 1;
  const auto head = arguments.whole_or_null("head", last);
  if (arguments.wrong()) return fail(*arguments.wrong());
  if (!app.save_picture(tensor, head, as == "svg"))
    return fail(base::text("app.api.no_picture", {{"tensor", model::name_of(tensor)}}));
  return Json(nullptr);
}

}  // namespace

std::optional<Result<Json>> on_the_screen(App& app, std::string_view method, Arguments& arguments) {
  if (method == "parts") return parts(app, arguments);
  if (method == "steps") return steps(app, arguments);
  if (method == "colours") return colours(app, arguments);
  if (method == "play") return play(app, arguments);
  if (method == "save") return save(app, arguments);
  return std::nullopt;
}

}  // namespace app
