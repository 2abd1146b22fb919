// Text in the fonts of the system: fontconfig finds a font for each letter, FriBidi orders runs
// from right to left, HarfBuzz joins and places the letters, FreeType draws them.
#include <fontconfig/fontconfig.h>
#include <fribidi.h>
#include <ft2build.h>
#include <hb-ft.h>
#include <hb.h>
#include FT_FREETYPE_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "platform/text_picture.hpp"

namespace platform {

namespace {

struct Destroy {
  void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
  void operator()(FcCharSet* letters) const { FcCharSetDestroy(letters); }
  void operator()(hb_buffer_t* buffer) const { hb_buffer_destroy(buffer); }
  void operator()(hb_font_t* font) const { hb_font_destroy(font); }
};
template <typename Thing>
using Owned = std::unique_ptr<Thing, Destroy>;

/// One font of the system, open as long as the program runs. Emoji fonts have pictures of one size
/// only; `scale` brings them to the size that is wanted.
struct Font {
  FT_Face face = nullptr;
  double scale = 1.0;

  bool set_size(float size) {
    if (face->num_fixed_sizes > 0 && !FT_IS_SCALABLE(face)) {
      scale = static_cast<double>(size) / face->available_sizes[0].height;
      return FT_Select_Size(face, 0) == 0;
    }
    scale = 1.0;
    return FT_Set_Char_Size(face, 0, std::lround(size * 64.0F), 72, 72) == 0;
  }
};

class Fonts {
 public:
  Fonts() {
    if (FT_Init_FreeType(&library_) != 0) library_ = nullptr;
  }

  /// The font that fontconfig prefers for this letter; null if none has it.
  Font* find(char32_t letter) {
    if (library_ == nullptr) return nullptr;
    const auto known = by_letter_.find(letter);
    if (known != by_letter_.end()) return known->second;
    return by_letter_[letter] = open(letter);
  }

 private:
  Font* open(char32_t letter) {
    const Owned<FcPattern> wanted(FcPatternCreate());
    const Owned<FcCharSet> letters(FcCharSetCreate());
    FcCharSetAddChar(letters.get(), letter);
    FcPatternAddCharSet(wanted.get(), FC_CHARSET, letters.get());
    const char* family = letter >= 0x1F000 ? "emoji" : "sans-serif";
    FcPatternAddString(wanted.get(), FC_FAMILY, reinterpret_cast<const FcChar8*>(family));
    FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
    FcDefaultSubstitute(wanted.get());
    FcResult result = FcResultNoMatch;
    const Owned<FcPattern> found(FcFontMatch(nullptr, wanted.get(), &result));
    FcChar8* file = nullptr;
    int index = 0;
    if (!found || FcPatternGetString(found.get(), FC_FILE, 0, &file) != FcResultMatch)
      return nullptr;
    FcPatternGetInteger(found.get(), FC_INDEX, 0, &index);
    const std::string name =
        std::string(reinterpret_cast<const char*>(file)) + ":" + std::to_string(index);
    auto [place, is_new] = by_file_.try_emplace(name);
    Font& font = place->second;
    if (is_new &&
        FT_New_Face(library_, reinterpret_cast<const char*>(file), index & 0xFFFF, &font.face) != 0)
      font.face = nullptr;
    // fontconfig answers with its best font even if that lacks the letter.
    return font.face != nullptr && FT_Get_Char_Index(font.face, letter) != 0 ? &font : nullptr;
  }

  FT_Library library_ = nullptr;
  std::map<std::string, Font> by_file_;
  std::map<char32_t, Font*> by_letter_;
};

Fonts& fonts() {
  static Fonts all;
  return all;
}

/// Letters in the order of reading that are set with one font in one direction.
struct Run {
  std::size_t first;
  std::size_t count;
  FriBidiLevel level;  ///< odd: from right to left
  Font* font;
};

std::u32string letters_of(std::string_view text) {
  std::u32string letters(text.size(), U'\0');
  const FriBidiStrIndex count = fribidi_charset_to_unicode(
      FRIBIDI_CHAR_SET_UTF8, text.data(), static_cast<FriBidiStrIndex>(text.size()),
      reinterpret_cast<FriBidiChar*>(letters.data()));
  letters.resize(static_cast<std::size_t>(count));
  return letters;
}

/// The direction of each letter (Unicode Bidirectional Algorithm): odd levels run to the left.
std::vector<FriBidiLevel> levels_of(const std::u32string& letters) {
  const auto count = static_cast<FriBidiStrIndex>(letters.size());
  const auto* codes = reinterpret_cast<const FriBidiChar*>(letters.data());
  std::vector<FriBidiCharType> types(letters.size());
  std::vector<FriBidiLevel> levels(letters.size(), 0);
  fribidi_get_bidi_types(codes, count, types.data());
  FriBidiParType direction = fribidi_get_par_direction(types.data(), count);
  std::vector<FriBidiBracketType> brackets(letters.size());
  fribidi_get_bracket_types(codes, count, types.data(), brackets.data());
  // It fails where there is no memory: then everything runs to the right.
  if (fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), count, &direction,
                                          levels.data()) == 0)
    std::fill(levels.begin(), levels.end(), FriBidiLevel{0});
  return levels;
}

