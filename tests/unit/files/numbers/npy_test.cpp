#include "files/numbers/npy.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "files/file_bytes.hpp"

namespace files {
namespace {

using test::append;
using test::bytes_of_numbers;

/// Version 1 of the format.
std::vector<std::byte> npy(const std::string& header, const std::vector<std::byte>& data) {
  std::vector<std::byte> file;
  append(file, "\x93NUMPY\x01\x00", 8);
  const auto length = static_cast<std::uint16_t>(header.size());
  append(file, &length, sizeof(length));
  append(file, header.data(), header.size());
  file.insert(file.end(), data.begin(), data.end());
  return file;
}

std::string header(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': " + descr + ", 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }          \n";
}

std::string npy_sentence(const std::vector<std::byte>& file) {
  const auto read = read_npy(file);
  return read ? "no error" : read.error().message;
}

TEST(Npy, ReadsFloatsOfThreeSizes) {
  const auto f4 = npy(header("'<f4'", "(2, 3)"), bytes_of_numbers<float>({1, 2, 3, 4, 5, 6}));
  EXPECT_TRUE(is_npy(f4));
  const auto tensor = read_npy(f4);
  ASSERT_TRUE(tensor) << tensor.error().message;
  EXPECT_EQ(tensor->shape(), (tensor::Shape{2, 3}));
  EXPECT_EQ(tensor->values(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  const auto f8 = read_npy(npy(header("'<f8'", "(1,)"), bytes_of_numbers<double>({0.1})));
  EXPECT_EQ(f8->values(), std::vector<float>{0.1F});
  const auto f2 = read_npy(npy(header("'<f2'", "()"), bytes_of_numbers<std::uint16_t>({0x3C00})));
  EXPECT_EQ(f2->values(), std::vector<float>{1.0F});
  EXPECT_EQ(f2->rank(), 0U);
}

TEST(Npy, FortransOrderIsTurned) {
  const auto tensor =
      read_npy(npy(header("'<f4'", "(2, 3)", true), bytes_of_numbers<float>({1, 4, 2, 5, 3, 6})));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->values(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

/// As Python 2 wrote shapes, as other programs write spaces and quotes, and as NumPy reads them
/// all.
TEST(Npy, HeadersOfOtherWritersAreRead) {
  const auto numbers = bytes_of_numbers<float>({1, 2, 3, 4, 5, 6});
  for (const char* shape : {"(2L, 3L)", "( 2, 3 )", "(2,3)", "(2 ,3,)", "( 2L , 3L, )"}) {
    const auto tensor = read_npy(npy(header("'<f4'", shape), numbers));
    ASSERT_TRUE(tensor) << shape << ": " << tensor.error().message;
    EXPECT_EQ(tensor->shape(), (tensor::Shape{2, 3})) << shape;
    EXPECT_EQ(tensor->values(), (std::vector<float>{1, 2, 3, 4, 5, 6})) << shape;
  }
  const auto quoted =
      read_npy(npy("{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": ( 2L, )}\n",
                   bytes_of_numbers<float>({1, 2})));
  ASSERT_TRUE(quoted) << quoted.error().message;
  EXPECT_EQ(quoted->values(), (std::vector<float>{1, 2}));
  const auto native = read_npy(npy(header("'=f4'", "(1,)"), bytes_of_numbers<float>({2.5F})));
  ASSERT_TRUE(native) << native.error().message;
  EXPECT_EQ(native->values(), std::vector<float>{2.5F});
}

TEST(Npy, BigEndianIsTurnedAround) {
  const auto turned = [](std::vector<std::byte> bytes, std::size_t each) {
    for (auto at = bytes.begin(); at != bytes.end(); at += static_cast<std::ptrdiff_t>(each))
      std::reverse(at, at + static_cast<std::ptrdiff_t>(each));
    return bytes;
  };
  const auto f4 = read_npy(
      npy(header("'>f4'", "(2, 2)", true), turned(bytes_of_numbers<float>({1, 3, 2, 4}), 4)));
  ASSERT_TRUE(f4) << f4.error().message;
  EXPECT_EQ(f4->values(), (std::vector<float>{1, 2, 3, 4}));
  const auto f8 =
      read_npy(npy(header("\">f8\"", "(1,)"), turned(bytes_of_numbers<double>({0.1}), 8)));
  ASSERT_TRUE(f8) << f8.error().message;
  EXPECT_EQ(f8->values(), std::vector<float>{0.1F});
  const auto f2 =
      read_npy(npy(header("'>f2'", "(1,)"), turned(bytes_of_numbers<std::uint16_t>({0x3C00}), 2)));
  ASSERT_TRUE(f2) << f2.error().message;
  EXPECT_EQ(f2->values(), std::vector<float>{1.0F});
}

TEST(Npy, EveryHostileFileIsRefused) {
  const std::string no_array = "This is not a whole .npy file, as numpy.save writes it.";
  const auto data = bytes_of_numbers<float>({1, 2});
  EXPECT_EQ(npy_sentence({}), no_array);
  const auto good = npy(header("'<f4'", "(2,)"), data);
  for (std::size_t size = 0; size < good.size() - data.size(); ++size)
    EXPECT_EQ(npy_sentence({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size)}),
              no_array);
  EXPECT_EQ(npy_sentence({good.begin(), good.end() - 1}),
            "The array has shape [2], which takes 8 bytes, but 7 follow its header.");
  for (const char* shape : {"(2", "2", "(-2,)", "(2LL,)", "(L,)", "(,)", "(2 2)", "(2,,1)",
                            "(2.0,)", "(99999999999999999999,)", "(1,1,1,1,1,1,1)", ""})
    EXPECT_EQ(npy_sentence(npy(header("'<f4'", shape), data)), no_array) << shape;
  EXPECT_EQ(npy_sentence(npy(header("'<i4'", "(2,)"), data)),
            "The array has dtype \"'<i4'\"; float16, float32 and float64 are read.");
  for (const char* type : {"'|f4'", "'<f4\"", "'<f", "'<f16'", "f4", "'<F4'", ""})
    EXPECT_NE(npy_sentence(npy(header(type, "(2,)"), data)), "no error") << type;
  EXPECT_NE(npy_sentence(npy(header("[('x', '<f4')]", "(2,)"), data)), "no error");
  EXPECT_NE(npy_sentence(npy(header("'<f4'", "(2147483647, 2147483647, 2147483647)"), data)),
            "no error");
  EXPECT_NE(npy_sentence(npy("{}", data)), "no error");
}

}  // namespace
}  // namespace files
