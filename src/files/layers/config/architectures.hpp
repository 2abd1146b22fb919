// How known models compute their attentions, by the model_type of their config.json.
#pragma once

#include <string_view>

namespace files {

/// Which keys a token sees.
enum class Sight : unsigned char {
  both,     ///< all of them
  back,     ///< no later ones
  decoder,  ///< no later ones in the self-attention of a decoder; else all
  text,     ///< no later ones in the part that reads text; all in the part that reads pictures
};

/// How the places of tokens come into the scores.
enum class Positions : unsigned char {
  none,    ///< not at all, or added to the tokens before
  halves,  ///< rotary: number i of a head is turned together with i + D/2
  pairs,   ///< rotary: number 2i together with 2i + 1
  alibi,
  relative,  ///< learned biases: T5, Swin
};

struct Architecture {
  std::string_view types;  ///< values of model_type, with a comma before and behind each
  Sight sight = Sight::both;
  Positions positions = Positions::none;
  bool is_scaled = true;  ///< scores are divided by √D unless the config says another number
  /// Which part of each head is turned, where the config does not say it.
  float rotary_part = 1.0F;
  /// Of so many layers one sees everything, where the others have a window; 0: each has the window.
  unsigned char full_layer = 0;
  bool window_is_asked = false;  ///< there is a window only where use_sliding_window is true
  bool rope_in_windows = false;  ///< layers without a window have no rotary positions
  bool norm_adds_one = false;    ///< norms multiply by 1 + weight (Gemma)
  bool is_computed = true;       ///< false: in another way, which is not known here
};

/// The row of a model_type, also without endings such as "_text_model"; null where it is not known.
const Architecture* architecture_of(std::string_view model_type);

}  // namespace files
