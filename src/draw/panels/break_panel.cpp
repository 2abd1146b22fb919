#include <array>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace draw {

using attention::Mistake;

namespace {

constexpr std::array mistakes = {Mistake::no_transpose,         Mistake::no_scale,
                                 Mistake::softmax_over_queries, Mistake::mask_after_softmax,
                                 Mistake::mask_with_zero,       Mistake::keys_not_transposed};

void switches(const Screen& screen, Widgets& widgets, Requests& requests) {
  const Mistake made = screen.session.document().setup.mistake;
  if (made != Mistake::none) {
    widgets.words(lesson::text_of(made).text, screen.theme.text, 12.5F);
    Widgets::space(4.0F);
  }
  for (const Mistake mistake : mistakes) {
    const lesson::MistakeText& text = lesson::text_of(mistake);
    const std::string label(text.label);
    const std::string id = "mistake " + label;
    if (widgets.toggle(id.c_str(), label, made == mistake))
      requests.add(document::SetMistake{made == mistake ? Mistake::none : mistake});
  }
  Widgets::space(6.0F);
  if (widgets.text_button("Guess which")) requests.guess = true;
}

void guesses(const Screen& screen, Widgets& widgets, View& view, Requests& requests) {
  const Mistake made = screen.session.document().setup.mistake;
  widgets.words("One of these is being done wrong. Look at the numbers: which one?",
                screen.theme.text, 12.5F);
  Widgets::space(4.0F);
  for (const Mistake mistake : mistakes) {
    const lesson::MistakeText& text = lesson::text_of(mistake);
    const std::string label(text.label);
    if (!widgets.text_button(label.c_str())) continue;
    if (mistake == made) {
      view.guess_answer = "Right: " + label + ".";
      requests.add(document::Guess{false});
    } else {
      view.guess_answer = "It is not “" + label + "”. Look again.";
    }
  }
  if (!view.guess_answer.empty()) {
    Widgets::space(4.0F);
    widgets.words(view.guess_answer, screen.theme.text, 12.5F, true);
  }
  Widgets::space(4.0F);
  if (widgets.text_button("Tell me")) {
    view.guess_answer.clear();
    requests.add(document::Guess{false});
  }
}

}  // namespace

void break_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  widgets.heading("Break it");
  const document::Document& document = screen.session.document();
  if (document.look.guessing && document.setup.mistake != Mistake::none) {
    guesses(screen, widgets, view, requests);
    return;
  }
  if (!view.guess_answer.empty()) {
    if (document.setup.mistake == Mistake::none) view.guess_answer.clear();
    widgets.words(view.guess_answer, screen.theme.text, 12.5F, true);
  }
  switches(screen, widgets, requests);
}

}  // namespace draw
