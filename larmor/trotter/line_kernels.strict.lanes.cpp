#include "larmor/trotter/line_view.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {

const LineKernels line_kernels_table{[](const LineView& view, const RandomKey& key, Index group) {
  const Index fields = view.base.time.fields(), of_point = view.groups_of_point;
  const Index first = group % of_point * fields;
  const Index last = first + fields < view.copies ? first + fields : view.copies;
  for (Index copy = first; copy < last; ++copy) {
    const LineUpdate update(view, group / of_point * view.copies + copy);
    for (Index place = 0; place < view.base.sites; ++place) update(key, view.base.order[place]);
  }
}};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
