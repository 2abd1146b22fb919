#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "draw/headless.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "imgui_internal.h"

namespace draw {
namespace {

using stage::Rect;

Rect place_of(const char* name) {
  const ImGuiWindow* window = ImGui::FindWindowByName(name);
  if (window == nullptr || !window->Active) return {};
  return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y};
}

document::Session session_with_a_chosen_cell() {
  document::Session session;
  document::perform(session, document::ChooseStep{lesson::StepId::input});
  document::perform(session,
                    document::ChooseCell{document::CellRef{"query_input", tensor::Index{0, 1, 2}}});
  return session;
}

// What is wrong is said where both can be seen: the number that is being typed, and the inspector.
TEST(Message, LiesNeitherOnTheInspectorNorOnTheNumberThatIsTyped) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session = session_with_a_chosen_cell();
  for (const auto& [width, height] :
       {std::array{390.0F, 844.0F}, std::array{720.0F, 480.0F}, std::array{1280.0F, 800.0F}}) {
    const stage::Chrome chrome = stage::arrange(width, height);
    for (const float down : {0.05F, 0.2F, 0.4F, 0.6F, 0.8F, 0.95F}) {
      SCOPED_TRACE(testing::Message() << width << " wide, cell at " << down);
      View view;
      view.message = "“abc” is not a number; type something like −0.25.";
      const Rect cell{chrome.stage.x + 60.0F, chrome.stage.y + chrome.stage.height * down - 14.0F,
                      40.0F, 28.0F};
      view.pinned_place = cell;
      Requests requests;
      on_screen(headless, session, width, height, [&](const Screen& screen) {
        side_panels(screen, view, requests);
        message_panel(screen, view, requests);
      });
      const Rect message = place_of("##message");
      EXPECT_FALSE(message.empty());
      EXPECT_FALSE(message.overlaps(cell));
      EXPECT_FALSE(message.overlaps(place_of("##chosen")));
      EXPECT_FALSE(message.overlaps(place_of("##panel")));
      EXPECT_NE(place_of("##chosen").empty(), place_of("##panel").empty());
      EXPECT_GE(message.y, chrome.stage.y);
      EXPECT_LE(message.bottom(), chrome.stage.bottom() + 0.5F);
    }
  }
  ImGui::NewFrame();
}

// A phone on its side has too little room beside the inspector: the message is seen all the same.
TEST(Message, StaysOnSmallScreens) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session = session_with_a_chosen_cell();
  for (const auto& [width, height] : {std::array{568.0F, 320.0F}, std::array{320.0F, 568.0F},
                                      std::array{320.0F, 240.0F}, std::array{600.0F, 400.0F}}) {
    View view;
    view.message = "“abc” is not a number; type something like −0.25.";
    Requests requests;
    on_screen(headless, session, width, height,
              [&](const Screen& screen) { message_panel(screen, view, requests); });
    const Rect message = place_of("##message");
    EXPECT_FALSE(message.empty());
    EXPECT_GE(message.y, 0.0F) << width << " x " << height;
    EXPECT_LE(message.bottom(), height) << width << " x " << height;
  }
  ImGui::NewFrame();
}

// Neither "0.996" nor the name of a tensor is broken at its points.
TEST(Message, HasItsLinesBrokenAtSpacesOnly) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session;
  View view;
  for (int i = 0; i < 8; ++i) view.message += "encoder.0.self_attention.scores ";
  view.message += "end";
  Requests requests;
  on_screen(headless, session, 390.0F, 844.0F,
            [&](const Screen& screen) { message_panel(screen, view, requests); });
  EXPECT_GE(place_of("##message").height, 8.0F * 13.5F + 32.0F);
  // Its lines are not broken a second time: all of it is seen.
  view.message =
      "Without √D the largest weight of a row is 0.996 on average. Such rows are saturated: "
      "p(1 − p) is small, so their scores learn little. Divide by √D and compare.";
  for (const float width : {390.0F, 480.0F, 600.0F, 720.0F, 1280.0F}) {
    for (int frame = 0; frame < 3; ++frame) {
      on_screen(headless, session, width, 800.0F,
                [&](const Screen& screen) { message_panel(screen, view, requests); });
    }
    EXPECT_EQ(ImGui::FindWindowByName("##message")->ScrollMax.y, 0.0F) << width;
  }
  ImGui::NewFrame();
}

