#include "bench/snap_variants/variants.hpp"

#include "bench/compared_methods.hpp"
#include "bench/snap_variants/methods.hpp"
#include "larmor/core/error.hpp"

namespace larmor::bench {
namespace {

struct NamedMethod {
  const char* name;
  SnapVariantSteps steps;
};

constexpr NamedMethod methods[] = {{"baseline", {}},
                                   {"adjoint", {true}},
                                   {"split", {true, true}},
                                   {"layout", {true, true, true}},
                                   {"half", {true, true, true, true}},
                                   {"fused", {true, true, true, true, true}},
                                   {"generators", {true, true, true, true, true, true}},
                                   {"products", {true, true, true, true, true, true, true}},
                                   {"ours", {true, true, true, true, true, true, true, true}}};

constexpr auto names = names_of(methods);

const NamedMethod& method_by_name(std::string_view name) {
  return bench::method_by_name(methods, name, "method of SNAP on a GPU");
}

}  // namespace

std::span<const char* const> snap_variant_names() { return names; }

#if defined(LARMOR_HAS_CUDA)

std::unique_ptr<SnapVariantMethod> make_snap_variant_method(
    const Device& device, std::string_view name, const atoms::snap::SnapPotential& potential,
    const atoms::NeighbourRows& rows) {
  const SnapVariantSteps& steps = method_by_name(name).steps;
  if (device.backend != Backend::cuda)
    throw MachineError("SNAP by \"" + std::string(name) + "\" needs a GPU");
  const auto make = steps.ours    ? make_snap_ours
                    : steps.split ? make_snap_stages
                                  : make_snap_textbook;
  return make(device, steps, potential, rows);
}

#else

std::unique_ptr<SnapVariantMethod> make_snap_variant_method(const Device&, std::string_view name,
                                                            const atoms::snap::SnapPotential&,
                                                            const atoms::NeighbourRows&) {
  throw MachineError("SNAP by \"" + std::string(method_by_name(name).name) +
                     "\" needs a build with CUDA");
}

#endif

}  // namespace larmor::bench
