#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace draw {

using model::Mistake;

namespace {

/// The mistakes, each at the same place whether it is switched or guessed.
void list(const Screen& screen, Widgets& widgets, Requests& requests, bool guessing) {
  const Mistake made = screen.session.document().configuration.mistake;
  for (const lesson::MistakeText& text : lesson::mistake_texts()) {
    const std::string label(text.label);
    if (guessing) {
      if (widgets.answer(("guess " + label).c_str(), label)) requests.guess = text.mistake;
    } else if (widgets.toggle(("mistake " + label).c_str(), label, made == text.mistake)) {
      requests.add(document::SetMistake{made == text.mistake ? Mistake::none : text.mistake});
    }
  }
  Widgets::space(6.0F);
}

void sentence(const Screen& screen, Widgets& widgets, std::string_view text, bool strong = false) {
  Widgets::space(4.0F);
  widgets.words(text, screen.theme.text, 12.5F, strong);
}

}  // namespace

void break_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const document::Document& document = screen.session.document();
  const Mistake made = document.configuration.mistake;
  const bool guessing = document.view_state.guessing && made != Mistake::none;
  if (made == Mistake::none && !guessing) view.guess_answer.clear();
  list(screen, widgets, requests, guessing);
  if (guessing) {
    if (widgets.text_button("Tell me")) requests.guess = Mistake::none;
    sentence(screen, widgets,
             "One of these mistakes is being made. Look at the numbers: which one is it?");
  } else if (widgets.text_button("Guess which")) {
    requests.begin_guessing = true;
  }
  if (!view.guess_answer.empty()) sentence(screen, widgets, view.guess_answer, true);
  if (made != Mistake::none && !guessing) sentence(screen, widgets, lesson::text_of(made).text);
}

}  // namespace draw
