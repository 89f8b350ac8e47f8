#include "larmor/study/scan/point_dispatch.hpp"

#include <algorithm>
#include <thread>
#include <utility>

namespace larmor::study {
namespace {

using Clock = std::chrono::steady_clock;

/// Blocks of small systems take microseconds: the root does not receive messages after each.
constexpr std::chrono::milliseconds between_polls{1};
constexpr std::chrono::milliseconds between_reports{500};

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
      is_waiting_(static_cast<std::size_t>(world == nullptr ? 1 : world->size()), false) {}

void PointDispatch::send(int kind, double number, int rank) const {
  world_->post({static_cast<double>(kind), number}, rank);
}

std::optional<Index> PointDispatch::next() {
  last_poll_ = {};
  busy_ = false;
  reported_work_ = 0;
  poll(0);
  std::optional<Index> point;
  if (is_root()) {
    point = take_first();
  } else {
    reply_.reset();
    send(wants_point, std::exchange(finished_, -1), 0);
    while (!reply_) {
      poll(0);
      if (!reply_) std::this_thread::sleep_for(between_polls);
    }
    if (kind_of(*reply_) == take_point) point = static_cast<Index>(reply_->numbers[1]);
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
  report_work(work, true);
  busy_ = false;
  if (is_root())
    done_.push_back(point);
  else
    finished_ = static_cast<double>(point);
}

bool PointDispatch::poll(double work) {
  if (asked_to_stop_ != nullptr && *asked_to_stop_ != 0 && !reported_stop_) {
    reported_stop_ = true;
    stop_all(*asked_to_stop_);
  }
  const auto now = Clock::now();
  if (now - last_poll_ < between_polls) return false;
  last_poll_ = now;
  receive();
  if (busy_) report_work(work, false);
  return true;
}

void PointDispatch::report_work(double work, bool now) {
  const double more = work - reported_work_;
  if (is_root()) {
    work_ += more;
  } else {
    if (!now && Clock::now() - last_report_ < between_reports) return;
    last_report_ = Clock::now();
    send(has_worked, more, 0);
  }
  reported_work_ = work;
}

void PointDispatch::fail() { stop_all(failure); }

void PointDispatch::stop_all(int reason) {
  if (stop_ != 0) return;
  stop_ = reason;
  last_message_ = Clock::now();
  if (!is_root()) return send(wants_stop, reason, 0);
  for (std::size_t rank = 1; rank < is_waiting_.size(); ++rank)
    send(must_stop, reason, static_cast<int>(rank));
}

void PointDispatch::receive() {
  if (world_ == nullptr) return;
  while (const std::optional<Post> post = world_->receive_post()) {
    last_message_ = Clock::now();
    if (is_root())
      receive_from_rank(*post);
    else
      receive_from_root(*post);
  }
}

void PointDispatch::receive_from_root(const Post& post) {
  if (kind_of(post) == must_stop)
    stop_ = static_cast<int>(post.numbers[1]);
  else
    reply_ = post;
}

void PointDispatch::receive_from_rank(const Post& post) {
  switch (kind_of(post)) {
    case wants_point:
      if (post.numbers[1] >= 0) done_.push_back(static_cast<Index>(post.numbers[1]));
      if (const std::optional<Index> point = take_first())
        send(take_point, static_cast<double>(*point), post.rank);
      else
        is_waiting_[static_cast<std::size_t>(post.rank)] = true;
      return;
    case has_worked:
      work_ += post.numbers[1];
      return;
    default:
      return stop_all(static_cast<int>(post.numbers[1]));
  }
}

void PointDispatch::serve_until_done(const std::function<void()>& meanwhile) {
  const auto all_wait = [&] {
    return std::all_of(is_waiting_.begin() + 1, is_waiting_.end(),
                       [](bool waits) { return waits; });
  };
  while (!all_wait()) {
    poll(0);
    meanwhile();
    if (stop_ != 0 && Clock::now() - last_message_ > patience_) throw others_do_not_answer();
    std::this_thread::sleep_for(between_polls);
  }
  for (std::size_t rank = 1; rank < is_waiting_.size(); ++rank)
    send(nothing_left, 0, static_cast<int>(rank));
}

std::vector<Index> PointDispatch::take_done() { return std::exchange(done_, {}); }

}  // namespace larmor::study