/// Joiners and marks take the font of the letter that they belong to.
bool follows(char32_t letter) {
  return (letter >= 0x0300 && letter <= 0x036F) || letter == 0x200C || letter == 0x200D ||
         (letter >= 0xFE00 && letter <= 0xFE0F) || (letter >= 0x1F3FB && letter <= 0x1F3FF) ||
         (letter >= 0xE0020 && letter <= 0xE007F) || letter == U' ' || letter == 0x20E3;
}

/// Empty where a letter is in no font.
std::vector<Run> runs_of(const std::u32string& letters) {
  const std::vector<FriBidiLevel> levels = levels_of(letters);
  std::vector<Run> runs;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const bool joins = !runs.empty() && (follows(letters[i]) || letters[i - 1] == 0x200D);
    Font* font = joins ? runs.back().font : fonts().find(letters[i]);
    if (font == nullptr) return {};
    if (!runs.empty() && runs.back().font == font && runs.back().level == levels[i]) {
      ++runs.back().count;
    } else {
      runs.push_back({i, 1, levels[i], font});
    }
  }
  // From the highest level to the lowest odd one, what is at least at that level is turned round
  // (rule L2 of the Unicode Bidirectional Algorithm).
  FriBidiLevel highest = 0;
  for (const Run& run : runs) highest = std::max(highest, run.level);
  for (FriBidiLevel level = highest; level > 0; --level) {
    const auto inside = [&](const Run& run) { return run.level >= level; };
    for (auto from = std::find_if(runs.begin(), runs.end(), inside); from != runs.end();) {
      const auto to = std::find_if_not(from, runs.end(), inside);
      std::reverse(from, to);
      from = std::find_if(to, runs.end(), inside);
    }
  }
  return runs;
}

/// A letter's picture where it lies on the line, in pixels; y counts down from the baseline.
struct Piece {
  int x, y, width, height;
  std::vector<unsigned char> pixels;  ///< red, green, blue, opacity
  bool coloured;
};

/// The bitmap that FreeType drew last, brought to `scale` of its size (the mean of what a pixel
/// covers).
Piece piece_of(const FT_GlyphSlot glyph, double scale, double pen_x, double pen_y) {
  const FT_Bitmap& bitmap = glyph->bitmap;
  const bool coloured = bitmap.pixel_mode == FT_PIXEL_MODE_BGRA;
  const auto scaled = [&](unsigned length) {
    return static_cast<int>(std::ceil(length * scale - 1e-6));
  };
  Piece piece{static_cast<int>(std::lround(pen_x + glyph->bitmap_left * scale)),
              static_cast<int>(std::lround(pen_y - glyph->bitmap_top * scale)),
              scaled(bitmap.width),
              scaled(bitmap.rows),
              {},
              coloured};
  const auto source = [&](int x, int y, int channel) -> double {
    const unsigned char* row = bitmap.buffer + std::ptrdiff_t{y} * bitmap.pitch;
    return coloured ? row[x * 4 + channel] : row[x];
  };
  for (int y = 0; y < piece.height; ++y) {
    const int y0 = static_cast<int>(y / scale);
    const int y1 =
        std::clamp(static_cast<int>((y + 1) / scale), y0 + 1, static_cast<int>(bitmap.rows));
    for (int x = 0; x < piece.width; ++x) {
      const int x0 = static_cast<int>(x / scale);
      const int x1 =
          std::clamp(static_cast<int>((x + 1) / scale), x0 + 1, static_cast<int>(bitmap.width));
      double sum[4] = {};
      for (int v = y0; v < std::min<int>(y1, static_cast<int>(bitmap.rows)); ++v)
        for (int u = x0; u < std::min<int>(x1, static_cast<int>(bitmap.width)); ++u)
          for (int channel = 0; channel < (coloured ? 4 : 1); ++channel)
            sum[channel] += source(u, v, channel);
      const double opacity = coloured ? sum[3] : sum[0];
      // FreeType multiplies colours with opacity, in the order blue, green, red.
      for (int channel = 2; channel >= 0; --channel) {
        const double value = coloured && opacity > 0 ? 255.0 * sum[channel] / opacity : 255.0;
        piece.pixels.push_back(static_cast<unsigned char>(std::clamp(value, 0.0, 255.0)));
      }
      piece.pixels.push_back(static_cast<unsigned char>(opacity / ((y1 - y0) * (x1 - x0))));
    }
  }
  return piece;
}

