#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace draw {

using model::Mistake;

namespace {

void switches(const Screen& screen, Widgets& widgets, Requests& requests) {
  const Mistake made = screen.session.document().configuration.mistake;
  if (made != Mistake::none) {
    widgets.words(lesson::text_of(made).text, screen.theme.text, 12.5F);
    Widgets::space(4.0F);
  }
  for (const lesson::MistakeText& text : lesson::mistake_texts()) {
    const std::string label(text.label);
    const std::string id = "mistake " + label;
    if (widgets.toggle(id.c_str(), label, made == text.mistake))
      requests.add(document::SetMistake{made == text.mistake ? Mistake::none : text.mistake});
  }
  Widgets::space(6.0F);
  if (widgets.text_button("Guess which")) requests.begin_guessing = true;
}

void guesses(const Screen& screen, Widgets& widgets, const View& view, Requests& requests) {
  widgets.words("One of these mistakes is being made. Look at the numbers: which one is it?",
                screen.theme.text, 12.5F);
  Widgets::space(4.0F);
  for (const lesson::MistakeText& text : lesson::mistake_texts()) {
    if (widgets.text_button(std::string(text.label).c_str())) requests.guess = text.mistake;
  }
  if (!view.guess_answer.empty()) {
    Widgets::space(4.0F);
    widgets.words(view.guess_answer, screen.theme.text, 12.5F, true);
  }
  Widgets::space(4.0F);
  if (widgets.text_button("Tell me")) requests.guess = Mistake::none;
}

}  // namespace

void break_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  widgets.heading("Break it");
  const document::Document& document = screen.session.document();
  if (document.view_state.guessing && document.configuration.mistake != Mistake::none) {
    guesses(screen, widgets, view, requests);
    return;
  }
  if (!view.guess_answer.empty()) {
    if (document.configuration.mistake == Mistake::none) view.guess_answer.clear();
    widgets.words(view.guess_answer, screen.theme.text, 12.5F, true);
  }
  switches(screen, widgets, requests);
}

}  // namespace draw
