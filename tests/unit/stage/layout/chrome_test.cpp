#include "stage/layout/chrome.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "evenly_spaced.hpp"
#include "stage/scenes.hpp"

namespace stage {
namespace {

std::vector<std::pair<std::string, Rect>> parts_of(const Chrome& chrome) {
  return {{"bar", chrome.bar},       {"text", chrome.text},   {"words", chrome.words},
          {"heads", chrome.heads},   {"stage", chrome.stage}, {"panel", chrome.panel},
          {"legend", chrome.legend}, {"view", chrome.view},   {"steps", chrome.steps}};
}

std::string name_of(float width, float height) {
  return std::to_string(width) + " x " + std::to_string(height);
}

void expect_apart_and_inside(float width, float height) {
  const Chrome chrome = arrange(width, height);
  const Rect screen{0.0F, 0.0F, width, height};
  const auto parts = parts_of(chrome);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& [name, rect] = parts[i];
    const bool left_out =
        name == "panel"
            ? chrome.form != Form::page && (chrome.form == Form::embed || height < 720.0F)
            : name == "words" || (name == "text" && chrome.form == Form::phone && height < 320.0F);
    if (left_out) {
      ASSERT_TRUE(rect.empty()) << name_of(width, height);
      continue;
    }
    ASSERT_FALSE(rect.empty()) << name << " at " << name_of(width, height);
    ASSERT_TRUE(inside(rect, screen, 0.001F))
        << name << ' ' << text_of(rect) << " at " << name_of(width, height);
    for (std::size_t j = 0; j < i; ++j) {
      ASSERT_FALSE(overlap(rect, parts[j].second))
          << name << ' ' << text_of(rect) << " and " << parts[j].first << ' '
          << text_of(parts[j].second) << " at " << name_of(width, height);
    }
  }
}

TEST(Arrange, PartsNeverOverlapAndStayInside) {
  for (const float width : evenly_spaced(320.0F, 3840.0F, 17.0F)) {
    for (const float height : evenly_spaced(240.0F, 2160.0F, 13.0F)) {
      expect_apart_and_inside(width, height);
      if (HasFatalFailure()) return;
    }
  }
  for (const float width : {320.0F, 599.0F, 599.5F, 600.0F, 999.0F, 999.5F, 1000.0F, 3840.0F}) {
    for (const float height : {240.0F, 320.0F, 599.0F, 599.5F, 600.0F, 2160.0F}) {
      expect_apart_and_inside(width, height);
    }
  }
}

// A page may give the canvas any size, if only for a moment.
TEST(Arrange, HasNoPartOfLessThanNothing) {
  for (const float width : evenly_spaced(1.0F, 340.0F, 13.0F)) {
    for (const float height : evenly_spaced(1.0F, 260.0F, 13.0F)) {
      const Chrome chrome = arrange(width, height);
      for (const auto& [name, rect] : parts_of(chrome)) {
        ASSERT_GE(rect.width, 0.0F) << name << " at " << name_of(width, height);
        ASSERT_GE(rect.height, 0.0F) << name << " at " << name_of(width, height);
      }
    }
  }
}

std::string name_of(const Parts& parts) {
  std::string text;
  for (const auto& [name, shown] : {std::pair{"bar", parts.bar},
                                    {"text", parts.text},
                                    {"heads", parts.heads},
                                    {"legend", parts.legend},
                                    {"panel", parts.panel},
                                    {"steps", parts.steps}}) {
    if (shown) text += std::string(name) + ' ';
  }
  return text;
}

std::vector<Parts> all_choices() {
  std::vector<Parts> choices;
  for (unsigned bits = 0; bits < 64U; ++bits) {
    const auto bit = [bits](unsigned number) { return (bits >> number & 1U) != 0; };
    choices.push_back({bit(0), bit(1), bit(2), bit(3), bit(4), bit(5)});
  }
  return choices;
}

// Any size, also those at which not all of them fit.
TEST(ArrangeOfParts, NeverOverlapAndStayInside) {
  for (const Parts& choice : all_choices()) {
    for (const float width : evenly_spaced(16.0F, 1400.0F, 31.0F)) {
      for (const float height : evenly_spaced(16.0F, 1000.0F, 23.0F)) {
        const auto parts = parts_of(arrange(width, height, choice));
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const auto& [name, rect] = parts[i];
          const auto where = [&, &shown = name, &place = rect] {
            return shown + ' ' + text_of(place) + " at " + name_of(width, height) + " with " +
                   name_of(choice);
          };
          ASSERT_TRUE(inside(rect, {0.0F, 0.0F, width, height}, 0.001F)) << where();
          if (rect.empty()) continue;
          for (std::size_t j = 0; j < i; ++j) {
            if (!parts[j].second.empty()) {
              ASSERT_FALSE(overlap(rect, parts[j].second)) << where() << parts[j].first;
            }
          }
        }
      }
    }
  }
}

