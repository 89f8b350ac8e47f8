#pragma once
// Objects that threads borrow, each of which serves one thread at a time. A new one is made if all
// are lent.

#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace larmor {

template <class T>
class ObjectPool {
 public:
  explicit ObjectPool(std::function<std::unique_ptr<T>()> make) : make_(std::move(make)) {}

  /// An object until the lease ends.
  class Lease {
   public:
    Lease(ObjectPool& pool, std::unique_ptr<T> object) : pool_(pool), object_(std::move(object)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() {
      const std::lock_guard lock(pool_.mutex_);
      pool_.free_.push_back(std::move(object_));
    }
    T& operator*() const { return *object_; }
    T* operator->() const { return object_.get(); }

   private:
    ObjectPool& pool_;
    std::unique_ptr<T> object_;
  };

  Lease borrow() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<T> object = std::move(free_.back());
        free_.pop_back();
        return Lease(*this, std::move(object));
      }
    }
    return Lease(*this, make_());
  }

 private:
  std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace larmor
