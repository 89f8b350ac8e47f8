// Ranks that get an error from NCCL. This test replaces NCCL by a library that gives the test's
// answers.
// Rooms: core

#include "larmor/core/ranks/nccl_communicator.hpp"

#include <gtest/gtest.h>

#include <string>

#include "larmor/core/device/gpu_waits.hpp"
#include "larmor/core/error.hpp"

namespace larmor::cuda {
namespace {

constexpr int remote_error = 6;

/// Counts of calls, and the answers that the calls get.
struct Calls {
  int ended = 0, aborted = 0, asked = 0;
  int status_of_start = 0, status_of_asking = 0, status_beside = 0;
} calls;

NcclLibrary library() {
  calls = {};
  NcclLibrary nccl{};
  nccl.start = [](NcclHandle* handle, int, NcclId, int) {
    *handle = &calls;
    return calls.status_of_start;
  };
  nccl.end = [](NcclHandle) { return 0 * ++calls.ended; };
  nccl.abort = [](NcclHandle) { return 0 * ++calls.aborted; };
  nccl.asynchronous_error = [](NcclHandle handle, int* status) {
    EXPECT_EQ(handle, &calls);
    ++calls.asked;
    *status = calls.status_beside;
    return calls.status_of_asking;
  };
  nccl.error_text = [](int status) {
    return status == remote_error ? "remote process exited" : "another error";
  };
  return nccl;
}

template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const MachineError& error) {
    return error.what();
  }
  return "";
}

TEST(NcclCommunicator, EndsWhatItStarted) {
  const NcclLibrary nccl = library();
  {
    NcclCommunicator ranks(nccl, 2, {}, 0);
    EXPECT_EQ(ranks.handle(), &calls);
    ranks.check(0, "sending");
    ranks.check(nccl_in_progress, "sending");
    calls.status_beside = nccl_in_progress;
    ranks.check_others();
  }
  EXPECT_EQ(calls.ended, 1);
  EXPECT_EQ(calls.aborted, 0);
}

TEST(NcclCommunicator, DoesNotEndWhatDidNotStart) {
  const NcclLibrary nccl = library();
  calls.status_of_start = 2;
  EXPECT_NE(error_of([&] { NcclCommunicator(nccl, 2, {}, 0); }).find("starting: another error"),
            std::string::npos);
  EXPECT_EQ(calls.ended, 0);
}

TEST(NcclCommunicator, GivesUpOnceOthersAreLost) {
  const NcclLibrary nccl = library();
  {
    NcclCommunicator ranks(nccl, 2, {}, 0);
    calls.status_beside = remote_error;
    const std::string said = error_of([&] { ranks.check_others(); });
    EXPECT_NE(said.find("other GPUs"), std::string::npos) << said;
    EXPECT_NE(said.find("remote process exited"), std::string::npos) << said;
    EXPECT_EQ(calls.aborted, 1);
    // Further queries give the first message again and do not call the library.
    EXPECT_EQ(error_of([&] { ranks.check_others(); }), said);
    EXPECT_EQ(error_of([&] { ranks.handle(); }), said);
    EXPECT_EQ(calls.asked, 1);
  }
  EXPECT_EQ(calls.aborted, 1);
  EXPECT_EQ(calls.ended, 0);
}

TEST(NcclCommunicator, GivesUpAtTheFirstCallThatFails) {
  const NcclLibrary nccl = library();
  NcclCommunicator ranks(nccl, 2, {}, 0);
  EXPECT_NE(error_of([&] { ranks.check(remote_error, "sending"); }).find("NCCL, sending: remote"),
            std::string::npos);
  EXPECT_EQ(calls.aborted, 1);
}

/// A peer is lost while this rank waits for its own GPU. The GPU waits for the lost peer.
TEST(NcclCommunicator, EndsWaitsForAGpuThatWaitsForALostOne) {
  const NcclLibrary nccl = library();
  NcclCommunicator ranks(nccl, 2, {}, 0);
  const WaitWatch watch([&] { ranks.check_others(); });
  int polls = 0;
  const std::string said = error_of([&] {
    wait_watched([&] {
      if (++polls == 100) calls.status_beside = remote_error;
      return calls.aborted > 0;
    });
  });
  EXPECT_NE(said.find("remote process exited"), std::string::npos) << said;
  EXPECT_EQ(calls.aborted, 1);
}

}  // namespace
}  // namespace larmor::cuda
