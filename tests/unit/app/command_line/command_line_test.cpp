#include "app/command_line/command_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

// What the built program says and writes is tested in tests/command; here is what cannot be seen
// from outside without a screen: which window is asked for.

namespace app {
namespace {

WindowRequest last_request;
int windows_opened = 0;

int remember(const WindowRequest& request) {
  last_request = request;
  ++windows_opened;
  return 7;
}

/// The exit code of `attention-live ARGUMENTS…`; what it prints is in printed_text and complaint.
std::string printed_text;
std::string complaint;

int run(std::vector<const char*> arguments) {
  last_request = {};
  windows_opened = 0;
  arguments.insert(arguments.begin(), "attention-live");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run_command_line(static_cast<int>(arguments.size()), arguments.data(), remember);
  printed_text = testing::internal::GetCapturedStdout();
  complaint = testing::internal::GetCapturedStderr();
  return code;
}

TEST(CommandLine, NoArgumentsOpenTheDefaultWindow) {
  for (const std::vector<const char*>& arguments : {std::vector<const char*>{}, {"window"}}) {
    EXPECT_EQ(run(arguments), 7);
    EXPECT_EQ(windows_opened, 1);
    EXPECT_EQ(last_request.width, 1280);
    EXPECT_EQ(last_request.height, 800);
    EXPECT_EQ(last_request.example, std::nullopt);
    EXPECT_FALSE(last_request.script);
    EXPECT_EQ(printed_text + complaint, "");
  }
}

TEST(CommandLine, WindowOptionsReachTheWindow) {
  EXPECT_EQ(run({"window", "--script", "--size", "390x844", "--example", "your-sentence"}), 7);
  EXPECT_EQ(windows_opened, 1);
  EXPECT_EQ(last_request.width, 390);
  EXPECT_EQ(last_request.height, 844);
  EXPECT_EQ(last_request.example, lesson::ExampleId::your_sentence);
  EXPECT_TRUE(last_request.script);
}

TEST(CommandLine, NothingElseOpensAWindow) {
  EXPECT_EQ(run({"--version"}), 0);
  EXPECT_EQ(printed_text, "attention-live " ATTENTION_LIVE_VERSION "\n");
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_EQ(run({"examples"}), 0);
  EXPECT_EQ(run({"window", "--size", "1x1"}), 2);
  EXPECT_EQ(printed_text, "");
  EXPECT_EQ(
      complaint,
      "attention-live: --size is \"1x1\"; it must be WIDTHxHEIGHT, both from 100 to 10000.\n");
  EXPECT_EQ(run({"windows"}), 2);
  EXPECT_EQ(windows_opened, 0);
}

}  // namespace
}  // namespace app
