#include "draw/gl/fingerprint.hpp"

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace draw {
namespace {

std::uint64_t of(std::string_view bytes) {
  Fingerprint all;
  all.add(bytes.data(), bytes.size());
  return all.value();
}

TEST(Fingerprint, OfTheSameBytesIsTheSame) {
  EXPECT_EQ(of("the same bytes, twice"), of("the same bytes, twice"));
  const std::vector<float> numbers{1.0F, 2.0F};
  Fingerprint one;
  Fingerprint other;
  one.add(numbers);
  other.add(std::vector<float>(numbers));
  EXPECT_EQ(one.value(), other.value());
}

TEST(Fingerprint, ChangesWithEveryBitAndWithTheLength) {
  std::set<std::uint64_t> seen;
  for (std::size_t length = 0; length <= 40; ++length) {
    std::string bytes(length, '\0');
    EXPECT_TRUE(seen.insert(of(bytes)).second) << length;
    for (std::size_t bit = 0; bit < 8 * length; ++bit) {
      std::string turned = bytes;
      turned[bit / 8] = static_cast<char>(1U << bit % 8);
      EXPECT_TRUE(seen.insert(of(turned)).second) << length << ", bit " << bit;
    }
  }
}

TEST(Fingerprint, ChangesWithTheOrderAndWithWhereOneListEnds) {
  Fingerprint one;
  one.add(std::vector<int>{1, 2, 3});
  one.add(std::vector<int>{});
  Fingerprint other;
  other.add(std::vector<int>{1, 2});
  other.add(std::vector<int>{3});
  EXPECT_NE(one.value(), other.value());
  Fingerprint turned;
  turned.add(std::vector<int>{2, 1, 3});
  turned.add(std::vector<int>{});
  EXPECT_NE(one.value(), turned.value());
}

}  // namespace
}  // namespace draw
