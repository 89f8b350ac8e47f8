#include "larmor/study/models/phi4/system/phi4_system.hpp"

#include <fmt/core.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "larmor/study/input/study.hpp"

namespace larmor::study {
namespace {

Index sites_of(const Phi4Tables& tables) { return checked_sites(tables.lattice.grid()); }

SystemSize size_of(const Phi4Tables& tables) {
  const Index sites = sites_of(tables);
  return {sites, sites, nullptr,
          static_cast<double>(sizeof(float)) * static_cast<double>(sites) *
              static_cast<double>(tables.phi4.components)};
}

}  // namespace

Phi4System::Phi4System(const Phi4Tables& from, const SystemChoice& choice)
    : System(choice.device),
      tables(from),
      lambda(from.phi4.lambda_number()),
      model(from.lattice.grid(), static_cast<int>(from.phi4.components), choice.replicas,
            choice.device),
      state(model, step),
      sums(model) {
  std::vector<double> kappa;
  for (Index r = 0; r < choice.replicas.count; ++r)
    kappa.push_back(tables.kappa_of(choice.replicas.first + r));
  model.set_couplings(kappa, std::vector<double>(kappa.size(), lambda));
}

SystemSize Phi4System::size() const { return size_of(tables); }

void Phi4System::begin(const Study& study) {
  if (tables.initial.state == "random") return state.randomise(study.seed);
  state.align();
}

std::vector<float> Phi4System::joined_fields(Index count, const Ranks& ranks) const {
  const ReplicaShare& share = model.replicas();
  const std::vector<float> own =
      state.fields(std::clamp(count - share.first, Index{0}, share.count));
  std::vector<std::byte> bytes(own.size() * sizeof(float));
  std::memcpy(bytes.data(), own.data(), bytes.size());
  bytes = ranks.joined(bytes);
  std::vector<float> all(bytes.size() / sizeof(float));
  std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

Blocks Phi4System::save(const Ranks& ranks) const {
  const std::vector<float> all = joined_fields(model.replicas().all, ranks);
  std::vector<std::byte> bytes(all.size() * sizeof(float));
  std::memcpy(bytes.data(), all.data(), bytes.size());
  return {{"fields", std::move(bytes)}};
}

void Phi4System::load(const Blocks& blocks, const Ranks& ranks) {
  const std::vector<std::byte> own =
      ranks.own_of(block<std::byte>(blocks, "fields"), ranks.replicas(),
                   model.sites() * model.components() * static_cast<Index>(sizeof(float)));
  std::vector<float> fields(own.size() / sizeof(float));
  std::memcpy(fields.data(), own.data(), own.size());
  state.load(fields);
}

void Phi4System::require_finite() const {
  for (const float x : state.fields(model.replicas().count))
    if (!std::isfinite(x)) throw UnphysicalError("a field is not finite");
}

io::DataArray Phi4System::configurations(Index count, const Ranks& ranks) const {
  std::vector<float> all = joined_fields(count, ranks);
  const Index N = model.components(), here = std::ssize(all) / (model.sites() * N);
  return {std::move(all), {here, model.sites(), N}};
}

std::vector<LiveArray> Phi4System::live_arrays() const {
  return {{"phi", "", "replica, site, component", true}};
}

io::DataArray Phi4System::live_array(const std::string&) {
  const Index count = model.replicas().count;
  return {state.fields(count), {count, model.sites(), model.components()}};
}

MemoryView Phi4System::live_view(const std::string&) {
  const Index sites = model.sites(), N = model.components();
  return {
      state.view().field, true, {model.replicas().count, sites, N}, {N * sites, 1, sites}, device};
}

void Phi4System::write_model(const Study& study, io::ResultsFile& results) const {
  const clusters::RegularGrid& grid = model.grid();
  results.write("/model/size", std::vector<std::int64_t>(grid.lengths.begin(), grid.lengths.end()));
  results.write("/model/periodic", grid.periodic);
  std::vector<double> kappa;
  for (Index r = 0; r < study.replicas; ++r) kappa.push_back(tables.kappa_of(r));
  results.write("/model/kappa", std::move(kappa));
  results.set_attribute("/model", "lambda", lambda);
  results.set_attribute("/model", "components", Index{model.components()});
  results.set_attribute("/model", "dimensions", std::ssize(grid.lengths));
  // For reweighting: S = kappa E + .., where E is -2 times the sum of phi_i.phi_j over bonds. The
  // series `bond` is the mean of phi_i.phi_j over bonds.
  results.set_attribute("/model", "coupling", "kappa");
  results.set_attribute("/model", "coupling_key", "phi4.kappa");
  results.set_attribute("/model", "conjugate", "bond");
  results.set_attribute("/model", "conjugate_measure", "moments");
  results.set_attribute("/model", "conjugate_scale", -2.0 * static_cast<double>(model.bonds()));
  results.set_attribute("/model", "exponent", "action");
  results.set_attribute("/model", "energy_unit", "");
}

std::vector<std::string> Phi4System::plan(const Study&) const {
  std::string size, boundary, kappa;
  const clusters::RegularGrid& grid = model.grid();
  for (std::size_t axis = 0; axis < grid.lengths.size(); ++axis) {
    size += fmt::format("{}{}", axis > 0 ? " x " : "", grid.lengths[axis]);
    boundary +=
        fmt::format("{}{}", axis > 0 ? ", " : "", grid.periodic[axis] ? "periodic" : "open");
  }
  for (const double of_rung : tables.phi4.kappa)
    kappa += (kappa.empty() ? "" : ", ") + number_text(of_rung);
  return {
      fmt::format("lattice   {} ({}), {} sites", size, boundary, model.sites()),
      fmt::format("model     O({}) phi^4, kappa {}, lambda {}; {} colours", model.components(),
                  kappa, std::isinf(lambda) ? "infinity" : number_text(lambda), model.colours())};
}

double Phi4System::table_bytes() const {
  return phi4::model_bytes(device, static_cast<double>(model.sites()));
}

SystemSize Phi4Blueprint::size() const { return size_of(tables_); }

SystemBytes Phi4Blueprint::bytes(const Device& device, Index replicas, Index) const {
  const SystemSize system = size_of(tables_);
  const auto sites = static_cast<double>(system.sites);
  SystemBytes bytes;
  bytes.state = bytes.saved = system.configuration_bytes * static_cast<double>(replicas);
  // During saving, the host has the fields in both orders. A model on a GPU is made from lists of
  // sites by colour, and from one list that joins them.
  bytes.host = 4 * bytes.saved + 4 * phi4::model_bytes(device, sites);
  return bytes;
}

std::unique_ptr<System> Phi4Blueprint::make(const SystemChoice& choice) const {
  return std::make_unique<Phi4System>(tables_, choice);
}

Phi4System& phi4_system(const Simulation& simulation) {
  auto* const system = dynamic_cast<Phi4System*>(&simulation.system);
  if (system == nullptr) throw InternalError("the system has no phi^4 fields");
  return *system;
}

}  // namespace larmor::study