// Beside an open group the inspector keeps the name and the value of the cell in focus, and at
// 1280 x 800 the group has room for every mistake.
TEST(Groups, AnOpenOneHasRoomForItsContents) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session = session_with_a_chosen_cell();
  constexpr float least_of_inspector = 140.0F;
  on_screen(headless, session, 1280.0F, 800.0F, [&](const Screen& screen) {
    stage::Rect room = screen.chrome.panel;
    room.width -= 36.0F;
    View view;
    Requests requests;
    for (const PanelGroup group : {PanelGroup::settings, PanelGroup::break_it, PanelGroup::learn}) {
      view.open_group = group;
      EXPECT_LE(groups_height(screen, view, room), room.height - least_of_inspector);
    }
    view.open_group = PanelGroup::break_it;
    constexpr float tabs = 25.0F + 8.0F;  // with the space around the contents
    const float given = groups_height(screen, view, room) - tabs;
    begin_area("##area", {0.0F, 0.0F, 260.0F, 800.0F}, screen.theme, Back::surface);
    const float begin = ImGui::GetCursorPosY();
    break_panel(screen, view, requests);
    EXPECT_LE(ImGui::GetCursorPosY() - begin, given);
    end_area();
  });
}

// The mistake "scale forgotten" leaves the chosen division out, which is said below it, but not to
// a reader who is to guess the mistake.
TEST(Settings, SayThatAMistakeLeavesTheDivisionOut) {
  const Headless headless;
  ImGui::EndFrame();
  const auto height = [&](const document::Session& session) {
    float end = 0.0F;
    View view;
    Requests requests;
    on_screen(headless, session, 1280.0F, 800.0F, [&](const Screen& screen) {
      begin_area("##area", {0.0F, 0.0F, 320.0F, 800.0F}, screen.theme, Back::surface);
      settings(screen, view, requests);
      end = ImGui::GetCursorPosY();
      end_area();
    });
    return end;
  };
  document::Session session;
  document::perform(session, document::SetMistake{model::Mistake::no_softmax});
  const float divided = height(session);
  document::perform(session, document::SetMistake{model::Mistake::no_scale});
  EXPECT_GT(height(session), divided);
  document::perform(session, document::Guess{true});
  const float guessed = height(session);
  document::perform(session, document::SetMistake{model::Mistake::no_softmax});
  EXPECT_EQ(height(session), guessed);
  EXPECT_LT(guessed, divided) << "nor does a comparison with the original tell it";
  document::perform(session, document::SetMistake{model::Mistake::no_scale});
  document::perform(session, document::Guess{false});
  document::perform(session, document::SetScale{{model::Scale::Kind::none, 1.0F}});
  EXPECT_EQ(height(session), divided);
  ImGui::NewFrame();
}

/// What the reader asks for by clicking all over a panel.
template <typename Panel>
std::vector<document::Command> asked_by_clicks(const Headless& headless,
                                               const document::Session& session, Panel panel) {
  Requests requests;
  View view;
  ImGuiIO& io = ImGui::GetIO();
  const Shown shown(headless, session, 1280.0F, 800.0F);
  const auto frame = [&] {
    shown.frame([&](const Screen& screen) {
      begin_area("##area", {0.0F, 0.0F, 320.0F, 1200.0F}, screen.theme, Back::surface);
      panel(screen, view, requests);
      end_area();
    });
  };
  for (float y = 5.0F; y < 700.0F; y += 16.0F) {
    for (const float x : {20.0F, 40.0F, 60.0F, 140.0F}) {
      io.AddMousePosEvent(x, y);
      frame();
      for (const bool down : {true, false}) {
        io.AddMouseButtonEvent(ImGuiMouseButton_Left, down);
        frame();
      }
    }
  }
  return requests.commands;
}

// Every example with more than one head has a switch for each, whatever step is on screen.
TEST(Settings, SwitchEachHeadOffAndOn) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session;
  document::perform(session, document::ChooseExample{lesson::ExampleId::gender_and_number});
  const lesson::AttentionId id = session.attention().id;
  document::perform(session, document::AblateHead{id, 1, true});
  std::vector<bool> switched_off(2, false);
  bool on_again = false;
  for (const document::Command& command : asked_by_clicks(headless, session, settings)) {
    const auto* asked = std::get_if<document::AblateHead>(&command);
    if (asked == nullptr) continue;
    EXPECT_EQ(asked->attention, id);
    ASSERT_LT(asked->head, 2U);
    if (asked->ablated)
      switched_off[asked->head] = true;
    else
      on_again = on_again || asked->head == 1;
  }
  EXPECT_EQ(switched_off, (std::vector{true, false}));
  EXPECT_TRUE(on_again);
  ImGui::NewFrame();
}

