#include "draw/theme.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

constexpr Rgb hex(unsigned value) {
  return {static_cast<float>((value >> 16U) & 0xFFU) / 255.0F,
          static_cast<float>((value >> 8U) & 0xFFU) / 255.0F,
          static_cast<float>(value & 0xFFU) / 255.0F};
}

float linear(float channel) {
  return channel <= 0.04045F ? channel / 12.92F : std::pow((channel + 0.055F) / 1.055F, 2.4F);
}

// Found by search: each has a contrast of at least 3:1 on the page, and any two can be told apart
// even without red, green or blue cones. The tests check both.
constexpr std::array<Rgb, 8> head_hues{hex(0x0A3AC4), hex(0x925074), hex(0x3E891A), hex(0x564E0F),
                                       hex(0x2894DA), hex(0x770475), hex(0x06362F), hex(0x8C8C8C)};
constexpr std::array<Rgb, 8> head_hues_on_dark{hex(0x1968F2), hex(0xA1418F), hex(0x506E2C),
                                               hex(0xF4E151), hex(0x22A7F9), hex(0xB5759B),
                                               hex(0x86FDEE), hex(0xB7B7B7)};

}  // namespace

Rgb mixed(Rgb a, Rgb b, float t) {
  return {a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t,
          a.blue + (b.blue - a.blue) * t};
}

float luminance(Rgb colour) {
  return 0.2126F * linear(colour.red) + 0.7152F * linear(colour.green) +
         0.0722F * linear(colour.blue);
}

float contrast(Rgb a, Rgb b) {
  const float first = luminance(a);
  const float second = luminance(b);
  return (std::max(first, second) + 0.05F) / (std::min(first, second) + 0.05F);
}

const Theme& light_theme() {
  static const Theme theme{.dark = false,
                           .page = hex(0xF7F5F1),
                           .surface = hex(0xFFFFFF),
                           .border = hex(0xE3DFD8),
                           .text = hex(0x16191D),
                           .quiet = hex(0x5A6068),
                           .line = hex(0xAEB2B8),
                           .accent = hex(0x16191D),
                           .on_accent = hex(0xFFFFFF),
                           .wrong = hex(0xC8102E),
                           .neutral = hex(0xFDFCFA),
                           .negative = hex(0x5B3A9B),
                           .positive = hex(0xB86A00),
                           .weight = hex(0x24272E),
                           .hidden = hex(0xB9B4AB),
                           .invalid = hex(0xC2185B),
                           .heads = head_hues};
  return theme;
}

const Theme& dark_theme() {
  static const Theme theme{.dark = true,
                           .page = hex(0x15181C),
                           .surface = hex(0x1D2126),
                           .border = hex(0x30353C),
                           .text = hex(0xECEEF0),
                           .quiet = hex(0x9AA1AA),
                           .line = hex(0x565D66),
                           .accent = hex(0xECEEF0),
                           .on_accent = hex(0x15181C),
                           .wrong = hex(0xFF5A66),
                           .neutral = hex(0x23272D),
                           .negative = hex(0xA58BE6),
                           .positive = hex(0xE6A03C),
                           .weight = hex(0xECEAE4),
                           .hidden = hex(0x4A515A),
                           .invalid = hex(0xF06292),
                           .heads = head_hues_on_dark};
  return theme;
}

std::optional<Rgb> colour_from(std::string_view text) {
  if (text.size() != 7 || text.front() != '#') return std::nullopt;
  unsigned value = 0;
  for (const char letter : text.substr(1)) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(letter);
    if (digit == std::string_view::npos) return std::nullopt;
    value = value * 16 + static_cast<unsigned>(digit);
  }
  return hex(value);
}

namespace {

constexpr float nearly_white = 0.8F;   // luminance
constexpr float nearly_black = 0.03F;  // likewise
constexpr Rgb white = hex(0xFFFFFF);

/// The surface of bars and panels, which lies on the page.
Rgb surface_on(Rgb paper, bool dark) { return mixed(paper, white, dark ? 0.04F : 0.7F); }

/// The lesser of the contrasts on page and panels.
float contrast_on(Rgb colour, Rgb paper, bool dark) {
  return std::min(contrast(colour, paper), contrast(colour, surface_on(paper, dark)));
}

}  // namespace

std::string_view refusal_of(const SiteColours& colours) {
  const bool dark = luminance(colours.paper.value_or(light_theme().page)) <= nearly_black;
  const Theme& theme = dark ? dark_theme() : light_theme();
  const Rgb paper = colours.paper.value_or(theme.page);
  const float light = luminance(paper);
  if (light > nearly_black && light < nearly_white) return base::text("draw.colours.paper");
  if (contrast_on(colours.ink.value_or(theme.text), paper, dark) < 4.5F)
    return base::text("draw.colours.ink");
  if (colours.accent && contrast_on(*colours.accent, paper, dark) < 3.0F)
    return base::text("draw.colours.accent");
  return {};
}

