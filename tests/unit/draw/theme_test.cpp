#include "draw/theme.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "draw/colour_vision.hpp"
#include "draw/stage/figure_view.hpp"
#include "special_floats.hpp"

namespace draw {
namespace {

using stage::Colouring;

constexpr Rgb black{0.0F, 0.0F, 0.0F};
constexpr Rgb white{1.0F, 1.0F, 1.0F};
constexpr float readable = 4.5F;  // WCAG 2.1, success criterion 1.4.3

struct Named {
  const char* name;
  const Theme& theme;
};

std::array<Named, 2> themes() {
  return {Named{"light", light_theme()}, Named{"dark", dark_theme()}};
}

void expect_colour(Rgb a, Rgb b) {
  EXPECT_NEAR(a.red, b.red, 1e-6F);
  EXPECT_NEAR(a.green, b.green, 1e-6F);
  EXPECT_NEAR(a.blue, b.blue, 1e-6F);
}

TEST(Mixed, GoesFromOneToTheOther) {
  const Rgb a{0.2F, 0.4F, 1.0F};
  const Rgb b{0.6F, 0.0F, 0.5F};
  expect_colour(mixed(a, b, 0.0F), a);
  expect_colour(mixed(a, b, 1.0F), b);
  expect_colour(mixed(a, b, 0.25F), {0.3F, 0.3F, 0.875F});
}

// Numbers from the definition in WCAG 2.1.
// Numbers over a picture.
TEST(Plate, MakesTextReadableOverAnyColour) {
  for (const auto& [name, theme] : themes()) {
    for (const float red : {0.0F, 1.0F}) {
      for (const float green : {0.0F, 1.0F}) {
        for (const float blue : {0.0F, 1.0F}) {
          const Rgb plate = mixed({red, green, blue}, theme.page, plate_opacity);
          EXPECT_GE(contrast(theme.text, plate), readable) << name;
        }
      }
    }
  }
}

TEST(Contrast, IsThatOfTheDefinition) {
  EXPECT_NEAR(luminance(white), 1.0F, 1e-5F);
  EXPECT_EQ(luminance(black), 0.0F);
  EXPECT_NEAR(luminance({1.0F, 0.0F, 0.0F}), 0.2126F, 1e-5F);
  EXPECT_NEAR(luminance({0.5F, 0.5F, 0.5F}), 0.21404F, 1e-4F);
  EXPECT_NEAR(contrast(black, white), 21.0F, 1e-3F);
  EXPECT_EQ(contrast(white, white), 1.0F);
  // #767676 is the lightest grey that may be text on white.
  const float grey = 118.0F / 255.0F;
  EXPECT_NEAR(contrast({grey, grey, grey}, white), 4.54F, 0.005F);
  EXPECT_EQ(contrast({grey, grey, grey}, white), contrast(white, {grey, grey, grey}));
}

// Red, green and blue of sRGB and the printed pairs of Sharma et al. 2005: the yardstick itself is
// right.
TEST(ColourVision, MeasuresAsPublished) {
  const Lab red = seen({1.0F, 0.0F, 0.0F}, trichromat);
  EXPECT_NEAR(red.lightness, 53.24, 0.01);
  EXPECT_NEAR(red.a, 80.09, 0.01);
  EXPECT_NEAR(red.b, 67.20, 0.01);
  const std::vector<std::pair<std::array<Lab, 2>, double>> published{
      {{Lab{50.0, 2.6772, -79.7751}, Lab{50.0, 0.0, -82.7485}}, 2.0425},
      {{Lab{50.0, -1.3802, -84.2814}, Lab{50.0, 0.0, -82.7485}}, 1.0000},
      {{Lab{50.0, 2.5, 0.0}, Lab{73.0, 25.0, -18.0}}, 27.1492},
      {{Lab{50.0, 2.5, 0.0}, Lab{58.0, 24.0, 15.0}}, 19.4535},
      {{Lab{60.2574, -34.0099, 36.2677}, Lab{60.4626, -34.1751, 39.4387}}, 1.2644},
      {{Lab{22.7233, 20.0904, -46.6940}, Lab{23.0331, 14.9730, -42.5619}}, 2.0373},
      {{Lab{36.4612, 47.8580, 18.3852}, Lab{36.2715, 50.5065, 21.2231}}, 1.4146},
      {{Lab{2.0776, 0.0795, -1.1350}, Lab{0.9033, -0.0636, -0.5514}}, 0.9082}};
  for (const auto& [pair, expected] : published) {
    EXPECT_NEAR(difference(pair[0], pair[1]), expected, 5e-5);
    EXPECT_NEAR(difference(pair[1], pair[0]), expected, 5e-5);
  }
  // Greys stay grey to everybody.
  for (const Vision& vision : {protanope, deuteranope, tritanope}) {
    const Lab grey = seen({0.5F, 0.5F, 0.5F}, vision);
    EXPECT_NEAR(grey.a, 0.0, 0.1);
    EXPECT_NEAR(grey.b, 0.0, 0.1);
  }
}

TEST(Theme, TextIsReadable) {
  for (const auto& [name, theme] : themes()) {
    for (const Rgb& behind : {theme.page, theme.surface}) {
      EXPECT_GE(contrast(theme.text, behind), readable) << name;
      EXPECT_GE(contrast(theme.quiet, behind), readable) << name;
      EXPECT_GE(contrast(theme.wrong, behind), readable) << name;
      EXPECT_GE(contrast(theme.accent, behind), readable) << name;
    }
    EXPECT_GE(contrast(theme.on_accent, theme.accent), readable) << name;
    EXPECT_EQ(theme.dark, luminance(theme.page) < 0.5F) << name;
  }
  EXPECT_TRUE(dark_theme().dark);
}

// In the example with the picture, head 0 looks for red, head 1 for green and head 2 for blue.
TEST(Theme, HeadsNamedAfterColoursHaveNoneThatIsAnother) {
  for (const Theme& plain : {light_theme(), dark_theme()}) {
    const Theme theme = with_named_heads(plain);
    const auto most = [&](std::size_t head) {
      const Rgb hue = theme.head(head);
      return hue.red >= std::max(hue.green, hue.blue) ? 'r' : hue.green >= hue.blue ? 'g' : 'b';
    };
    EXPECT_EQ(std::string({most(0), most(1), most(2)}), "rgb");
    std::set<std::array<float, 3>> hues;
    for (std::size_t head = 0; head < theme.heads.size(); ++head)
      hues.insert({theme.head(head).red, theme.head(head).green, theme.head(head).blue});
    EXPECT_EQ(hues.size(), theme.heads.size());
  }
}

TEST(TextOn, IsTheBetterOfTwo) {
  EXPECT_GT(luminance(text_on(black)), 0.9F);
  EXPECT_LT(luminance(text_on(white)), 0.1F);
  for (int grey = 0; grey <= 255; ++grey) {
    const float channel = static_cast<float>(grey) / 255.0F;
    const Rgb behind{channel, channel, channel};
    EXPECT_GE(contrast(text_on(behind), behind), readable) << grey;
  }
}

// The numbers in the cells: on every colour that a cell can have.
TEST(TextOn, IsReadableOnTheWholeScale) {
  for (const auto& [name, theme] : themes()) {
    for (int i = -1000; i <= 1000; ++i) {
      const float value = static_cast<float>(i) / 1000.0F;
      const Rgb behind = cell_colour(theme, Colouring::diverging, 1.0F, value);
      ASSERT_GE(contrast(text_on(behind), behind), readable) << name << " at " << value;
      if (value < 0.0F) continue;
      const Rgb weight = cell_colour(theme, Colouring::weights, 1.0F, value);
      ASSERT_GE(contrast(text_on(weight), weight), readable) << name << ", weight " << value;
    }
    for (const Rgb& hue : theme.heads) EXPECT_GE(contrast(text_on(hue), hue), readable) << name;
    EXPECT_GE(contrast(text_on(theme.invalid), theme.invalid), readable) << name;
    // The sign for minus infinity stands on stripes: it must be read on both.
    const Rgb striped = cell_colour(theme, Colouring::diverging, 1.0F, -infinity);
    EXPECT_GE(contrast(text_on(striped), theme.neutral), readable) << name;
    EXPECT_GE(contrast(text_on(striped), theme.hidden), readable) << name;
  }
}

TEST(CellColour, IsNeutralAtZeroAndFullAtTheEnds) {
  for (const auto& [name, theme] : themes()) {
    for (const float range : {1.0F, 0.003F, 12345.0F, 1e-30F, 1e30F}) {
      const auto at = [&, &colours = theme](float value) {
        return cell_colour(colours, Colouring::diverging, range, value);
      };
      expect_colour(at(-range), theme.negative);
      expect_colour(at(0.0F), theme.neutral);
      expect_colour(at(-0.0F), theme.neutral);
      expect_colour(at(range), theme.positive);
      expect_colour(at(range / 2.0F), mixed(theme.neutral, theme.positive, 0.5F));
      expect_colour(at(-range / 4.0F), mixed(theme.neutral, theme.negative, 0.25F));
      expect_colour(at(infinity), theme.positive);
      expect_colour(at(3.0F * range), theme.positive);
    }
  }
}

TEST(CellColour, OfAWeightIsInkUpToTheLargest) {
  for (const auto& [name, theme] : themes()) {
    for (const float range : {1.0F, 0.2F}) {
      const auto at = [&, &colours = theme](float weight) {
        return cell_colour(colours, Colouring::weights, range, weight);
      };
      expect_colour(at(0.0F), theme.neutral);
      expect_colour(at(range), theme.weight);
      expect_colour(at(0.3F * range), mixed(theme.neutral, theme.weight, 0.3F));
      expect_colour(at(1.5F), theme.weight);  // set by hand: more than there is
      expect_colour(at(-0.5F), theme.neutral);
    }
  }
}

// Each colour has one job: a weight is no signed value, a signed value is no head, a mistake is
// neither.
TEST(Theme, ColoursAreNotTakenForOneAnother) {
  for (const auto& [name, theme] : themes()) {
    const auto apart = [](Rgb a, Rgb b) {
      return difference(seen(a, trichromat), seen(b, trichromat));
    };
    for (const Rgb& end : {theme.negative, theme.positive}) {
      for (std::size_t head = 0; head < theme.heads.size(); ++head)
        EXPECT_GT(apart(end, theme.heads[head]), 10.0) << name << ", head " << head;
      EXPECT_GT(apart(end, theme.weight), 20.0) << name;
      EXPECT_GT(apart(end, theme.wrong), 20.0) << name;
    }
    for (std::size_t head = 0; head < theme.heads.size(); ++head)
      EXPECT_GT(apart(theme.wrong, theme.heads[head]), 20.0) << name << ", head " << head;
    const Lab weight = seen(theme.weight, trichromat);
    EXPECT_LT(std::hypot(weight.a, weight.b), 6.0) << name << ": ink has no hue";
  }
}

TEST(CellColour, HasItsOwnForWhatIsNoNumber) {
  for (const auto& [name, theme] : themes()) {
    for (const Colouring colouring : {Colouring::diverging, Colouring::weights}) {
      expect_colour(cell_colour(theme, colouring, 1.0F, not_a_number), theme.invalid);
      expect_colour(cell_colour(theme, colouring, 1.0F, -infinity), theme.neutral);
    }
  }
}

// Larger is never paler, so that two cells can be compared by eye.
TEST(CellColour, GrowsAwayFromNeutral) {
  for (const auto& [name, theme] : themes()) {
    for (const float sign : {-1.0F, 1.0F}) {
      double last = -1.0;
      for (int i = 0; i <= 100; ++i) {
        const Rgb colour =
            cell_colour(theme, Colouring::diverging, 1.0F, sign * static_cast<float>(i) / 100.0F);
        const double away = difference(seen(colour, trichromat), seen(theme.neutral, trichromat));
        EXPECT_GT(away, last) << name;
        last = away;
      }
    }
  }
}

TEST(CellColour, TellsPlusFromMinusToEveryReader) {
  for (const auto& [name, theme] : themes()) {
    for (const Vision& vision : {trichromat, protanope, deuteranope, tritanope}) {
      EXPECT_GT(difference(seen(theme.negative, vision), seen(theme.positive, vision)), 20.0)
          << name;
      EXPECT_GT(difference(seen(theme.negative, vision), seen(theme.neutral, vision)), 20.0)
          << name;
      EXPECT_GT(difference(seen(theme.positive, vision), seen(theme.neutral, vision)), 20.0)
          << name;
    }
  }
}

TEST(DecimalsIn, AreNoneOfWholeNumbers) {
  stage::Block block;
  block.range = 18.0F;
  block.matrix = tensor::Tensor({1, 3}, {1.0F, 18.0F, -std::numeric_limits<float>::infinity()});
  EXPECT_EQ(decimals_in(block, 8), 0);
  const tensor::Tensor mixed({1, 3}, {1.0F, 2.0F, 2.5F});
  block.matrix = mixed;
  EXPECT_EQ(decimals_in(block, 8), 3);
  block.matrix = mixed.narrow(1, 0, 2);  // a part of it is written as the whole is
  EXPECT_EQ(decimals_in(block, 8), 3);
}

// On the map of gradients a cell is 24 to 30 pixels wide and its colour as strong as any.
TEST(CellText, NeverSaysZeroUnderAColour) {
  stage::Block block;
  block.tensor = model::TensorId("scores").gradient();
  block.colouring = stage::Colouring::diverging;
  block.range = 0.0042F;
  block.matrix = tensor::Tensor({1, 4}, {0.0042F, -0.0021F, 0.0F, 0.0001F});
  EXPECT_EQ(cell_text(block, 0.0042F, 5), "0.004");
  EXPECT_EQ(cell_text(block, -0.0021F, 5), "−2e−3");
  EXPECT_EQ(cell_text(block, -0.0021F, 4), "");
  EXPECT_EQ(cell_text(block, 0.0F, 5), "0");
  EXPECT_EQ(cell_text(block, 0.0001F, 5), "0.00");  // as good as no colour
  EXPECT_EQ(cell_text(block, -0.0021F, 8), "−0.00210");
  block.tensor = model::TensorId("scores");
  block.range = 2.5F;
  EXPECT_EQ(cell_text(block, 0.0F, 5), "0.00");
  EXPECT_EQ(cell_text(block, 0.001F, 5), "0.00");
  EXPECT_EQ(cell_text(block, 1234567.0F, 3), "");
}

// Hue is never the only sign, heads are numbered too; but nobody should take one for another.
TEST(Heads, AreToldApartByEveryReader) {
  struct Reader {
    const char* name;
    const Vision& vision;
  };
  for (const auto& [name, theme] : themes()) {
    for (const auto& [reader, vision] :
         {Reader{"trichromat", trichromat}, Reader{"protanope", protanope},
          Reader{"deuteranope", deuteranope}, Reader{"tritanope", tritanope}}) {
      for (std::size_t i = 0; i < theme.heads.size(); ++i) {
        EXPECT_GE(contrast(theme.heads[i], theme.page), 3.0F) << name << ", head " << i;
        for (std::size_t j = 0; j < i; ++j) {
          EXPECT_GT(difference(seen(theme.heads[i], vision), seen(theme.heads[j], vision)), 10.0)
              << name << ": heads " << j << " and " << i << " to a " << reader;
        }
      }
    }
  }
}

TEST(Heads, HaveAHueEachAndBeginAgainAfterEight) {
  for (const auto& [name, theme] : themes()) {
    for (std::size_t head = 0; head < 8; ++head) {
      expect_colour(theme.head(head), theme.heads[head]);
      expect_colour(theme.head(head + 8), theme.heads[head]);
    }
  }
}

TEST(ColourFrom, ReadsSixDigitsAlone) {
  ASSERT_TRUE(colour_from("#ff8000").has_value());
  expect_colour(*colour_from("#ff8000"), {1.0F, 128.0F / 255.0F, 0.0F});
  for (const char* text : {"", "#", "ff8000", "#ff800", "#ff80000", "#FF8000", "#ff80g0", "red"})
    EXPECT_FALSE(colour_from(text).has_value()) << text;
}

SiteColours site(const char* paper, const char* ink, const char* accent) {
  const auto read = [](const char* text) {
    return text == nullptr ? std::nullopt : colour_from(text);
  };
  return {read(paper), read(ink), read(accent)};
}

TEST(WithColours, TakesPaperInkAndAccentAndStaysReadable) {
  for (const SiteColours& colours :
       {site("#fff8dc", "#2b1b00", "#8b0000"), site("#ffffff", "#000000", nullptr),
        site("#1b1b1d", "#e3e3e3", "#25c2a0"), site("#f0f4ff", nullptr, nullptr),
        site(nullptr, "#1b2c3d", "#8b0000")}) {
    ASSERT_EQ(refusal_of(colours), "");
    const Rgb paper = colours.paper.value_or(light_theme().page);
    const bool dark = luminance(paper) < 0.1F;
    const Theme& before = dark ? dark_theme() : light_theme();
    const Theme made = with_colours(before, colours);
    expect_colour(made.page, paper);
    if (colours.ink) expect_colour(made.text, *colours.ink);
    if (colours.accent) expect_colour(made.accent, *colours.accent);
    for (const Rgb ground : {made.page, made.surface}) {
      EXPECT_GE(contrast(made.text, ground), readable);
      EXPECT_GE(contrast(made.quiet, ground), readable);
      EXPECT_GE(contrast(made.accent, ground), 3.0F);
      for (const Rgb head : made.heads) EXPECT_GE(contrast(head, ground), 2.6F);
    }
    EXPECT_GE(contrast(made.on_accent, made.accent), readable);
    EXPECT_GE(contrast(made.weight, made.neutral), readable) << "the ramp of weights";
    expect_colour(made.positive, before.positive);
    expect_colour(made.negative, before.negative);
    // The other theme is for readers whose system is of the other kind.
    const Theme& other = dark ? light_theme() : dark_theme();
    if (colours.paper) expect_colour(with_colours(other, colours).page, other.page);
  }
}

TEST(WithColours, WhatCouldNotBeReadIsRefused) {
  const std::pair<SiteColours, std::string_view> cases[] = {
      {site("#808080", "#000000", nullptr), "The paper must be nearly white or nearly black."},
      {site("#ffffff", "#999999", nullptr),
       "The ink must have a contrast of 4.5 to 1 on the paper."},
      {site("#ffffff", "#000000", "#ffff00"),
       "The accent must have a contrast of 3 to 1 on the paper."}};
  for (const auto& [colours, sentence] : cases) {
    EXPECT_EQ(refusal_of(colours), sentence);
    for (const auto& [name, theme] : themes()) {
      expect_colour(with_colours(theme, colours).page, theme.page);
      expect_colour(with_colours(theme, colours).accent, theme.accent);
    }
  }
}

}  // namespace
}  // namespace draw
