#include "files/numbers/npy.hpp"

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
  for (const char* shape :
       {"(2", "2", "(-2,)", "(2.0,)", "(99999999999999999999,)", "(1,1,1,1,1,1,1)", ""})
    EXPECT_EQ(npy_sentence(npy(header("'<f4'", shape), data)), no_array) << shape;
  EXPECT_EQ(npy_sentence(npy(header("'>f4'", "(2,)"), data)),
            "The array has dtype \"'>f4'\"; little-endian float16, float32 and float64 are read.");
  EXPECT_NE(npy_sentence(npy(header("[('x', '<f4')]", "(2,)"), data)), "no error");
  EXPECT_NE(npy_sentence(npy(header("'<f4'", "(2147483647, 2147483647, 2147483647)"), data)),
            "no error");
  EXPECT_NE(npy_sentence(npy("{}", data)), "no error");
}

}  // namespace
}  // namespace files
