#include "platform/native/native_files.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace platform {
namespace {

/// A working directory of its own, gone afterwards.
class NativeFiles : public testing::Test {
 public:
  NativeFiles() : before_(std::filesystem::current_path()) {
    const std::string name =
        testing::UnitTest::GetInstance()->current_test_info()->name() + std::string("-files");
    folder_ = std::filesystem::path(testing::TempDir()) / name;
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~NativeFiles() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }
  NativeFiles(const NativeFiles&) = delete;
  NativeFiles& operator=(const NativeFiles&) = delete;

 protected:
  static std::string read(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  std::filesystem::path before_;
  std::filesystem::path folder_;
};

TEST_F(NativeFiles, AreWrittenAndNamed) {
  const std::string bytes("a\0b\n", 4);
  const auto said = write_new_file("scores.svg", bytes);
  ASSERT_TRUE(said) << said.error().message;
  EXPECT_EQ(*said, "Saved: " + (std::filesystem::current_path() / "scores.svg").string());
  EXPECT_EQ(read("scores.svg"), bytes);
}

TEST_F(NativeFiles, NeverOverwriteOthers) {
  ASSERT_TRUE(write_new_file("scores.png", "first"));
  ASSERT_TRUE(write_new_file("scores.png", "second"));
  const auto third = write_new_file("scores.png", "third");
  ASSERT_TRUE(third);
  EXPECT_NE(third->find("scores-3.png"), std::string::npos);
  EXPECT_EQ(read("scores.png"), "first");
  EXPECT_EQ(read("scores-2.png"), "second");
  EXPECT_EQ(read("scores-3.png"), "third");
}

TEST_F(NativeFiles, AFolderThatIsNotThereIsSaid) {
  const auto refused = write_new_file("missing/scores.png", "bytes");
  // The name alone counts: it goes to the working directory.
  ASSERT_TRUE(refused);
  EXPECT_EQ(read("scores.png"), "bytes");
  std::filesystem::remove_all(std::filesystem::current_path());
  const auto gone = write_new_file("scores.png", "bytes");
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().message.find("scores.png could not be written"), std::string::npos);
}

TEST_F(NativeFiles, PicturesArePng) {
  const std::array<unsigned char, 16> pixels = {255, 0, 0,   255, 0, 255, 0, 255,
                                                0,   0, 255, 255, 9, 9,   9, 255};
  const std::string png = png_of(2, 2, pixels);
  ASSERT_GT(png.size(), 24U);
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(png.substr(12, 4), "IHDR");
  EXPECT_EQ(static_cast<int>(png[19]), 2);  // width, the last byte of four
  EXPECT_EQ(static_cast<int>(png[23]), 2);
}

}  // namespace
}  // namespace platform
