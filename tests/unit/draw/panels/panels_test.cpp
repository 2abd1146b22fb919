#include "draw/panels/panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "document/learning/learn.hpp"
#include "document/setups.hpp"
#include "draw/headless.hpp"
#include "draw/panels/widgets.hpp"
#include "imgui_internal.h"
#include "speaking.hpp"
#include "stage/wording/step_words.hpp"

namespace draw {
namespace {

using stage::Rect;

/// From a phone's width to a desk's; 640 x 400 is a frame in an article, 300 x 450 one in a column.
constexpr std::array<std::array<float, 2>, 7> sizes{
    {{300, 450}, {320, 568}, {390, 844}, {600, 400}, {640, 400}, {720, 480}, {1280, 800}}};

/// An area of controls, and how often it was there.
struct Row {
  const char* name;
  Rect stage::Chrome::*place;
  int seen = 0;
};

/// Checks that the area, if the frame that has just ended drew it, ends within its place.
void expect_within(Row& row, const stage::Chrome& chrome) {
  const ImGuiWindow* window = ImGui::FindWindowByName(row.name);
  if (window == nullptr || !window->Active) return;
  ++row.seen;
  EXPECT_LE(window->DC.CursorMaxPos.x, (chrome.*row.place).right() + 0.5F) << row.name;
}

/// Every example, and with as many heads as there can be.
std::vector<document::Configuration> setups() {
  std::vector<document::Configuration> all = document::all_setups();
  document::Configuration many = document::fresh(lesson::ExampleId::anthony_hopkins, 0);
  many.parameters.num_heads = 16;
  all.push_back(many);
  return all;
}

TEST(Panels, RowsOfControlsEndWithinTheirPlace) {
  std::array<Row, 4> rows{{{"##heads", &stage::Chrome::heads},
                           {"##view", &stage::Chrome::view},
                           {"##bar", &stage::Chrome::bar},
                           {"##steps", &stage::Chrome::steps}}};
  const Headless headless;
  ImGui::EndFrame();
  for (const char* language : all_languages) {
    const Speaking texts(language);
    for (const document::Configuration& configuration : setups()) {
      document::Session session(document::document_of(configuration));
      for (const auto& [width, height] : sizes) {
        for (const lesson::Step& step : lesson::steps()) {
          document::perform(session, document::ChooseStep{step.id});
          SCOPED_TRACE(std::string(language) + ", " + document::name_of(configuration) + ", " +
                       std::string(step.name) + ", " + std::to_string(width) + " x " +
                       std::to_string(height));
          View view;
          Requests requests;
          on_screen(headless, session, width, height, [&](const Screen& screen) {
            heads_panel(screen, view, requests);
            view_panel(screen, requests);
            bar_panel(screen, view, requests);
            steps_panel(screen, view, requests);
          });
          for (Row& row : rows) expect_within(row, stage::arrange(width, height));
        }
      }
    }
  }
  ImGui::NewFrame();
  for (const Row& row : rows) EXPECT_GT(row.seen, 100) << row.name;
}

// Under the title is one line, in letters of at least 11 pixels.
TEST(TextPanel, HasASentenceThatFitsThePhonesLine) {
  const Headless headless;
  const stage::Chrome chrome = stage::arrange(390.0F, 844.0F);
  std::size_t seen = 0;
  for (const char* language : all_languages) {
    const Speaking texts(language);
    for (const document::Configuration& configuration : setups()) {
      document::Session session(document::document_of(configuration));
      for (const lesson::Step& step : lesson::steps()) {
        document::perform(session, document::ChooseStep{step.id});
        const document::ViewState& view_state = session.document().view_state;
        const std::string sentence = stage::words_of_step(session.computed(), view_state);
        EXPECT_LE(measure(headless.type.words, 11.0F, sentence).x, chrome.text.width)
            << language << ", " << document::name_of(configuration) << ": " << sentence;
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 100U);
}

// A row that has a place has something to choose in it: with one head on a phone it is the query.
// Beside a training the row is short: the switch has a short name there.
TEST(ViewRow, HasTheSwitchOfAMistakeBesideATraining) {
  const Headless headless;
  ImGui::EndFrame();
  const stage::Chrome chrome = stage::arrange(720.0F, 450.0F, {}, {.training = true});
  ASSERT_GT(chrome.training.x, chrome.view.x);
  for (const char* language : all_languages) {
    const Speaking texts(language);
    for (const lesson::ExampleId example :
         {lesson::ExampleId::reverse, lesson::ExampleId::agree, lesson::ExampleId::look_back}) {
      for (const lesson::StepId step : {lesson::StepId::mask, lesson::StepId::softmax}) {
        document::Session session(document::document_of(document::fresh(example, 0)));
        document::perform(session, document::ChooseStep{step});
        const stage::Composition composition =
            stage::compose(session.computed(), session.document().view_state,
                           {chrome.stage.width, chrome.stage.height});
        const stage::Focus focus = stage::focus_of(
            session.attention(), session.document().view_state, composition.stage, {});
        const Screen screen{session,     chrome, light_theme(),      headless.type,
                            composition, focus,  session.attention()};
        apply_style(screen.theme);
        bool offered = false;
        for (float x = chrome.view.x; x < chrome.view.right() && !offered; x += 12.0F) {
          for (const bool down : {false, true, false}) {
            ImGui::GetIO().AddMousePosEvent(x, chrome.view.y + 13.0F);
            ImGui::GetIO().AddMouseButtonEvent(0, down);
            Requests requests;
            ImGui::NewFrame();
            view_panel(screen, requests);
            ImGui::EndFrame();
            for (const document::Command& command : requests.commands)
              offered = offered || std::holds_alternative<document::SetMistake>(command);
          }
        }
        EXPECT_TRUE(offered) << language << ", " << static_cast<int>(example);
      }
    }
  }
}

TEST(HeadsRow, IsNeverEmpty) {
  const Headless headless;
  ImGui::EndFrame();
  for (const document::Configuration& configuration : setups()) {
    const document::Session session(document::document_of(configuration));
    for (const auto& [width, height] : sizes) {
      SCOPED_TRACE(document::name_of(configuration) + ", " + std::to_string(width));
      const stage::Rect place = stage::arrange(width, height).heads;
      if (place.empty()) continue;
      View view;
      Requests requests;
      on_screen(headless, session, width, height,
                [&](const Screen& screen) { heads_panel(screen, view, requests); });
      const ImGuiWindow* window = ImGui::FindWindowByName("##heads");
      ASSERT_NE(window, nullptr);
      EXPECT_GT(window->DC.CursorMaxPos.x, place.x + 40.0F);
    }
  }
  ImGui::NewFrame();
}

// While a step moves, the list says whose row is being made, as the figure beside it does.
TEST(HeadsRow, NamesTheQueryWhoseRowIsBeingMade) {
  const Headless headless;
  document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::gender_and_number, 0)));
  document::perform(session, document::ChooseStep{lesson::StepId::softmax});
  document::perform(session, document::ChooseQuery{6});
  const stage::Chrome chrome = stage::arrange(1280.0F, 800.0F);
  std::set<std::size_t> listed;
  for (const float progress : {0.05F, 0.2F, 0.4F, 0.6F, 0.8F, 0.95F, 1.0F}) {
    document::perform(session, document::SetProgress{progress});
    const stage::Composition composition =
        stage::compose(session.computed(), session.document().view_state,
                       {chrome.stage.width, chrome.stage.height});
    const stage::Focus focus = stage::focus_of(session.attention(), session.document().view_state,
                                               composition.stage, {{}, true});
    const Screen screen{session,     chrome, light_theme(),      headless.type,
                        composition, focus,  session.attention()};
    const std::size_t query = listed_query(screen);
    EXPECT_EQ(query, progress < 1.0F ? focus.cell.index[2] : 6U) << progress;
    listed.insert(query);
  }
  EXPECT_GT(listed.size(), 2U);
}

// The keys of these texts are made of the names, so that no literal in the code stands for one.
TEST(LearnPanel, HasAWordForAllThatLearns) {
  for (const std::string_view name : document::learns_names) {
    const std::string key = "draw.learn.what." + std::string(name);
    EXPECT_NE(base::text(key), key);
  }
}

// What is chosen may be longer than its field: it ends before the mark that says that a list opens.
TEST(DropDown, EndsItsWordsBeforeItsMark) {
  const Headless headless;
  ImGui::EndFrame();
  const Theme theme = light_theme();
  constexpr float width = 120.0F;
  constexpr float mark = 20.0F;  // it begins so far from the right
  const std::vector<std::string> labels{"short", "a sentence that is much longer than this field"};
  std::array<float, 2> ends{};
  for (std::size_t chosen = 0; chosen < labels.size(); ++chosen) {
    apply_style(theme);
    ImGui::NewFrame();
    begin_area("##area", {0.0F, 0.0F, 400.0F, 60.0F}, theme, Back::surface);
    Widgets widgets(theme, headless.type);
    const float left = ImGui::GetCursorScreenPos().x;
    widgets.drop_down("##list", labels, static_cast<int>(chosen), width);
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    for (const ImDrawVert& vertex : ImGui::GetWindowDrawList()->VtxBuffer) {
      const bool filled = vertex.uv.x == white.x && vertex.uv.y == white.y;
      const float x = vertex.pos.x - left;
      if (!filled && x < width - mark) ends[chosen] = std::max(ends[chosen], x);
    }
    end_area();
    ImGui::EndFrame();
  }
  ImGui::NewFrame();
  EXPECT_GT(ends[0], 20.0F);
  EXPECT_GT(ends[1], width - mark - 30.0F);
  EXPECT_LT(ends[1], width - mark - 4.0F);
}

// A wide card has the formula beside the words and leaves the stage its height.
TEST(MoreWords, AreLowWhereTheyAreWide) {
  const Headless headless;
  ImGui::EndFrame();
  const document::Session session(
      document::document_of(document::fresh(lesson::ExampleId::pool_beats_badminton, 0)));
  const float narrow = words_height(session, headless.type, 640.0F);
  const float wide = words_height(session, headless.type, 920.0F);
  EXPECT_LT(wide, 0.8F * narrow);
  EXPECT_GT(wide, 60.0F);
  ImGui::NewFrame();
}

}  // namespace
}  // namespace draw
