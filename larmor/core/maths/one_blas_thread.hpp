#pragma once
// BITS: sums of OpenBLAS depend on its number of threads, so every call of OpenBLAS has one thread.

namespace larmor {

/// While it lives, calls of OpenBLAS by this thread have one thread.
class OneBlasThread {
 public:
  OneBlasThread();
  OneBlasThread(const OneBlasThread&) = delete;
  OneBlasThread& operator=(const OneBlasThread&) = delete;
  ~OneBlasThread();

 private:
  int threads_;  ///< number of threads of OpenMP before
};

}  // namespace larmor
