#include "app/api/api_learning.hpp"

#include <string>
#include <utility>

#include "app/api/api_json.hpp"
#include "base/text.hpp"
#include "document/learning/learn.hpp"
#include "lesson/examples/translating.hpp"
#include "lesson/heads/recorded_heads.hpp"
#include "stage/figures/heads/head_pattern.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/explanation_words.hpp"
#include "stage/wording/training_words.hpp"
#include "stage/wording/translation_words.hpp"

namespace app {

Json learning_json(const App& app, const stage::Focus& focus) {
  const document::Computed& computed = app.session().computed();
  const document::Document& document = app.session().document();
  const auto loss = document::loss_of(computed);
  if (!loss) return nullptr;
  Json json = Json::object().with("loss", number(static_cast<double>(*loss)));
  const bool just = app.learned().revision == app.session().revision();
  json.add("before", just ? number(static_cast<double>(app.learned().before)) : Json(nullptr));
  json.add("first", just ? number(static_cast<double>(app.learned().first)) : Json(nullptr));
  json.add("steps", just ? app.learned().steps : std::size_t{0});
  const auto update = document::shown_update(computed, document, focus.cell);
  json.add("update", update ? stage::update_text(computed.find(update->cell.attention), *update,
                                                 document.view_state.learning_rate)
                            : std::string());
  json.add("learns", app.learns());
  return json;
}

Json training_json(const document::Session& session) {
  if (!session.has_task()) return nullptr;
  const document::TrainingRun& run = *session.training_run();
  const stage::TrainingWords words = stage::training_words(session);
  std::string numbers = words.step;
  const auto add = [&numbers](const std::string& next) {
    numbers = base::text("document.list.more", {{"list", numbers}, {"next", next}});
  };
  for (const std::string& accuracy : words.accuracies) add(accuracy);
  add(words.held_out_loss);
  add(words.training_loss);
  Json measured = Json::array();
  for (const document::TrainingRun::Measured& each : run.measured()) {
    measured.push_back(Json::object()
                           .with("steps", each.steps)
                           .with("loss", number(each.held_out.loss))
                           .with("accuracy", number(each.held_out.accuracy))
                           .with("training_accuracy", number(each.learned.accuracy)));
  }
  return Json::object()
      .with("rule", run.task().rule())
      .with("playing", session.plays_training())
      .with("busy", session.trains())
      .with("steps", session.shown_steps())
      .with("reached", run.reached())
      .with("text", base::text("app.training.text", {{"numbers", numbers}}))
      .with("trouble", words.trouble)
      .with("answers", words.answers)
      .with("measured", std::move(measured));
}

namespace {

Json pattern_json(const stage::HeadPattern& does) {
  return Json::object()
      .with("pattern", stage::words_for(does.pattern))
      .with("share", number(static_cast<double>(does.share)));
}

/// What every head of every attention does with the sentence, and with held-out ones.
Json heads_json(const document::Computed& computed) {
  Json heads = Json::array();
  for (const document::ComputedAttention& attention : computed.attentions) {
    for (std::size_t head = 0; head < attention.trace.config.num_heads; ++head) {
      const stage::HeadPattern does = stage::pattern_of(attention, 0, head);
      Json json =
          pattern_json(does).with("attention", lesson::name_of(attention.id)).with("head", head);
      if (const auto held_out = stage::held_out_pattern_of(computed, attention, head))
        json.add("held_out", pattern_json(*held_out));
      heads.push_back(std::move(json));
    }
  }
  return heads;
}

Json unchanged_json(const lesson::Translated& translated) {
  if (!translated.unchanged) return nullptr;
  return Json::object()
      .with("text", translated.unchanged->text)
      .with("log_probability", number(translated.unchanged->log_probability))
      .with("log_probability_now", number(translated.unchanged->log_probability_now))
      .with("words", stage::unchanged_words(translated));
}

/// What a beam found, best first.
Json finished_json(const lesson::Translated& translated) {
  const std::vector<std::size_t> shown = lesson::tokens_of(translated);
  Json list = Json::array();
  for (const lesson::Translated::Finished& each : translated.finished) {
    list.push_back(Json::object()
                       .with("text", each.text)
                       .with("tokens", each.tokens)
                       .with("log_probability", number(each.log_probability))
                       .with("words", stage::finished_words(each))
                       .with("shown", each.tokens == shown));
  }
  return list;
}

}  // namespace

Json translation_json(const document::Computed& computed) {
  if (!computed.translated) return nullptr;
  const auto candidate = [](const lesson::Translated::Candidate& each) {
    return Json::object()
        .with("token", each.token)
        .with("text", each.piece)
        .with("probability", each.probability);
  };
  Json tokens = Json::array();
  for (const lesson::Translated::Place& place : computed.translated->places) {
    Json best = Json::array();
    for (const lesson::Translated::Candidate& each : place.best) best.push_back(candidate(each));
    tokens.push_back(candidate(place.said).with("candidates", std::move(best)));
  }
  return Json::object()
      .with("text", computed.translated->text)
      .with("tokens", std::move(tokens))
      .with("unchanged", unchanged_json(*computed.translated))
      .with("finished", finished_json(*computed.translated))
      .with("held_out_sentences", computed.translated->trained ? lesson::recorded_sentences() : 0)
      .with("heads", heads_json(computed));
}

}  // namespace app
