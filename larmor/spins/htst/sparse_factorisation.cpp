#include "larmor/spins/htst/sparse_factorisation.hpp"

#include <dmumps_c.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <mutex>
#include <numbers>
#include <string>

#include "larmor/core/device/device.hpp"
#include "larmor/core/device/memory.hpp"
#include "larmor/core/maths/one_blas_thread.hpp"

namespace larmor::spins {
namespace {

/// MUMPS is not thread-safe.
std::mutex& guard() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

struct SparseFactorisation::Instance {
  // Job numbers of MUMPS.
  static constexpr int begin = -1, end = -2, analyse = 1, factorise = 2, solve = 3;

  DMUMPS_STRUC_C mumps{};
  Symmetry symmetry;
  std::vector<MUMPS_INT> row, column;
  std::vector<double> value;

  /// ICNTL(n) of the manual.
  MUMPS_INT& control(int n) { return mumps.icntl[n - 1]; }
  /// INFOG(n) of the manual.
  MUMPS_INT result(int n) const { return mumps.infog[n - 1]; }

  bool takes(Index i, std::int32_t j) const { return symmetry == Symmetry::general || j <= i; }

  void run(int job) {
    const std::lock_guard lock(guard());
    const OneBlasThread one_thread;
    mumps.job = job;
    dmumps_c(&mumps);
  }

  /// Call before MUMPS allocates memory, because the system may promise more memory than it has.
  /// INFOG(16) of the manual is the forecast in MB.
  void require_memory() const {
    const double needed = 1e6 * result(16);
    const FreeMemory free = free_memory();
    if (needed <= free.bytes) return;
    throw TooLargeToFactorise("the factorisation of a matrix of " + std::to_string(mumps.n) +
                              " rows needs " + memory_text(needed) + ", and " + free.description());
  }

  void require_success() const {
    // The five errors of `too_little_memory` mean that a workspace is at its limit, or that an
    // allocation has failed.
    constexpr int singular = -10;
    constexpr int too_little_memory[] = {-5, -7, -8, -9, -13};
    const MUMPS_INT error = result(1);
    if (error >= 0) return;
    if (error == singular) throw UnphysicalError("a matrix that has to be inverted is singular");
    if (std::find(std::begin(too_little_memory), std::end(too_little_memory), error) !=
        std::end(too_little_memory))
      throw TooLargeToFactorise("not enough memory to factorise a matrix of " +
                                std::to_string(mumps.n) + " rows");
    throw InternalError("MUMPS reports error " + std::to_string(error) + ", " +
                        std::to_string(result(2)));
  }
};

SparseFactorisation::SparseFactorisation(const SparseMatrix& pattern, Symmetry symmetry)
    : instance_(std::make_unique<Instance>()) {
  Instance& it = *instance_;
  it.symmetry = symmetry;
  for (Index i = 0; i < pattern.size; ++i)
    for (auto n = static_cast<std::size_t>(pattern.start[static_cast<std::size_t>(i)]);
         n < static_cast<std::size_t>(pattern.start[static_cast<std::size_t>(i) + 1]); ++n)
      if (it.takes(i, pattern.column[n])) {
        it.row.push_back(static_cast<MUMPS_INT>(i + 1));
        it.column.push_back(pattern.column[n] + 1);
      }
  it.value.resize(it.row.size());
  constexpr int own_process_alone = -987654, indefinite = 2, general = 0;
  it.mumps.comm_fortran = own_process_alone;
  it.mumps.par = 1;
  it.mumps.sym = symmetry == Symmetry::symmetric ? indefinite : general;
  it.run(Instance::begin);
  for (const int messages : {1, 2, 3}) it.control(messages) = -1;
  it.control(4) = 0;
  it.control(6) = 0;  // keep the order of rows: large entries are on the diagonal
  // 0 selects the order by approximate minimum degree. PORD, also part of MUMPS, crashes on some
  // small matrices.
  it.control(7) = 0;
  it.control(12) = 1;  // keep the order also if entries on the diagonal are small
  it.control(33) = 1;  // compute the determinant
  it.mumps.n = static_cast<MUMPS_INT>(pattern.size);
  it.mumps.nnz = static_cast<MUMPS_INT8>(it.row.size());
  it.mumps.irn = it.row.data();
  it.mumps.jcn = it.column.data();
  it.mumps.a = it.value.data();
  it.run(Instance::analyse);
  it.require_success();
}

SparseFactorisation::~SparseFactorisation() { instance_->run(Instance::end); }

void SparseFactorisation::factorise(const SparseMatrix& A) {
  Instance& it = *instance_;
  std::size_t taken = 0;
  for (Index i = 0; i < A.size; ++i)
    for (auto n = static_cast<std::size_t>(A.start[static_cast<std::size_t>(i)]);
         n < static_cast<std::size_t>(A.start[static_cast<std::size_t>(i) + 1]); ++n)
      if (it.takes(i, A.column[n])) it.value[taken++] = A.value[n];
  it.require_memory();
  // If many rows are exchanged, the dense matrices of MUMPS grow beyond the forecast.
  constexpr int too_little_space = -9, no_more_space = -8, most_percent = 1000;
  for (it.control(14) = 30;; it.control(14) *= 2) {
    it.run(Instance::factorise);
    const bool short_of_space = it.result(1) == too_little_space || it.result(1) == no_more_space;
    if (!short_of_space || it.control(14) > most_percent) break;
  }
  it.require_success();
}

double SparseFactorisation::log_determinant() const {
  const double mantissa = instance_->mumps.rinfog[11];
  return std::log(std::abs(mantissa)) + instance_->result(34) * std::numbers::ln2;
}

Index SparseFactorisation::negative_eigenvalues() const { return instance_->result(12); }

std::vector<double> SparseFactorisation::solve(std::vector<double> b) const {
  if (b.empty()) return b;
  DMUMPS_STRUC_C& mumps = instance_->mumps;
  mumps.nrhs = static_cast<MUMPS_INT>(b.size()) / mumps.n;
  mumps.lrhs = mumps.n;
  mumps.rhs = b.data();
  instance_->run(Instance::solve);
  instance_->require_success();
  return b;
}

}  // namespace larmor::spins
