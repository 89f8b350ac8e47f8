#pragma once
// The list of all Hamiltonian terms. A new term needs a header and a source in this folder, and one
// entry here.

#include <tuple>

#include "larmor/spins/terms/anisotropy.hpp"
#include "larmor/spins/terms/biquadratic.hpp"
#include "larmor/spins/terms/cubic_anisotropy.hpp"
#include "larmor/spins/terms/dipolar.hpp"
#include "larmor/spins/terms/dmi.hpp"
#include "larmor/spins/terms/exchange.hpp"
#include "larmor/spins/terms/exchange_tensor.hpp"
#include "larmor/spins/terms/field.hpp"
#include "larmor/spins/terms/kitaev.hpp"
#include "larmor/spins/terms/local_field.hpp"
#include "larmor/spins/terms/random_field.hpp"

namespace larmor::spins {

using Terms = std::tuple<Exchange, TensorExchange, Dmi, Kitaev, Biquadratic, UniaxialAnisotropy,
                         CubicAnisotropy, ZeemanField, LocalField, RandomField, Dipolar>;

}  // namespace larmor::spins
