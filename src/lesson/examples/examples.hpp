// The functions that define the examples. Their table is in example.cpp.
#pragma once

#include "lesson/examples/example.hpp"

namespace lesson {

/// `parameters` with the sizes that they ask for, or the example's own where they say 0. Errors:
/// outside the range, or heads that do not divide embed_dim. `name` is the example's.
base::Result<Parameters> choose_sizes(Parameters parameters, const SizeRange& range,
                                      std::string_view name);

/// "Random, untrained numbers from seed 1."
std::string random_note(std::uint32_t seed);

// One for each file of this folder, and three in learned.cpp.

Example pool_beats_badminton();
Example you_are_welcome();
Example anthony_hopkins();
Example counting();
Example lazy_dog();
Example image_patches();
Example gender_and_number();
Example your_sentence();
Example reverse();
Example agree();
Example look_back();
Example translator();
Example own_layer_example();
/// What own-layer shows from now on.
void set_own_layers(std::span<const Variant> variants);
/// What image_patches shows where Parameters::picture is empty: a house between hills under a sunny
/// sky, `picture_bytes` bytes as Picture::rgb.
std::vector<std::uint8_t> landscape();
/// What your_sentence says where Parameters::sentence is empty.
std::string_view default_sentence();
/// The same of the translator.
std::string_view sentence_to_translate();

}  // namespace lesson
