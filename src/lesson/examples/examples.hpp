// Each example's own maker; the table of them is in example.cpp.
#pragma once

#include "lesson/examples/example.hpp"

namespace lesson {

/// `parameters` with the sizes that they ask for, or the example's own where they say 0. Errors:
/// outside the range, or heads that do not divide embed_dim. `name` is the example's.
base::Result<Parameters> choose_sizes(Parameters parameters, const SizeRange& range,
                                      std::string_view name);

/// "Random, untrained numbers from seed 1."
std::string random_note(std::uint32_t seed);

/// Makes the problem for a variant that exists; the sizes and lengths in `parameters` are those to
/// take. The number of heads and the masks are left to make_problem.
using ProblemMaker = base::Result<Problem>(const Parameters& parameters);

// What every file beside this one offers: the description, and the maker.

Example pool_beats_badminton();
ProblemMaker make_pool_beats_badminton;
Example you_are_welcome();
ProblemMaker make_you_are_welcome;
Example anthony_hopkins();
ProblemMaker make_anthony_hopkins;
Example counting();
ProblemMaker make_counting;
Example lazy_dog();
ProblemMaker make_lazy_dog;
Example image_patches();
ProblemMaker make_image_patches;
Example gender_and_number();
ProblemMaker make_gender_and_number;
Example your_sentence();
ProblemMaker make_your_sentence;
/// What image_patches shows where Parameters::picture is empty: a house between hills under a sunny
/// sky, `picture_bytes` bytes as Picture::rgb.
std::vector<std::uint8_t> landscape();
/// What your_sentence says where Parameters::sentence is empty.
std::string_view default_sentence();

}  // namespace lesson
