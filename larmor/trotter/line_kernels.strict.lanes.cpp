#include "larmor/trotter/line_view.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {

const LineKernels line_kernels_table{[](const LineView& view, const RandomKey& key, Index group) {
  const Index fields = view.base.time.fields(), of_instance = view.groups_of_instance;
  const Index first = group % of_instance * fields;
  const Index last = first + fields < view.copies ? first + fields : view.copies;
  for (Index copy = first; copy < last; ++copy) {
    const LineUpdate update(view, group / of_instance * view.copies + copy);
    for (Index place = 0; place < view.base.sites; ++place) update(key, view.base.order[place]);
  }
}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