TEST(ArrangeOfParts, AreThoseThatAreWanted) {
  for (const Parts& choice : all_choices()) {
    for (const auto& [width, height] :
         {std::pair{1280.0F, 800.0F}, {640.0F, 400.0F}, {360.0F, 300.0F}, {390.0F, 844.0F}}) {
      const Chrome chrome = arrange(width, height, choice);
      const Chrome whole = arrange(width, height);
      const std::string where = name_of(width, height) + " with " + name_of(choice);
      EXPECT_EQ(chrome.bar.empty(), !choice.bar) << where;
      // A phone's words come back where something else made room for them.
      if (!choice.text || !whole.text.empty()) {
        EXPECT_EQ(chrome.text.empty(), !choice.text) << where;
      }
      EXPECT_EQ(chrome.heads.empty(), !choice.heads) << where;
      EXPECT_EQ(chrome.legend.empty(), !choice.legend) << where;
      EXPECT_EQ(chrome.view.empty(), !choice.legend) << where;
      // A phone that is high enough has the inspector under the stage.
      const bool panel =
          chrome.form == Form::page || (chrome.form == Form::phone && height > 800.0F);
      EXPECT_EQ(chrome.panel.empty(), !choice.panel || !panel) << where;
      EXPECT_EQ(chrome.steps.empty(), !choice.steps) << where;
      EXPECT_EQ(chrome.sheets, choice.panel) << where;
    }
  }
}

TEST(ArrangeOfParts, LeaveTheirRoomToTheStage) {
  const auto share = [](float width, float height, const Parts& parts) {
    const Rect stage = arrange(width, height, parts).stage;
    return stage.width * stage.height / (width * height);
  };
  const Parts none{false, false, false, false, false, false};
  const Parts steps{false, true, false, true, false, true};
  EXPECT_GT(share(1280.0F, 800.0F, none), 0.9F);
  EXPECT_GT(share(640.0F, 400.0F, none), 0.9F);
  EXPECT_GT(share(360.0F, 300.0F, none), 0.85F);
  EXPECT_GT(share(640.0F, 400.0F, steps), 0.6F);
  EXPECT_GT(share(360.0F, 300.0F, steps), 0.45F);
  for (const Parts& choice : all_choices()) {
    for (bool Parts::*part :
         {&Parts::bar, &Parts::text, &Parts::heads, &Parts::legend, &Parts::panel, &Parts::steps}) {
      Parts less = choice;
      less.*part = false;
      EXPECT_GE(share(1280.0F, 800.0F, less), share(1280.0F, 800.0F, choice)) << name_of(choice);
      EXPECT_GE(share(640.0F, 400.0F, less), share(640.0F, 400.0F, choice)) << name_of(choice);
    }
  }
}

TEST(Arrange, GivesTheThreeDesignsTheirSizes) {
  EXPECT_EQ(arrange(1280.0F, 800.0F).form, Form::page);
  EXPECT_EQ(arrange(720.0F, 480.0F).form, Form::embed);
  EXPECT_EQ(arrange(390.0F, 844.0F).form, Form::phone);
  EXPECT_EQ(arrange(1920.0F, 1080.0F).form, Form::page);
  EXPECT_EQ(arrange(1280.0F, 400.0F).form, Form::embed);  // wide, but low
  EXPECT_EQ(arrange(844.0F, 390.0F).form, Form::embed);   // the phone on its side
}

TEST(Arrange, LeavesMostOfTheScreenToTheStage) {
  const auto share = [](const Screen& screen) {
    const Rect stage = screen.viewport();
    return stage.width * stage.height / (screen.width * screen.height);
  };
  EXPECT_GT(share(page), 0.4F);
  EXPECT_GT(share(embed), 0.55F);
  // With the inspector, which explains it and lies under it.
  const Rect inspector = arrange(phone.width, phone.height).panel;
  EXPECT_GT(share(phone) + inspector.width * inspector.height / (phone.width * phone.height),
            0.55F);
  EXPECT_GT(share(phone), 0.4F);
}