// What a mistake changes is seen at once by comparing with the original; for those who guess, that
// would tell it.
TEST(BreakPanel, OffersTheComparisonWithTheOriginal) {
  const Headless headless;
  ImGui::EndFrame();
  const auto offers = [&](const document::Session& session) {
    const auto commands = asked_by_clicks(headless, session, break_panel);
    return std::any_of(commands.begin(), commands.end(), [](const document::Command& command) {
      return std::holds_alternative<document::Compare>(command);
    });
  };
  document::Session session;
  document::perform(session, document::ChooseExample{lesson::ExampleId::gender_and_number});
  EXPECT_FALSE(offers(session));
  document::perform(session, document::SetMistake{model::Mistake::no_softmax});
  EXPECT_TRUE(offers(session));
  document::perform(session, document::Guess{true});
  EXPECT_FALSE(offers(session));
  ImGui::NewFrame();
}

// What was asked for stays in sight: a line for each target, and one for more than three.
TEST(LearnPanel, ListsTheTargets) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session;
  document::perform(session, document::ChooseExample{lesson::ExampleId::gender_and_number});
  document::perform(session, document::Learning{true});
  const lesson::AttentionId id = session.attention().id;
  View view;
  std::vector<float> heights;
  for (std::size_t column = 0; column < 5; ++column) {
    document::perform(session, document::SetTarget{{id, "output", {0, 6, column}}, 0.5F});
    on_screen(headless, session, 1280.0F, 800.0F, [&](const Screen& screen) {
      begin_area("##area", {0.0F, 0.0F, 320.0F, 1200.0F}, screen.theme, Back::surface);
      Requests requests;
      learn_panel(screen, view, requests);
      heights.push_back(ImGui::GetCursorPosY());
      end_area();
    });
  }
  const float line = heights[1] - heights[0];
  EXPECT_GT(line, 12.0F);
  EXPECT_NEAR(heights[2] - heights[1], line, 0.5F);
  EXPECT_GT(heights[3] - heights[2], 12.0F);
  EXPECT_NEAR(heights[4] - heights[3], 0.0F, 0.5F);
  ImGui::NewFrame();
}

// Where an example has no variants of attention, its settings lead to one that has them.
TEST(Settings, LeadToTheVariantsOfAttention) {
  const Headless headless;
  ImGui::EndFrame();
  const auto leads = [&](const document::Session& session) {
    const auto commands = asked_by_clicks(headless, session, settings);
    return std::any_of(commands.begin(), commands.end(), [](const document::Command& command) {
      const auto* chosen = std::get_if<document::ChooseExample>(&command);
      return chosen != nullptr && chosen->example == lesson::ExampleId::your_sentence;
    });
  };
  document::Session session;
  document::perform(session, document::ChooseExample{lesson::ExampleId::gender_and_number});
  EXPECT_TRUE(leads(session));
  document::perform(session, document::ChooseExample{lesson::ExampleId::your_sentence});
  EXPECT_FALSE(leads(session)) << "it has them itself";
  ImGui::NewFrame();
}

// Switched on before the step that it changes, a variant would have no effect that is seen.
TEST(Variants, LeadToTheStepThatTheyChange) {
  const Headless headless;
  ImGui::EndFrame();
  const auto steps_after = [&](lesson::StepId present) {
    document::Session session;
    document::perform(session, document::ChooseExample{lesson::ExampleId::your_sentence});
    document::perform(session, document::ChooseStep{present});
    std::set<lesson::StepId> steps;
    for (const document::Command& command : asked_by_clicks(headless, session, variants_panel))
      if (const auto* step = std::get_if<document::ChooseStep>(&command)) steps.insert(step->step);
    return steps;
  };
  const std::set<lesson::StepId> made = {
      lesson::step_making("q_normed"), lesson::step_making("q_rotated"),
      lesson::step_making("capped_scores"), lesson::step_making("alibi_bias")};
  const std::set<lesson::StepId> from_input = steps_after(lesson::StepId::input);
  for (const lesson::StepId step : made)
    EXPECT_EQ(from_input.count(step), 1U) << lesson::step(step).name;
  // The cache's own figure is asked for by its switch, from everywhere.
  const std::set<lesson::StepId> of_cache = {lesson::StepId::project};
  EXPECT_EQ(steps_after(lesson::StepId::output), of_cache) << "what the others change comes before";
  EXPECT_EQ(steps_after(lesson::StepId::sentence), of_cache) << "it shows the weights";
  ImGui::NewFrame();
}

