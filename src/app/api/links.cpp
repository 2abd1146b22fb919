// App: writing and opening links.
#include <algorithm>

#include "app/app.hpp"
#include "base/text.hpp"
#include "document/link/link.hpp"
#include "lesson/input/own_layers.hpp"

namespace app {

base::Result<std::string> App::link() const {
  document::Document shown = session_.document();
  if (once_) shown.view_state.progress = 1.0F;  // nobody has chosen where it plays by itself
  return document::to_link(shown, session_.computed());
}

std::vector<std::string> App::open_link(std::string_view link, bool begins) {
  end_playing_once();
  std::vector<std::string> problems = document::open_link(session_, link);
  if (begins) session_.clear_history();
  view_.message.clear();
  // What a beam found is to be seen at once.
  if (session_.document().configuration.parameters.beam > 1)
    view_.open_group = draw::PanelGroup::translation;
  // So are the loss and the targets of a link that learns.
  if (session_.document().view_state.learning) view_.open_group = draw::PanelGroup::learn;
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(problems.size(), shown); ++i) {
    view_.message += (i == 0 ? "" : "\n") + problems[i];
  }
  if (problems.size() > shown)
    view_.message +=
        '\n' + base::text("app.link.more_problems", {{"count", problems.size() - shown}});
  request_frame();
  return problems;
}

void App::copy_link() {
  const auto made = link();
  if (!made) {
    view_.message = made.error().message;
    return;
  }
  if (platform_ != nullptr) platform_->set_clipboard(address_ + *made);
  const document::Configuration& configuration = session_.document().configuration;
  if (configuration.example == lesson::ExampleId::own_layer) {
    const lesson::OwnLayer& layer = lesson::own_layer(configuration.parameters.variant);
    view_.message = layer.problem ? std::string(base::text("app.own.lesson_link"))
                                  : base::text("app.own.link", {{"file", layer.file}});
  }
  if (view_.message.empty()) notify(std::string(base::text("app.link.holds")));
  // The button says so until something changes.
  view_.copied = session_.changes();
}

}  // namespace app
