// Rooms: core
#include "larmor/core/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace larmor {
namespace {

TEST(InputErrorText, LongLinesAreCutAroundTheCaret) {
  const std::string line = std::string(500, 'a') + "X" + std::string(500, 'b');
  const std::string text = InputError("bad", {"f", 12, 501, line}, "better").what();
  const auto shown = text.find("...");
  const auto caret_line = text.rfind("\n      | ");
  EXPECT_LT(text.size(), 300U);
  ASSERT_NE(shown, std::string::npos);
  ASSERT_NE(caret_line, std::string::npos);
  const std::size_t line_start = text.find("\n   12 | ");
  EXPECT_EQ(text.find('X') - line_start, text.find('^') - caret_line);
}

TEST(InputErrorText, TabsAndWideTextKeepTheCaretInPlace) {
  const std::string text = InputError("bad", {"f", 1, 4, "\tμ= x"}, "").what();
  EXPECT_EQ(text, "f:1:4: error: bad\n    1 | \tμ= x\n      | \t  ^");
}

TEST(InputErrorText, NothingThatActsOnATerminalIsPrinted) {
  EXPECT_STREQ(InputError("\x1b[2J\n\x7f", {"a\nb", 0, 0, ""}, "\r\xc2\x9b\xff").what(),
               "a\\nb: error: \\x1b[2J\\n\\x7f\n  help: \\r\\xc2\\x9b\\xff");
  EXPECT_STREQ(InputError("bad", {"f", 1, 3, "\x1b\xe2\x80\xaex"}, "").what(),
               "f:1:3: error: bad\n    1 | \\x1b\\xe2\\x80\\xaex\n      |                 ^");
  EXPECT_STREQ(MachineError("one\x08\ntwo μ").what(), "one\\x08\ntwo μ");
}

TEST(InputErrorText, BytesThatAreNoTextKeepTheCaretInPlace) {
  const std::string text = InputError("bad", {"f", 1, 3, "a\xff\x80 x"}, "").what();
  EXPECT_EQ(text, "f:1:3: error: bad\n    1 | a\\xff\\x80 x\n      |          ^");
}

TEST(InputErrorText, UnknownPartsAreLeftOut) {
  EXPECT_STREQ(InputError("bad").what(), "error: bad");
  EXPECT_STREQ(InputError("bad", "better").what(), "error: bad\n  help: better");
  EXPECT_STREQ(InputError("bad", {"f", 0, 0, ""}, "").what(), "f: error: bad");
}

TEST(ExitCodes, TellWhoseFaultItWas) {
  EXPECT_EQ(InputError("bad").exit_code(), 2);
  EXPECT_EQ(MachineError("bad").exit_code(), 3);
  EXPECT_EQ(UnphysicalError("bad").exit_code(), 4);
  EXPECT_EQ(InternalError("bad").exit_code(), 70);
}

}  // namespace
}  // namespace larmor
