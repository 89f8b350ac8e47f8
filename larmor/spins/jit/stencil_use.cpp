#include "larmor/spins/jit/stencil_use.hpp"

#include <limits>

#include "larmor/core/device/jit_compiler.hpp"

namespace larmor::spins {
namespace {

/// Smallest number of spins in all replicas for which compilation pays off.
constexpr Index worth_compiling = 4096;
/// Kernels index the numbers of a block of replicas with unsigned 32-bit integers.
constexpr Index most_numbers_of_block = std::numeric_limits<std::uint32_t>::max();
/// Largest number of sublattices times bonds, which limits the length of the kernel text.
constexpr Index most_bonds = 4096;

Index numbers_of_block(const SpinLayout& layout) {
  return 3 * layout.padded_sites() * (layout.one_replica() ? 1 : lane_count);
}

bool are_wanted(const SpinLayout& layout, const Device& gpu) {
  const std::string choice = choice_of_jit_kernels(gpu);
  if (!choice.empty()) return choice == "always";
  return layout.sites * layout.study_replicas() >= worth_compiling;
}

}  // namespace

std::optional<Stencil> stencil_to_use(const Model& model, const SpinLayout& layout,
                                      const Device& device, StencilCells cells) {
  if (device.backend != Backend::cuda || !are_wanted(layout, device)) return std::nullopt;
  if (layout.domain != nullptr && layout.domain->cells == nullptr) return std::nullopt;
  if (numbers_of_block(layout) > most_numbers_of_block) return std::nullopt;
  // JIT kernels support neither long-range interactions nor biquadratic bonds.
  if (model.long_range() != nullptr ||
      model.view_without_neighbours(layout.replicas).biquadratic.value.present())
    return std::nullopt;
  std::optional<Stencil> stencil = model.stencil(cells);
  if (!stencil) return std::nullopt;
  Index bonds = 0;
  for (const Sublattice& sublattice : stencil->sublattices)
    bonds += static_cast<Index>(sublattice.bonds.size());
  if (bonds == 0 || bonds > most_bonds) return std::nullopt;
  return stencil;
}

std::string stencil_advice(const SpinLayout& layout) {
  if (numbers_of_block(layout) <= most_numbers_of_block) return "";
  return "Larmor reads tables of neighbours, because kernels compiled for the model support at "
         "most " +
         std::to_string(most_numbers_of_block / 3 / lane_count * lane_count) +
         " sites with one replica, and " +
         std::to_string(most_numbers_of_block / (3 * lane_count) / lane_count * lane_count) +
         " with several replicas";
}

}  // namespace larmor::spins