Theme with_named_heads(Theme theme) {
  const Rgb blue = theme.heads[0];
  theme.heads[0] = theme.heads[1];
  theme.heads[1] = theme.heads[2];
  theme.heads[2] = blue;
  return theme;
}

Theme with_colours(const Theme& theme, const SiteColours& colours) {
  SiteColours all = colours;
  // Ink or accent alone go with the theme's own paper, whichever of the two that is.
  if (!all.paper) all.paper = theme.page;
  const bool dark = luminance(*all.paper) <= nearly_black;
  if (dark != theme.dark || !refusal_of(all).empty()) return theme;
  Theme made = theme;
  if (colours.paper || colours.ink) {
    made.page = *all.paper;
    made.surface = surface_on(made.page, dark);
    made.text = all.ink.value_or(theme.text);
    made.accent = made.text;
    made.border = mixed(made.page, made.text, 0.12F);
    made.line = mixed(made.page, made.text, 0.33F);
    made.hidden = mixed(made.page, made.text, 0.28F);
    made.neutral = mixed(made.page, made.surface, dark ? 1.5F : 0.7F);
    made.weight = made.text;
    // As faint as it may be.
    made.quiet = made.text;
    for (int percent = 40; percent > 0; percent -= 2) {
      const Rgb faint = mixed(made.text, made.page, static_cast<float>(percent) / 100.0F);
      if (contrast_on(faint, made.page, dark) < 4.5F) continue;
      made.quiet = faint;
      break;
    }
  }
  if (all.accent) made.accent = *all.accent;
  made.on_accent = text_on(made.accent);
  return made;
}

Rgb cell_colour(const Theme& theme, stage::Colouring colouring, float range, float value) {
  if (std::isnan(value)) return theme.invalid;
  if (value < -3.0e38F) return theme.neutral;  // the shader adds stripes
  if (colouring == stage::Colouring::weights)
    return mixed(theme.neutral, theme.weight, std::clamp(value / range, 0.0F, 1.0F));
  const float t = std::clamp(value / range, -1.0F, 1.0F);
  return t < 0.0F ? mixed(theme.neutral, theme.negative, -t)
                  : mixed(theme.neutral, theme.positive, t);
}

namespace {

/// Whether a block shows whole numbers. Its whole storage decides, so that pieces and views of a
/// tensor look alike. A very large storage is not searched, to save time.
bool is_of_whole_numbers(const stage::Block& block) {
  constexpr std::size_t most = 8192;
  if (block.colouring == stage::Colouring::weights || !block.matrix.defined()) return false;
  const std::span<const float> all = block.matrix.storage();
  return all.size() <= most && std::all_of(all.begin(), all.end(), [](float value) {
           return !std::isfinite(value) || value == std::trunc(value);
         });
}

}  // namespace

int decimals_in(const stage::Block& block, int room) {
  if (is_of_whole_numbers(block)) return 0;
  const int whole = block.range >= 10.0F ? 1 + static_cast<int>(std::log10(block.range)) : 1;
  const int sign = block.colouring == stage::Colouring::weights ? 0 : 1;
  // Gradients are mostly small: as many decimals as tell the largest of them apart from 0.
  const bool small = block.tensor.is_gradient() && block.range < 0.1F && block.range > 1e-6F;
  const int most = small ? 2 - static_cast<int>(std::floor(std::log10(block.range))) : 3;
  return std::clamp(room - sign - whole - 1, 0, most);
}

std::string cell_text(const stage::Block& block, float value, int room) {
  const bool weights = block.colouring == stage::Colouring::weights;
  const bool nothing = value == 0.0F && (weights || block.tensor.is_gradient());
  std::string text =
      stage::number_text_fitting(value, room, nothing ? 0 : decimals_in(block, room));
  // A colour that can be seen never stands behind a 0.
  constexpr float seen = 0.05F;
  const bool rounded_away = value != 0.0F && std::fabs(value) < 0.5F &&
                            text.find_first_of("123456789") == std::string::npos;
  const bool coloured = !weights && std::fabs(value) >= seen * block.range;
  return rounded_away && coloured ? stage::small_number_text(value, room) : text;
}

float number_size(float width, float height) {
  constexpr float four_digits = 4.0F * 0.6F;  // as a share of the type size, for a monospaced font
  const float narrow = std::min(10.5F, (width - 3.0F) / four_digits);
  // In the large cells of a large screen, numbers can be read from afar.
  const float most = std::clamp(std::min(width, height) * 0.14F, 15.0F, 22.0F);
  return std::min(std::clamp(width * 0.27F, narrow, most), height * 0.7F);
}

Rgb text_on(Rgb background) {
  // Pure black: with an ink as light as #101215, neither colour would reach 4.5:1 on some greys.
  constexpr Rgb ink = hex(0x000000);
  constexpr Rgb paper = hex(0xFFFFFF);
  return contrast(background, ink) >= contrast(background, paper) ? ink : paper;
}

}  // namespace draw