/// Sets one run from `pen_x` on and returns where the pen is behind it; false where a font fails.
bool set_run(const Run& run, const std::u32string& letters, float size, double& pen_x,
             std::vector<Piece>& pieces) {
  if (!run.font->set_size(size)) return false;
  const Owned<hb_font_t> font(hb_ft_font_create_referenced(run.font->face));
  hb_ft_font_set_load_flags(font.get(), FT_LOAD_COLOR);
  const Owned<hb_buffer_t> buffer(hb_buffer_create());
  hb_buffer_add_utf32(buffer.get(), reinterpret_cast<const std::uint32_t*>(letters.data()),
                      static_cast<int>(letters.size()), static_cast<unsigned>(run.first),
                      static_cast<int>(run.count));
  hb_buffer_guess_segment_properties(buffer.get());
  hb_buffer_set_direction(buffer.get(), run.level % 2 == 1 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
  hb_shape(font.get(), buffer.get(), nullptr, 0);
  unsigned count = 0;
  const hb_glyph_info_t* glyphs = hb_buffer_get_glyph_infos(buffer.get(), &count);
  const hb_glyph_position_t* places = hb_buffer_get_glyph_positions(buffer.get(), &count);
  const double unit = run.font->scale / 64.0;
  for (unsigned i = 0; i < count; ++i) {
    if (FT_Load_Glyph(run.font->face, glyphs[i].codepoint, FT_LOAD_COLOR | FT_LOAD_RENDER) != 0)
      return false;
    const FT_GlyphSlot glyph = run.font->face->glyph;
    const auto mode = glyph->bitmap.pixel_mode;
    if (glyph->bitmap.width > 0 && (mode == FT_PIXEL_MODE_GRAY || mode == FT_PIXEL_MODE_BGRA)) {
      pieces.push_back(piece_of(glyph, run.font->scale, pen_x + places[i].x_offset * unit,
                                -places[i].y_offset * unit));
    }
    pen_x += places[i].x_advance * unit;
  }
  return true;
}

/// Lays the piece over what is there.
void lay_over(TextPicture& picture, const Piece& piece, int left, int top) {
  for (int y = 0; y < piece.height; ++y) {
    for (int x = 0; x < piece.width; ++x) {
      const auto from = 4 * static_cast<std::size_t>(y * piece.width + x);
      const auto to =
          4 * static_cast<std::size_t>((piece.y - top + y) * picture.width + piece.x - left + x);
      const unsigned char* over = piece.pixels.data() + from;
      unsigned char* under = picture.pixels.data() + to;
      const double opacity = over[3] / 255.0;
      const double rest = under[3] / 255.0 * (1.0 - opacity);
      const double all = opacity + rest;
      if (all == 0.0) continue;
      for (int channel = 0; channel < 3; ++channel)
        under[channel] = static_cast<unsigned char>(
            std::lround((over[channel] * opacity + under[channel] * rest) / all));
      under[3] = static_cast<unsigned char>(std::lround(all * 255.0));
    }
  }
}

}  // namespace

bool draw_text(std::string_view text, float size, TextPicture& picture) {
  const std::u32string letters = letters_of(text);
  std::vector<Piece> pieces;
  double pen = 0.0;
  const std::vector<Run> runs = runs_of(letters);
  if (runs.empty()) return false;
  for (const Run& run : runs)
    if (!set_run(run, letters, size, pen, pieces)) return false;
  picture = {};
  picture.advance = static_cast<float>(pen);
  if (pieces.empty()) return true;
  int left = pieces.front().x, top = pieces.front().y, right = left, bottom = top;
  for (const Piece& piece : pieces) {
    left = std::min(left, piece.x);
    top = std::min(top, piece.y);
    right = std::max(right, piece.x + piece.width);
    bottom = std::max(bottom, piece.y + piece.height);
    picture.coloured = picture.coloured || piece.coloured;
  }
  if (static_cast<long>(right - left) * (bottom - top) > most_text_pixels) return false;
  picture.width = right - left;
  picture.height = bottom - top;
  picture.left = static_cast<float>(left);
  picture.top = static_cast<float>(-top);
  picture.pixels.resize(std::size_t{4} * static_cast<std::size_t>(picture.width * picture.height));
  for (const Piece& piece : pieces) lay_over(picture, piece, left, top);
  return true;
}

}  // namespace platform
