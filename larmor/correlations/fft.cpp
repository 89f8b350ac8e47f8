#include <fftw3.h>
#include <omp.h>

#include <algorithm>

#include "larmor/core/error.hpp"
#include "larmor/core/fft_buffer.hpp"
#include "larmor/core/parallel.hpp"
#include "larmor/core/slots.hpp"
#include "larmor/correlations/transforms.hpp"

namespace larmor::correlations {

/// What one thread transforms in.
struct FftTransform::Workspace {
  Workspace(Index real_doubles, Index complex_doubles)
      : in(real_doubles), spectrum(complex_doubles) {}
  FftBuffer in, spectrum;
};

/// `fields` interleaved real fields at once: 24 of a block of replicas, 3 of a single one.
struct FftTransform::Plan {
  Plan(const std::array<Index, 3>& size, Index number_of_fields)
      : fields(number_of_fields),
        half_cells(size[2] * size[1] * (size[0] / 2 + 1)),
        real_doubles(size[0] * size[1] * size[2] * fields),
        complex_doubles(2 * half_cells * fields) {
    const int n[3] = {static_cast<int>(size[2]), static_cast<int>(size[1]),
                      static_cast<int>(size[0])};
    const FftBuffer in(real_doubles), out(complex_doubles);
    const int stride = static_cast<int>(fields);
    // Estimated, never measured: the same plan, hence the same bits, every time.
    plan = fftw_plan_many_dft_r2c(3, n, stride, in.data(), nullptr, stride, 1,
                                  reinterpret_cast<fftw_complex*>(out.data()), nullptr, stride, 1,
                                  FFTW_ESTIMATE);
    if (plan == nullptr) throw InternalError("FFTW made no plan");
  }
  ~Plan() { fftw_destroy_plan(plan); }

  void make_workspaces(std::size_t threads) {
    while (workspaces.size() < threads)
      workspaces.push_back(std::make_unique<Workspace>(real_doubles, complex_doubles));
  }

  Index fields, half_cells, real_doubles, complex_doubles;
  fftw_plan plan;
  std::vector<std::unique_ptr<Workspace>> workspaces;  ///< one a thread
};

FftTransform::FftTransform(const lattice::Geometry& geometry, const QList& q)
    : size_(geometry.size),
      basis_(static_cast<Index>(geometry.crystal.basis.size())),
      spectrum_(geometry, q) {}

double FftTransform::bytes(const lattice::Geometry& geometry, Index replicas, int threads) {
  const Index lanes = replicas > 1 ? lane_count : 1;
  const Index blocks = (replicas + lanes - 1) / lanes;
  const double fields = 3.0 * static_cast<double>(lanes);
  // Real fields and half of their spectra for every thread; once more while the plan is made.
  const auto workspaces = static_cast<double>(std::min<Index>(threads, blocks) + 1);
  return workspaces * fields * 2 * 8.0 * static_cast<double>(geometry.cells()) *
         (1 + 1.0 / static_cast<double>(geometry.size[0]));
}

FftTransform::~FftTransform() = default;

void FftTransform::transform(const StridedVectors& spins, int threads, std::complex<double>* out) {
  if (!plan_) plan_ = std::make_unique<Plan>(size_, 3 * spins.lanes);
  const Index blocks = (spins.replicas + spins.lanes - 1) / spins.lanes;
  const int team = static_cast<int>(std::min<Index>(threads, blocks));
  plan_->make_workspaces(static_cast<std::size_t>(team));
  parallel_for(team, blocks, [&](Index block) {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    transform_block(spins, block, *plan_->workspaces[thread], out);
  });
}

void FftTransform::transform_block(const StridedVectors& spins, Index block, Workspace& workspace,
                                   std::complex<double>* out) const {
  const Index fields = plan_->fields;
  double* in = workspace.in.data();
  auto* spectrum = reinterpret_cast<fftw_complex*>(workspace.spectrum.data());
  const auto* A = reinterpret_cast<const std::complex<double>*>(spectrum);
  const Index lanes = std::min(spins.lanes, spins.replicas - block * spins.lanes);
  for (Index b = 0; b < basis_; ++b) {
    for (Index position = 0; position < spins.sites; ++position) {
      const Index site = spins.canonical[position];
      if (site % basis_ != b) continue;
      double* cell = in + site / basis_ * fields;
      const double* e = spins.at(block * spins.lanes, position);
      for (Index a = 0; a < 3; ++a)
        for (Index lane = 0; lane < spins.lanes; ++lane)
          cell[a * spins.lanes + lane] = e[a * spins.component_stride + lane * spins.lane_stride];
    }
    fftw_execute_dft_r2c(plan_->plan, in, spectrum);
    for (std::size_t q = 0; q < spectrum_.entry.size(); ++q) {
      const std::complex<double> phase =
          spectrum_.basis_phase[q * static_cast<std::size_t>(basis_) + static_cast<std::size_t>(b)];
      for (Index lane = 0; lane < lanes; ++lane) {
        for (Index a = 0; a < 3; ++a) {
          std::complex<double> value =
              A[spectrum_.entry[q].index * fields + a * spins.lanes + lane];
          if (spectrum_.entry[q].conjugated) value = std::conj(value);
          std::complex<double>& sum =
              out[(static_cast<Index>(q) * spins.replicas + block * spins.lanes + lane) * 3 + a];
          sum = b == 0 ? phase * value : sum + phase * value;
        }
      }
    }
  }
}

Method chosen_method(const lattice::Geometry& geometry, const QList& q, Method method) {
  if (method != Method::automatic) return method;
  if (!geometry.is_lattice()) return Method::factorised;
  for (const Vec3<double>& k : q.q)
    if (!is_commensurate(geometry, k)) return Method::factorised;
  // The transform costs about as much as ten sums over the sites.
  return q.size() > 10 ? Method::fft : Method::factorised;
}

std::unique_ptr<AmplitudeTransform> make_transform(const lattice::Geometry& geometry,
                                                   const QList& q, Method method) {
  if (chosen_method(geometry, q, method) == Method::factorised)
    return std::make_unique<FactorisedTransform>(geometry, q);
  if (!geometry.is_lattice())
    throw InputError("an FFT needs a lattice, not plain positions", "use method = \"factorised\"");
  return std::make_unique<FftTransform>(geometry, q);
}

double transform_bytes(const lattice::Geometry& geometry, const QList& q, Method method,
                       Index replicas, int threads) {
  return chosen_method(geometry, q, method) == Method::fft
             ? FftTransform::bytes(geometry, replicas, threads)
             : FactorisedTransform::bytes(geometry, q, replicas);
}

}  // namespace larmor::correlations