// Bar, title, sentence and equation.
TEST(Arrange, GivesTheHeaderAtMost110PixelsOfAPage) {
  for (const auto& [width, height] : {std::pair{1280.0F, 800.0F}, {1920.0F, 1080.0F}}) {
    const Chrome chrome = arrange(width, height);
    EXPECT_LE(chrome.text.bottom(), 110.0F);
    EXPECT_GE(chrome.heads.y, chrome.text.bottom());
    EXPECT_GE(chrome.panel.y, chrome.text.bottom());
  }
}

TEST(Arrange, ATrainingLeavesTheStageRoom) {
  const Parts all;
  for (const float width : evenly_spaced(600.0F, 1600.0F, 17.0F)) {
    for (const float height : evenly_spaced(300.0F, 1100.0F, 13.0F)) {
      for (const bool controls : {false, true}) {
        Opened opened;
        opened.training = true;
        opened.letters = true;
        opened.controls = controls;
        const Chrome chrome = arrange(width, height, all, opened);
        if (chrome.training.empty()) continue;
        const Rect screen{0.0F, 0.0F, width, height};
        ASSERT_TRUE(inside(chrome.training, screen, 0.001F)) << name_of(width, height);
        for (const auto& [name, rect] : parts_of(chrome)) {
          ASSERT_FALSE(overlap(chrome.training, rect)) << name << " at " << name_of(width, height);
        }
        ASSERT_FALSE(overlap(chrome.training, chrome.letters)) << name_of(width, height);
      }
    }
  }
  Opened opened;
  opened.training = true;
  const Chrome embed = arrange(720.0F, 480.0F, all, opened);
  EXPECT_GE(embed.training.x, embed.stage.right()) << "beside the stage of a low screen";
  EXPECT_GE(embed.stage.height, 240.0F);
  EXPECT_GE(embed.stage.width, 420.0F);
  const Chrome tablet = arrange(768.0F, 1024.0F, all, opened);
  EXPECT_GE(tablet.training.y, tablet.stage.bottom()) << "below that of a high one";
}

TEST(Arrange, PutsTheInspectorOfAPhoneUnderTheStage) {
  const Chrome chrome = arrange(phone.width, phone.height);
  EXPECT_GE(chrome.panel.y, chrome.legend.bottom());
  EXPECT_GE(chrome.legend.y, chrome.stage.bottom());
  EXPECT_LE(chrome.panel.bottom(), chrome.steps.y);
}

TEST(Arrange, TheSentenceIsAboveTheStageWhereTheBarHasNoRoomForIt) {
  for (const float width : evenly_spaced(320.0F, 1600.0F, 17.0F)) {
    for (const float height : evenly_spaced(240.0F, 1100.0F, 13.0F)) {
      for (const float words : {0.0F, 300.0F}) {
        Opened opened;
        opened.words = words;
        opened.sentence = opened.translation = true;
        const Chrome chrome = arrange(width, height, {}, opened);
        if (chrome.sentence.empty()) continue;
        ASSERT_NE(chrome.form, Form::page);
        ASSERT_FALSE(chrome.form == Form::phone && words > 0.0F) << "the stage keeps its room";
        for (const auto& [name, rect] : parts_of(chrome))
          ASSERT_FALSE(overlap(chrome.sentence, rect)) << name << " at " << name_of(width, height);
        ASSERT_GE(chrome.stage.height, 160.0F) << name_of(width, height);
      }
    }
  }
  Opened opened;
  opened.sentence = opened.translation = true;
  for (const auto& [width, height] : {std::pair{720.0F, 480.0F},
                                      {720.0F, 450.0F},
                                      {390.0F, 844.0F},
                                      {390.0F, 664.0F},
                                      {320.0F, 568.0F}}) {
    const Chrome chrome = arrange(width, height, {}, opened);
    EXPECT_GE(chrome.sentence.y, chrome.text.bottom()) << name_of(width, height);
    EXPECT_LE(chrome.sentence.bottom(), chrome.heads.y) << name_of(width, height);
  }
  EXPECT_TRUE(arrange(1280.0F, 800.0F, {}, opened).sentence.empty()) << "it is in the bar";
  Parts without_bar;
  without_bar.bar = false;
  EXPECT_FALSE(arrange(1280.0F, 800.0F, without_bar, opened).sentence.empty());
}

