#include "larmor/spins/hamiltonian/row_storage.hpp"

#include <algorithm>
#include <limits>

#include "larmor/core/device/filled_array.hpp"
#include "larmor/core/error.hpp"

namespace larmor::spins {
namespace {

bool all_are_row_0(const std::vector<std::int32_t>& row) {
  return std::all_of(row.begin(), row.end(), [](std::int32_t r) { return r == 0; });
}

}  // namespace

SiteRows::SiteRows(const Device& device, std::vector<std::int32_t> row)
    : device_(device),
      row_(std::move(row)),
      sites_of_each_(1),
      positions_(static_cast<Index>(row_.size())),
      uniform_(all_are_row_0(row_)) {
  if (!uniform_) data();
  // The row numbers are on the device, or all zero.
  row_ = {0};
}

SiteRows::SiteRows(const Device& device, std::vector<std::int32_t> row, Index sites_of_each,
                   Index positions)
    : device_(device),
      row_(std::move(row)),
      sites_of_each_(sites_of_each),
      positions_(positions),
      uniform_(all_are_row_0(row_)) {}

const std::int32_t* SiteRows::data() const {
  const std::lock_guard lock(guard_);
  if (on_device_.size() == 0)
    on_device_ = filled_array<std::int32_t>(
        device_, positions_, 1, [&](Index first, Index last, std::int32_t* to) {
          const auto sublattices = static_cast<Index>(row_.size());
          for (Index position = first; position < last; ++position) {
            const Index s = position / sites_of_each_;
            *to++ = row_[static_cast<std::size_t>(s < sublattices ? s : 0)];
          }
        });
  return on_device_.data();
}

std::vector<std::int32_t> SiteRows::to_host() const {
  if (uniform_) return std::vector<std::int32_t>(static_cast<std::size_t>(positions_));
  data();
  return on_device_.to_host();
}

Index SiteRows::bytes() const {
  const std::lock_guard lock(guard_);
  return on_device_.size() * static_cast<Index>(sizeof(std::int32_t));
}

RowStorage::RowStorage(const Device& device, std::shared_ptr<const SiteRows> rows,
                       const std::vector<double>& value, int width)
    : value_(device, value), rows_(std::move(rows)), width_(width), uniform_(rows_->uniform()) {
  // Kernels gather with 32-bit offsets.
  if (value.size() > std::numeric_limits<std::int32_t>::max())
    throw InputError("the model has more than 2147483647 different numbers",
                     "use a smaller lattice, or fewer terms that differ from site to site");
}

RowStorage::RowStorage(const Device& device, std::shared_ptr<const SiteRows> rows,
                       const std::vector<double>& value, int width, Index block_stride)
    : value_(device, value),
      rows_(std::move(rows)),
      width_(width),
      uniform_(false),
      block_stride_(block_stride) {}

RowTable RowStorage::table() const {
  RowTable table = table_without_rows();
  if (rows_ && !uniform_) table.row = rows_->data();
  return table;
}

RowTable RowStorage::table_without_rows() const {
  return {value_.reals(), nullptr, width_, uniform_, block_stride_};
}

}  // namespace larmor::spins
