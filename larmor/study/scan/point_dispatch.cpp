#include "larmor/study/scan/point_dispatch.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace larmor::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Blocks of small systems take microseconds: the root does not receive messages after each.
constexpr std::chrono::milliseconds between_looks{1};
constexpr std::chrono::milliseconds between_tales{500};

/// Reason to stop other than signals, which are positive.
constexpr int failure = -1;

/// The first of the two numbers of a message.
enum PostKind : int {
  // Messages to the root.
  wants_point,  ///< the point it has done, or -1
  has_worked,   ///< updates since its last report
  wants_stop,   ///< the reason
  // Messages from the root.
  take_point,  ///< its number
  nothing_left,
  must_stop  ///< the reason
};

PostKind kind_of(const Post& post) {
  return static_cast<PostKind>(static_cast<int>(post.numbers[0]));
}

}  // namespace

PointDispatch::PointDispatch(const Communicator* world, std::vector<Index> points,
                             const std::atomic<int>* asked_to_stop,
                             std::chrono::milliseconds patience)
    : world_(world),
      asked_to_stop_(asked_to_stop),
      points_(points.begin(), points.end()),
      patience_(patience),
      waits_(static_cast<std::size_t>(world == nullptr ? 1 : world->size()), false) {}

void PointDispatch::say(int what, double number, int rank) const {
  world_->post({static_cast<double>(what), number}, rank);
}

std::optional<Index> PointDispatch::next() {
  last_look_ = {};
  busy_ = false;
  told_work_ = 0;
  attend(0);
  std::optional<Index> point;
  if (is_root()) {
    point = take_first();
  } else {
    answer_.reset();
    say(wants_point, std::exchange(finished_, -1), 0);
    while (!answer_) {
      attend(0);
      if (!answer_) std::this_thread::sleep_for(between_looks);
    }
    if (kind_of(*answer_) == take_point) point = static_cast<Index>(answer_->numbers[1]);
  }
  busy_ = point.has_value();
  return point;
}

std::optional<Index> PointDispatch::take_first() {
  if (stop_ != 0 || points_.empty()) return std::nullopt;
  const Index point = points_.front();
  points_.pop_front();
  return point;
}

void PointDispatch::finished(Index point, double work) {
  tell_work(work, true);
  busy_ = false;
  if (is_root())
    done_.push_back(point);
  else
    finished_ = static_cast<double>(point);
}

bool PointDispatch::attend(double work) {
  if (asked_to_stop_ != nullptr && *asked_to_stop_ != 0 && !told_stop_) {
    told_stop_ = true;
    stop_all(*asked_to_stop_);
  }
  const auto now = Clock::now();
  if (now - last_look_ < between_looks) return false;
  last_look_ = now;
  hear();
  if (busy_) tell_work(work, false);
  return true;
}

void PointDispatch::tell_work(double work, bool now) {
  const double more = work - told_work_;
  if (is_root()) {
    work_ += more;
  } else {
    if (!now && Clock::now() - last_told_ < between_tales) return;
    last_told_ = Clock::now();
    say(has_worked, more, 0);
  }
  told_work_ = work;
}

void PointDispatch::fail() { stop_all(failure); }

void PointDispatch::stop_all(int reason) {
  if (stop_ != 0) return;
  stop_ = reason;
  last_heard_ = Clock::now();
  if (!is_root()) return say(wants_stop, reason, 0);
  for (std::size_t rank = 1; rank < waits_.size(); ++rank)
    say(must_stop, reason, static_cast<int>(rank));
}

void PointDispatch::hear() {
  if (world_ == nullptr) return;
  while (const std::optional<Post> post = world_->receive_post()) {
    last_heard_ = Clock::now();
    if (is_root())
      hear_rank(*post);
    else
      hear_root(*post);
  }
}

void PointDispatch::hear_root(const Post& post) {
  if (kind_of(post) == must_stop)
    stop_ = static_cast<int>(post.numbers[1]);
  else
    answer_ = post;
}

void PointDispatch::hear_rank(const Post& post) {
  switch (kind_of(post)) {
    case wants_point:
      if (post.numbers[1] >= 0) done_.push_back(static_cast<Index>(post.numbers[1]));
      if (const std::optional<Index> point = take_first())
        say(take_point, static_cast<double>(*point), post.rank);
      else
        waits_[static_cast<std::size_t>(post.rank)] = true;
      return;
    case has_worked:
      work_ += post.numbers[1];
      return;
    default:
      return stop_all(static_cast<int>(post.numbers[1]));
  }
}

void PointDispatch::serve_to_the_end(const std::function<void()>& meanwhile) {
  const auto all_wait = [&] {
    return std::all_of(waits_.begin() + 1, waits_.end(), [](bool waits) { return waits; });
  };
  while (!all_wait()) {
    attend(0);
    meanwhile();
    if (stop_ != 0 && Clock::now() - last_heard_ > patience_) throw others_do_not_answer();
    std::this_thread::sleep_for(between_looks);
  }
  for (std::size_t rank = 1; rank < waits_.size(); ++rank)
    say(nothing_left, 0, static_cast<int>(rank));
}

std::vector<Index> PointDispatch::take_done() { return std::exchange(done_, {}); }

}  // namespace larmor::study
