#include "larmor/spins/hamiltonian/replica_fields.hpp"

#include <algorithm>

#include "larmor/core/device/profile.hpp"

namespace larmor::spins {

ReplicaFields::ReplicaFields(const Device& device, const Reals& table,
                             const std::vector<double>& shared, const std::vector<double>& unit,
                             Index padded_replicas)
    : table_(table), shared_(device, shared), unit_(device, unit), field_(device, padded_replicas) {
  write();
}

void ReplicaFields::set(const std::vector<double>& field, double scale) {
  std::vector<double> padded(field);
  padded.resize(static_cast<std::size_t>(field_.size()), field.back());
  field_.copy_from(padded);
  scale_ = scale;
  write();
}

void ReplicaFields::write() {
  const Region region("fields of replicas");
  const WriteFields write{table_,        shared_.data(), unit_.data(),
                          field_.data(), scale_,         shared_.size()};
  const Index numbers = field_.size() * shared_.size();
#if defined(LARMOR_HAS_CUDA)
  if (field_.device().backend == Backend::cuda)
    return write_fields_on_gpu(field_.device(), write, numbers);
#endif
  require_cpu(field_.device());
  for (Index i = 0; i < numbers; ++i) write(i);
}

}  // namespace larmor::spins