// No mask has to be chosen first.
TEST(Inspector, HidesTheKeyOfAScoreOrAWeight) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session;
  document::perform(session, document::ChooseExample{lesson::ExampleId::gender_and_number});
  document::perform(session, document::ChooseStep{lesson::StepId::softmax});
  const lesson::AttentionId id = session.attention().id;
  const auto value_asked = [&] {
    for (const document::Command& command : asked_by_clicks(headless, session, inspector)) {
      const auto* edit = std::get_if<document::EditCell>(&command);
      if (edit == nullptr) continue;
      EXPECT_EQ(edit->cell, (document::CellAddress{id, "mask", {0, 0, 6, 1}}));
      return edit->value;
    }
    return 1.0F;
  };
  for (const model::TensorId tensor :
       {model::TensorId("masked_scores"), model::TensorId("attention_weights")}) {
    const document::CellRef cell{tensor, tensor::Index{0, 1, 6, 1}};
    document::perform(session, document::ChooseCell{cell});
    const float hides = value_asked();
    EXPECT_EQ(hides, -std::numeric_limits<float>::infinity());
    document::perform(session, document::EditCell{{id, "mask", {0, 0, 6, 1}}, hides});
    EXPECT_EQ(session.attention().trace["attention_weights"].at({0, 0, 6, 1}), 0.0F);
    document::perform(session, document::ChooseCell{cell});
    EXPECT_EQ(value_asked(), 0.0F) << "then it can be shown";
    document::perform(session, document::EditCell{{id, "mask", {0, 0, 6, 1}}, 0.0F});
  }
  ImGui::NewFrame();
}

TEST(Settings, OfferLanguagesWhereThePageHasThem) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session;
  View view;
  Requests requests;
  Rect last;  // of what is drawn
  const auto frame = [&] {
    on_screen(headless, session, 1280.0F, 800.0F, [&](const Screen& screen) {
      begin_area("##area", {0.0F, 0.0F, 320.0F, 800.0F}, screen.theme, Back::surface);
      settings(screen, view, requests);
      const ImVec2 least = ImGui::GetItemRectMin();
      const ImVec2 most = ImGui::GetItemRectMax();
      last = {least.x, least.y, most.x - least.x, most.y - least.y};
      end_area();
    });
  };
  frame();
  const float without = last.bottom();
  view.has_languages = true;
  frame();
  EXPECT_GT(last.y, without);
  EXPECT_LE(last.right(), 320.0F);

  ImGuiIO& io = ImGui::GetIO();
  io.AddMousePosEvent(last.x + last.width / 2.0F, last.y + last.height / 2.0F);
  frame();
  for (const bool down : {true, false}) {
    io.AddMouseButtonEvent(ImGuiMouseButton_Left, down);
    frame();
  }
  EXPECT_EQ(requests.language, "es");
  EXPECT_TRUE(requests.commands.empty());
  ImGui::NewFrame();
}

