#pragma once
// Values of sites as rows on a device; equal rows are stored once.

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "larmor/core/device/real_array.hpp"
#include "larmor/spins/hamiltonian/canonical_forms.hpp"

namespace larmor::spins {

/// Collects rows of numbers; equal rows are stored once.
class RowCollector {
 public:
  std::int32_t add(const std::vector<double>& row) {
    const auto [known, is_new] = known_.try_emplace(row, static_cast<std::int32_t>(known_.size()));
    if (is_new) value_.insert(value_.end(), row.begin(), row.end());
    return known->second;
  }
  const std::vector<double>& value() const { return value_; }

 private:
  std::map<std::vector<double>, std::int32_t> known_;
  std::vector<double> value_;
};

/// The row of each storage position. If only a row for each sublattice is given, the row numbers of
/// all positions are written at the first request.
class SiteRows {
 public:
  /// @param row one for each storage position, padded
  SiteRows(const Device& device, std::vector<std::int32_t> row);
  /// @param row one for each sublattice. Sublattices are consecutive, and each has `sites_of_each`
  ///        positions. Further positions, up to `positions`, have the row of the first sublattice.
  SiteRows(const Device& device, std::vector<std::int32_t> row, Index sites_of_each,
           Index positions);

  /// Does every position use row 0?
  bool uniform() const { return uniform_; }
  /// Row numbers on the device [positions]; thread-safe.
  const std::int32_t* data() const;
  /// A copy on the host.
  std::vector<std::int32_t> to_host() const;
  /// Bytes that exist now.
  Index bytes() const;

 private:
  Device device_;
  std::vector<std::int32_t> row_;  ///< for each sublattice, or position if not yet on the device
  Index sites_of_each_, positions_;
  bool uniform_;
  mutable std::mutex guard_;
  mutable Array<std::int32_t> on_device_;
};

class RowStorage {
 public:
  RowStorage() = default;
  /// @param value (rows, width)
  RowStorage(const Device& device, std::shared_ptr<const SiteRows> rows,
             const std::vector<double>& value, int width);
  /// Values that differ by replica.
  /// @param value (block, row, width, 8), blocks of `block_stride`
  RowStorage(const Device& device, std::shared_ptr<const SiteRows> rows,
             const std::vector<double>& value, int width, Index block_stride);

  bool present() const { return value_.size() > 0; }
  bool differs_by_replica() const { return block_stride_ != 0; }
  RowTable table() const;
  /// A table for kernels that read no row numbers, or only row 0. Row numbers are not written.
  RowTable table_without_rows() const;
  const SiteRows* rows() const { return rows_.get(); }
  /// A copy of the values.
  std::vector<double> values() const { return value_.to_host(); }
  /// Bytes of the values.
  Index bytes() const { return value_.bytes(); }

 private:
  RealArray value_;
  std::shared_ptr<const SiteRows> rows_;
  int width_ = 0;
  bool uniform_ = true;
  Index block_stride_ = 0;
};

}  // namespace larmor::spins
