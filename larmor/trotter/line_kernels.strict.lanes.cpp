#include "larmor/core/maths/pack.hpp"
#include "larmor/trotter/line_view.hpp"

namespace larmor::trotter {
inline namespace LARMOR_ISA_NAMESPACE {
namespace {

/// The numbers of PlainLineNumbers, from eight calls at once.
class PackedLineNumbers {
 public:
  explicit PackedLineNumbers(const LineCalls& calls) : calls_(calls) {}
  double next() {
    if (used_ == count) fill();
    return number_[used_++];
  }

 private:
  static constexpr int words = 4, count = words * lane_count;

  void fill() {
    double low[lane_count];
    for (int l = 0; l < lane_count; ++l)
      low[l] = from_bits(std::uint64_t{(call_ + static_cast<std::uint32_t>(l)) & 0xffu});
    const auto random = calls_.draw<PackBits>(to_bits(Pack::load(low)), call_ >> 8);
    for (int w = 0; w < words; ++w) {
      double of_word[lane_count];
      line_number(uniform_32<Pack>(random.w[w]), calls_.first_block != 0).store(of_word);
      for (int l = 0; l < lane_count; ++l) number_[words * l + w] = of_word[l];
    }
    call_ += lane_count;
    used_ = 0;
  }

  LineCalls calls_;
  std::uint32_t call_ = 0;
  int used_ = count;
  double number_[count];
};

}  // namespace

const LineKernels line_kernels_table{
    [](const LineView& view, const RandomKey& key, Index group, Index first, Index last) {
      const Index fields = view.base.time.fields(), of_instance = view.groups_of_instance;
      const Index first_copy = group % of_instance * fields;
      const Index last_copy = first_copy + fields < view.copies ? first_copy + fields : view.copies;
      for (Index copy = first_copy; copy < last_copy; ++copy) {
        const LineUpdate<PackedLineNumbers> update(view, group / of_instance * view.copies + copy);
        for (Index place = first; place < last; ++place) update(key, view.base.order[place]);
      }
    }};

}  // namespace LARMOR_ISA_NAMESPACE
}  // namespace larmor::trotter