// Opening *Learn* makes numbers targets; who closes it without having set one is done with it.
TEST(Groups, LeavingLearnWithoutATargetEndsIt) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session = session_with_a_chosen_cell();
  View view;
  const auto press_learn = [&] {
    Requests requests;
    float tabs_before = 0.0F;  // the width of Settings and Break it as tabs
    const auto frame = [&] {
      on_screen(headless, session, 1280.0F, 800.0F, [&](const Screen& screen) {
        begin_area("##area", {0.0F, 0.0F, 320.0F, 800.0F}, screen.theme, Back::surface);
        const float height = groups_height(screen, view, {0.0F, 100.0F, 300.0F, 700.0F});
        groups_panel(screen, view, requests, {0.0F, 100.0F, 300.0F, height});
        tabs_before = measure(screen.type.strong, 13.0F, "Settings").x +
                      measure(screen.type.strong, 13.0F, "Break it").x;
        end_area();
      });
    };
    constexpr float header = 25.0F;
    constexpr float gap = 14.0F;
    ImGuiIO& io = ImGui::GetIO();
    frame();
    if (view.open_group) {
      io.AddMousePosEvent(tabs_before + 2.0F * gap + 10.0F, 100.0F + header / 2.0F);
    } else {
      io.AddMousePosEvent(60.0F, 100.0F + 2.5F * header);  // under Settings and Break it
    }
    frame();
    for (const bool down : {true, false}) {
      io.AddMouseButtonEvent(ImGuiMouseButton_Left, down);
      frame();
    }
    for (const document::Command& command : requests.commands) document::perform(session, command);
  };
  press_learn();
  EXPECT_EQ(view.open_group, PanelGroup::learn);
  EXPECT_TRUE(session.document().view_state.learning);
  press_learn();
  EXPECT_EQ(view.open_group, std::nullopt);
  EXPECT_FALSE(session.document().view_state.learning);

  press_learn();
  document::perform(session, document::ChooseStep{lesson::StepId::output});
  const lesson::AttentionId attention = session.document().view_state.attention;
  document::perform(session,
                    document::SetTarget{{attention, "output", tensor::Index{0, 0, 0}}, 0.5F});
  ASSERT_FALSE(session.document().configuration.target.empty());
  press_learn();
  EXPECT_EQ(view.open_group, std::nullopt);
  EXPECT_TRUE(session.document().view_state.learning) << "there is something to learn";
  ImGui::NewFrame();
}

// Another cell's name and number are not left above the edge of a panel that was scrolled.
TEST(Inspector, BeginsAtTheTopForAnotherCell) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session = session_with_a_chosen_cell();
  View view;
  view.open_group = PanelGroup::settings;
  Requests requests;
  const auto frame = [&] {
    on_screen(headless, session, 1280.0F, 800.0F,
              [&](const Screen& screen) { side_panels(screen, view, requests); });
  };
  const auto pane = []() -> ImGuiWindow* {
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (std::string(window->Name).find("##inspector") != std::string::npos) return window;
    }
    return nullptr;
  };
  for (int i = 0; i < 3; ++i) frame();
  ASSERT_NE(pane(), nullptr);
  ASSERT_GT(pane()->ScrollMax.y, 6.0F);
  ImGui::SetScrollY(pane(), 6.0F);
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(pane()->Scroll.y, 6.0F) << "the same cell";
  document::perform(session,
                    document::ChooseCell{document::CellRef{"query_input", tensor::Index{0, 0, 1}}});
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(pane()->Scroll.y, 0.0F);
  ImGui::NewFrame();
}

TEST(Tooltip, IsSetInLinesWhereItsWordsAreLong) {
  const Headless headless;
  ImGui::EndFrame();
  document::Session session;
  const std::string words(base::text("lesson.mistake.no-transpose.text"));
  for (int frame = 0; frame < 3; ++frame) {
    on_screen(headless, session, 390.0F, 844.0F, [&](const Screen& screen) {
      begin_area("##area", {0.0F, 0.0F, 260.0F, 800.0F}, screen.theme, Back::surface);
      tooltip(words);
      end_area();
    });
  }
  const ImGuiWindow* shown = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    if (std::string(window->Name).starts_with("##Tooltip")) shown = window;
  }
  ASSERT_NE(shown, nullptr);
  EXPECT_LE(shown->Size.x, 370.0F);
  EXPECT_GT(shown->Size.y, 60.0F);
  ImGui::NewFrame();
}

TEST(TextButton, HasItsFaceOrItsWordsUnderThoseOfOtherLinesWhereItBeginsOne) {
  const Headless headless;
  ImGui::EndFrame();
  const Theme theme = light_theme();
  apply_style(theme);
  ImGui::NewFrame();
  begin_area("##area", {0.0F, 0.0F, 400.0F, 200.0F}, theme, Back::surface);
  Widgets widgets(theme, headless.type);
  widgets.words("words", theme.text, 13.0F);
  const float words = ImGui::GetItemRectMin().x;
  widgets.text_button("raised");
  EXPECT_EQ(ImGui::GetItemRectMin().x, words);
  widgets.text_button("flat", true, false, Widgets::Face::flat);
  EXPECT_EQ(ImGui::GetItemRectMin().x, words - 8.0F);
  const float end = ImGui::GetItemRectMax().x;
  Widgets::same_line(0.0F);
  widgets.text_button("second");
  EXPECT_EQ(ImGui::GetItemRectMin().x, end);
  end_area();
}

}  // namespace
}  // namespace draw
