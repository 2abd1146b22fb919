// What `describe` says about gradient descent, training and the translator.
#pragma once

#include "app/app.hpp"
#include "base/json/json.hpp"
#include "stage/focus/focus.hpp"

namespace app {

/// Loss and next step of gradient descent; null without a target.
base::Json learning_json(const App& app, const stage::Focus& focus);

/// How far the network of an example with a task is trained, and how well it does; null where there
/// is no task.
base::Json training_json(const document::Session& session);

/// What the translator says, a token after another, with the most probable ones at each place, and
/// what each head does with the sentence; null in other examples.
base::Json translation_json(const document::Computed& computed);

}  // namespace app