// The words that *More* opens cover nothing: the figure stays, smaller where there is no panel that
// gives them room.
TEST(Arrange, MakesRoomForTheWords) {
  for (const Screen& screen : screens) {
    const Chrome closed = arrange(screen.width, screen.height);
    for (const float wanted : {120.0F, 2000.0F}) {
      const Chrome open = arrange(screen.width, screen.height, {}, {true, wanted});
      ASSERT_FALSE(open.words.empty()) << screen.name;
      EXPECT_TRUE(open.letters.empty()) << "the words explain them, too";
      const auto area = [](const Rect& rect) { return rect.width * rect.height; };
      EXPECT_GE(area(open.stage), 0.48F * area(closed.stage)) << screen.name;
      const bool page = open.form == Form::page;
      EXPECT_EQ(open.panel == closed.panel, !page);
      if (page) {
        EXPECT_EQ(open.stage, closed.stage);
        EXPECT_GE(open.panel.height, 240.0F);
        EXPECT_EQ(open.panel.bottom(), closed.panel.bottom());
      }
      const auto parts = parts_of(open);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_FALSE(overlap(parts[i].second, parts[j].second))
              << screen.name << ' ' << parts[i].first << ' ' << parts[j].first;
        }
      }
    }
  }
}

// Where the controls have no panel they open beside the figure or below it.
TEST(Arrange, MakesRoomForTheControls) {
  for (const Screen& screen : screens) {
    const Chrome closed = arrange(screen.width, screen.height);
    const Chrome open = arrange(screen.width, screen.height, {}, {false, 0.0F, true});
    EXPECT_TRUE(closed.controls.empty());
    ASSERT_EQ(open.controls.empty(), open.form == Form::page) << screen.name;
    EXPECT_GE(open.stage.width * open.stage.height, 0.4F * closed.stage.width * closed.stage.height)
        << screen.name;
    for (const auto& [name, rect] : parts_of(open)) {
      EXPECT_FALSE(overlap(open.controls, rect)) << screen.name << ' ' << name;
    }
  }
  // Smaller ones are covered, since the controls could not be used otherwise.
  for (const auto& [width, height] : {std::pair{320.0F, 240.0F}, {620.0F, 260.0F}}) {
    const Chrome open = arrange(width, height, {}, {false, 0.0F, true});
    EXPECT_GE(open.controls.height, 120.0F);
    EXPECT_TRUE(inside(open.controls, {0.0F, 0.0F, width, height}, 0.001F));
    EXPECT_FALSE(open.stage.empty());
  }
  const Parts none{true, true, true, true, false, true};
  EXPECT_TRUE(arrange(390.0F, 844.0F, none, {false, 0.0F, true}).controls.empty());
}

// Beside the stage alone, the choices above and below it keep their room. On a lower screen, where
// the sheet needs the whole height, the legend leaves most of its row to the switches.
TEST(Arrange, LeavesTheChoicesTheirRoomBesideTheControls) {
  for (const auto& [width, height] : {std::pair{720.0F, 450.0F}, {720.0F, 480.0F}}) {
    const Chrome closed = arrange(width, height);
    const Chrome open = arrange(width, height, {}, {true, 0.0F, true});
    ASSERT_FALSE(open.controls.empty());
    EXPECT_GE(open.controls.height, 220.0F);
    EXPECT_EQ(open.heads, closed.heads);
    EXPECT_EQ(open.legend, closed.legend);
    EXPECT_EQ(open.view, closed.view);
    EXPECT_LE(open.letters.right(), open.controls.x);
    EXPECT_LE(open.stage.right(), open.controls.x);
  }
  const Chrome low = arrange(720.0F, 380.0F, {}, {false, 0.0F, true});
  EXPECT_LE(low.view.right(), low.controls.x);
  EXPECT_GE(low.view.width, 180.0F);
}

TEST(Arrange, SaysWhatLettersMeanOverTheStage) {
  for (const Screen& screen : screens) {
    const Chrome chrome = arrange(screen.width, screen.height, {}, {true});
    ASSERT_FALSE(chrome.letters.empty()) << screen.name;
    EXPECT_TRUE(chrome.letters.y >= chrome.heads.bottom() ||
                chrome.letters.x >= chrome.heads.right());
    EXPECT_LE(chrome.letters.bottom(), chrome.stage.y);
    EXPECT_TRUE(arrange(screen.width, screen.height).letters.empty());
  }
}

}  // namespace
}  // namespace stage
