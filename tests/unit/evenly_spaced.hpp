// What tests of every room go through sizes with.
#pragma once

#include <vector>

/// `first`, `first + apart`, and so on, as long as they are below `end`. Each is reckoned from the
/// first: a loop that adds to a float adds up its roundings, and may run once more or less for it.
inline std::vector<float> evenly_spaced(float first, float end, float apart) {
  std::vector<float> numbers;
  float next = first;
  while (next < end) {
    numbers.push_back(next);
    next = first + apart * static_cast<float>(numbers.size());
  }
  return numbers;
}
