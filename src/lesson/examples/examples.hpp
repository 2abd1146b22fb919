// Each example's own maker; the table of them is in example.cpp.
#pragma once

#include "lesson/examples/example.hpp"

namespace lesson {

/// embed_dim and num_heads of a problem.
struct Sizes {
  std::size_t embed_dim = 0;
  std::size_t num_heads = 1;
  std::size_t num_kv_heads = 1;
};

/// The sizes that `parameters` asks for, or the example's own where it says 0. Errors: outside the
/// range, or heads that do not divide embed_dim. `name` is the example's.
base::Result<Sizes> choose_sizes(const Parameters& parameters, const SizeRange& range,
                                 std::string_view name);

/// How many tokens the sequences of a problem have.
struct Lengths {
  std::size_t source = 0;
  std::size_t target = 0;  ///< 0 where there is none
};

/// The lengths that `parameters` asks for, or the example's own where it says 0 or where nothing
/// can be chosen. Errors: outside the range. `parameters.variant` must be one of the example's.
base::Result<Lengths> choose_lengths(const Parameters& parameters, const Example& example);

/// "Random, untrained numbers from seed 1."
std::string random_note(std::uint32_t seed);

// What every file below offers: the description, and the maker for a variant that exists.

const Example& pool_beats_badminton();
base::Result<Problem> make_pool_beats_badminton(const Parameters& parameters);

const Example& you_are_welcome();
base::Result<Problem> make_you_are_welcome(const Parameters& parameters);

const Example& anthony_hopkins();
base::Result<Problem> make_anthony_hopkins(const Parameters& parameters);

const Example& counting();
base::Result<Problem> make_counting(const Parameters& parameters);

const Example& lazy_dog();
base::Result<Problem> make_lazy_dog(const Parameters& parameters);

const Example& image_patches();
base::Result<Problem> make_image_patches(const Parameters& parameters);

const Example& gender_and_number();
base::Result<Problem> make_gender_and_number(const Parameters& parameters);

const Example& your_sentence();
base::Result<Problem> make_your_sentence(const Parameters& parameters);
/// What your_sentence says where Parameters::sentence is empty.
std::string_view default_sentence();

}  // namespace lesson
