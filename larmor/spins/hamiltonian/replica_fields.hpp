#pragma once
// Each replica r has a field term - h_r a_i.e_i in addition to the fields that all replicas share.
// Replicas may exchange h_r on the device. After an exchange, the table of fields is rewritten.

#include <vector>

#include "larmor/core/device/array.hpp"
#include "larmor/core/simd/views.hpp"

namespace larmor::spins {

/// Writes one number of the table of fields.
struct WriteFields {
  Reals table;           ///< (block, row, 3, 8)
  const double* shared;  ///< shared by all replicas (row, 3)
  const double* unit;    ///< a_i (row, 3)
  const double* field;   ///< h_r in units of `scale` [padded replicas]
  double scale;
  Index numbers_of_rows;  ///< 3 times the number of rows

  LARMOR_INLINE void operator()(Index i) const {
    const Index number = i / lane_count % numbers_of_rows;
    const Index replica = i / lane_count / numbers_of_rows * lane_count + i % lane_count;
    const double sum = shared[number] + scale * field[replica] * unit[number];
    if (table.wide != nullptr) table.wide[i] = sum;
    if (table.narrow != nullptr) table.narrow[i] = static_cast<float>(sum);
  }
};

/// Compiled only if CUDA is found.
void write_fields_on_gpu(const Device& device, const WriteFields& write, Index numbers);

class ReplicaFields {
 public:
  /// @param table table of fields, as in WriteFields
  /// @param shared, unit (row, 3)
  ReplicaFields(const Device& device, const Reals& table, const std::vector<double>& shared,
                const std::vector<double>& unit, Index padded_replicas);

  /// @param field one for each replica, in units of `scale` [replicas]
  void set(const std::vector<double>& field, double scale);
  /// The fields on the device, for kernels that change them. [padded replicas]
  double* fields_on_device() { return field_.data(); }
  /// Call after a change of fields, before the model is read.
  void write();

 private:
  Reals table_;
  Array<double> shared_, unit_, field_;
  double scale_ = 1;
};

}  // namespace larmor::spins
