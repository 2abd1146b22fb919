#include "app/command_line/command_line_io.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace app {
namespace {

namespace fs = std::filesystem;

/// A folder of this test's own.
class CommandLineIo : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

 private:
  fs::path folder_;
};

TEST_F(CommandLineIo, WhatIsWrittenIsRead) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{100'000}}) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31);
    const auto written = write_file(path("file"), bytes);
    ASSERT_TRUE(written) << written.error().message;
    const auto read = read_file(path("file"));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, bytes);
    EXPECT_EQ(files(), 1U);  // nothing is left beside it
  }
}

TEST_F(CommandLineIo, NamesThePathAndTheReason) {
  const auto missing = read_file(path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message,
            "\"" + path("missing") + "\" cannot be read: No such file or directory.");
  const auto nowhere = write_file(path("missing/file"), {});
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().message,
            "\"" + path("missing/file") + "\" cannot be written: No such file or directory.");
  const auto folder = write_file(path(""), {});
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().message, "\"" + path("") + "\" cannot be written: it is a folder.");
  EXPECT_EQ(files(), 0U);
}

TEST_F(CommandLineIo, PathsAreMadeSafeForATerminal) {
  EXPECT_EQ(path_in_quotes("a\x1b[2Jb"), "\"a\\u{1b}[2Jb\"");
  EXPECT_EQ(path_in_quotes(std::string(900, 'x')), "\"" + std::string(900, 'x') + "\"");
}

TEST_F(CommandLineIo, PrintsToStandardOutputAndComplainsToStandardError) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  EXPECT_TRUE(print("text\n"));
  print_error("A sentence.");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "text\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "attention-live: A sentence.\n");
}

}  // namespace
}  // namespace app
