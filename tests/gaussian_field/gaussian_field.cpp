#include "tests/gaussian_field/gaussian_field.hpp"

#include <cmath>
#include <cstring>

#include "larmor/core/maths/philox.hpp"
#include "larmor/study/input/study.hpp"
#include "larmor/study/measurements/series.hpp"
#include "larmor/study/model_kind/model_kind.hpp"
#include "larmor/study/sampling/anneal.hpp"
#include "larmor/study/sampling/monte_carlo.hpp"

namespace larmor::testing_support {
namespace {

using namespace study;

/// A stream of random numbers that the program does not use.
constexpr auto own_stream = static_cast<Stream>(200);

struct RingTable {
  static constexpr const char* name = "ring";
  static constexpr const char* doc = "how many sites there are";
  Index sites = 0;
  static FieldTable<RingTable> fields() {
    return FieldTable<RingTable>()
        .required("sites", &RingTable::sites, Dimension::none, "sites of the ring")
        .at_least(3);
  }
};

struct StiffnessTable {
  static constexpr const char* name = "stiffness";
  static constexpr const char* doc = "the Hamiltonian";
  double mass = 1;
  double K = 1;
  static FieldTable<StiffnessTable> fields() {
    return FieldTable<StiffnessTable>()
        .optional("mass", &StiffnessTable::mass, Dimension::none, "m")
        .positive()
        .optional("K", &StiffnessTable::K, Dimension::none, "between neighbours")
        .at_least(0);
  }
};

struct FieldTables : ModelTables {
  static constexpr const char* name = "";
  RingTable ring;
  StiffnessTable stiffness;
  ReadContext context;
  static FieldTable<FieldTables> fields() {
    return FieldTable<FieldTables>()
        .required("ring", &FieldTables::ring, Dimension::none, RingTable::doc)
        .optional("stiffness", &FieldTables::stiffness, Dimension::none, StiffnessTable::doc);
  }
  std::vector<std::pair<std::string, Value>> completed() const override {
    return completed_entries(*this, context);
  }
  std::vector<std::string> files() const override { return {}; }
  std::unique_ptr<Blueprint> blueprint() const override;
};

SystemSize size_of_ring(Index sites) {
  return {sites, sites, nullptr, sizeof(float) * static_cast<double>(sites)};
}

/// The numbers of a field are floats, which checkpoints must not convert to doubles.
struct FieldSystem : System {
  FieldSystem(const FieldTables& tables, const SystemChoice& choice)
      : System(choice.device),
        sites(tables.ring.sites),
        mass(tables.stiffness.mass),
        K(tables.stiffness.K),
        replicas(choice.replicas),
        phi(static_cast<std::size_t>(sites * replicas.count)) {}

  SystemSize size() const override { return size_of_ring(sites); }
  void begin(const Study& study) override {
    seed = study.seed;
    for (Index r = 0; r < replicas.count; ++r)
      for (Index i = 0; i < sites; ++i) at(r, i) = static_cast<float>(normal(r, i));
    ++step;
  }
  Blocks save(const Ranks& ranks) const override {
    std::vector<std::byte> bytes(phi.size() * sizeof(float));
    std::memcpy(bytes.data(), phi.data(), bytes.size());
    return {{"phi", ranks.joined(bytes)}, {"seed", std::vector<std::uint64_t>{seed}}};
  }
  void load(const Blocks& blocks, const Ranks& ranks) override {
    const std::vector<std::byte> own =
        ranks.own_of(block<std::byte>(blocks, "phi"), ranks.replicas(),
                     sites * static_cast<Index>(sizeof(float)));
    std::memcpy(phi.data(), own.data(), own.size());
    seed = block<std::uint64_t>(blocks, "seed").at(0);
  }
  Index saved_side_by_side(const std::string& block) const override {
    return block == "seed" ? 0 : 1;
  }
  void require_finite() const override {
    for (const float x : phi)
      if (!std::isfinite(x)) throw UnphysicalError("phi is not finite");
  }
  io::DataArray configurations(Index count, const Ranks& ranks) const override {
    std::vector<double> own;
    for (Index r = 0; r < replicas.count && replicas.first + r < count; ++r)
      for (Index i = 0; i < sites; ++i) own.push_back(phi[static_cast<std::size_t>(r * sites + i)]);
    own = ranks.joined(std::move(own));
    const Index here = static_cast<Index>(own.size()) / sites;
    return {std::move(own), {here, sites}};
  }
  void write_model(const Study&, io::ResultsFile& results) const override {
    results.set_attribute("/model", "mass", mass);
  }
  std::vector<std::string> plan(const Study&) const override {
    return {"ring      " + std::to_string(sites) + " sites"};
  }

  float& at(Index r, Index i) { return phi[static_cast<std::size_t>(r * sites + i)]; }
  /// The standard normal number of a site for this step.
  double normal(Index r, Index i) const {
    const RandomKey key{seed, step, own_stream, static_cast<std::uint64_t>(replicas.first)};
    const auto words =
        philox<std::uint64_t>(key, static_cast<std::uint64_t>(i), static_cast<std::uint64_t>(r));
    const double u = uniform_32<double>(words.w[0]), v = uniform_32<double>(words.w[1]);
    return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v);
  }

  Index sites;
  double mass, K;
  ReplicaShare replicas;
  std::uint64_t seed = 0;
  std::vector<float> phi;  ///< (replica, site)
};

FieldSystem& field_of(const Simulation& simulation) {
  return dynamic_cast<FieldSystem&>(simulation.system);
}

class FieldBlueprint : public Blueprint {
 public:
  explicit FieldBlueprint(const FieldTables& tables) : tables_(tables) {}
  SystemSize size() const override { return size_of_ring(tables_.ring.sites); }
  SystemBytes bytes(const Device& device, Index replicas, Index) const override {
    if (device.backend != Backend::cpu)
      throw InputError("a gaussian-field has no kernels for GPUs", "use backend = \"cpu\"");
    const double bytes_of_all = size().configuration_bytes * static_cast<double>(replicas);
    return {bytes_of_all, 0, bytes_of_all, bytes_of_all};
  }
  std::unique_ptr<System> make(const SystemChoice& choice) const override {
    return std::make_unique<FieldSystem>(tables_, choice);
  }

 private:
  const FieldTables& tables_;
};

std::unique_ptr<Blueprint> FieldTables::blueprint() const {
  return std::make_unique<FieldBlueprint>(*this);
}

struct FieldSamplerKeys {};

/// A heat-bath sampler. It draws each number from its distribution for given neighbours.
class FieldEnsemble : public Ensemble {
 public:
  explicit FieldEnsemble(FieldSystem& system) : system_(system) {}

  const OrderParameter& order_parameter() const override {
    static const OrderParameter order{"mean_field", "", 1, 1, ""};
    return order;
  }
  io::DataArray configuration(Index replica) const override {
    const auto first = system_.phi.begin() + replica * system_.sites;
    return std::vector<double>(first, first + system_.sites);
  }
  void copy_replicas(std::span<const ReplicaCopy> copies) override {
    larmor::copy_replicas(system_.device, system_.phi.data(), {system_.sites}, copies);
  }
  void set_temperatures(const std::vector<double>& thermal_energy) override {
    beta_.clear();
    for (const double kT : thermal_energy) beta_.push_back(1 / kT);
  }
  void run(Index sweeps) override {
    FieldSystem& s = system_;
    const double strength = s.mass * s.mass + 2 * s.K;
    for (Index sweep = 0; sweep < sweeps; ++sweep, ++s.step)
      for (Index r = 0; r < s.replicas.count; ++r) {
        const double width = std::sqrt(1 / (beta_[static_cast<std::size_t>(r)] * strength));
        for (Index i = 0; i < s.sites; ++i) {
          const double near = s.at(r, (i + 1) % s.sites) + s.at(r, (i + s.sites - 1) % s.sites);
          s.at(r, i) = static_cast<float>(s.K * near / strength + width * s.normal(r, i));
        }
      }
    tuned_ += static_cast<double>(sweeps);
  }
  bool tune(Index sweeps) override {
    run(sweeps);
    return true;
  }
  void reset_acceptance() override { tuned_ = 0; }
  std::vector<SamplerNumber> sampler_numbers() const override {
    return {{"sweeps_counted", "",
             std::vector<double>(static_cast<std::size_t>(system_.replicas.count), tuned_)}};
  }
  std::vector<Pending> begin_measuring() const override {
    FieldSystem& s = system_;
    std::vector<double> energy = energies(), order;
    for (Index r = 0; r < s.replicas.count; ++r) {
      energy[static_cast<std::size_t>(r)] /= static_cast<double>(s.sites);
      double sum = 0;
      for (Index i = 0; i < s.sites; ++i) sum += s.at(r, i);
      order.push_back(sum / static_cast<double>(s.sites));
    }
    std::vector<Pending> parts;
    parts.emplace_back(std::move(energy));
    parts.emplace_back(std::move(order));
    return parts;
  }
  EnsembleSample finish_measuring(std::vector<std::vector<double>> numbers) const override {
    return {std::move(numbers[0]), std::move(numbers[1])};
  }
  /// The sampler has no tuned values and no counts for each temperature.
  ExchangeView exchange_view() override {
    energy_ = energies();
    ExchangeView view;
    view.energy = energy_.data();
    view.beta = beta_.data();
    return view;
  }
  void save(StageMemory& memory, const Ranks&) const override {
    memory.numbers["counted"] = {tuned_};
  }
  void load(const StageMemory& memory, const Ranks&) override {
    tuned_ = memory.number("counted").at(0);
  }

 private:
  /// Energies of whole replicas.
  std::vector<double> energies() const {
    FieldSystem& s = system_;
    std::vector<double> energy;
    for (Index r = 0; r < s.replicas.count; ++r) {
      double e = 0;
      for (Index i = 0; i < s.sites; ++i) {
        const double x = s.at(r, i), step = s.at(r, (i + 1) % s.sites) - x;
        e += 0.5 * (s.mass * s.mass * x * x + s.K * step * step);
      }
      energy.push_back(e);
    }
    return energy;
  }

  FieldSystem& system_;
  std::vector<double> beta_;    ///< 1 / k_B T of each replica
  std::vector<double> energy_;  ///< energies for exchange_view
  double tuned_ = 0;
};

class FieldSampler : public SamplerChoice {
 public:
  std::string description() const override { return "heat bath"; }
  std::unique_ptr<Ensemble> make(const Simulation& simulation) const override {
    return std::make_unique<FieldEnsemble>(field_of(simulation));
  }
};

/// The mean square of phi_{i+1} - phi_i.
class Roughness : public SeriesMeasurement {
 public:
  explicit Roughness(const MeasureContext& context)
      : SeriesMeasurement("roughness", "roughness", std::nullopt, context) {}

 protected:
  Index numbers(const Sizing&) const override { return 1; }
  std::vector<Observable> observables(const Simulation& simulation) const override {
    return {{"roughness", "", 1, [&s = field_of(simulation)] {
               std::vector<double> squares;
               for (Index r = 0; r < s.replicas.count; ++r) {
                 double sum = 0;
                 for (Index i = 0; i < s.sites; ++i) {
                   const double step = s.at(r, (i + 1) % s.sites) - s.at(r, i);
                   sum += step * step;
                 }
                 squares.push_back(sum / static_cast<double>(s.sites));
               }
               return Pending(std::move(squares));
             }}};
  }
};

std::unique_ptr<Measurement> make_roughness(const Value&, const MeasureContext& context) {
  return std::make_unique<Roughness>(context);
}

struct FieldSampling {
  using SamplerKeys = FieldSamplerKeys;
  static const MeasureList<MeasureContext>& measured() {
    static const MeasureList<MeasureContext> list{
        {{"energy", "per site"}, {"mean_field", "of phi"}},
        {{{"roughness", "the mean square of steps"}, make_roughness}}};
    return list;
  }
  static std::vector<Value> usual_measurements() { return {"energy"}; }
  template <class Table>
  static FieldTable<Table>& add_sampler_fields(FieldTable<Table>& table) {
    return table;
  }
  static std::unique_ptr<SamplerChoice> sampler(const FieldSamplerKeys&, const ReadContext&) {
    return GaussianField::sampler();
  }
};

}  // namespace

std::vector<FieldInfo> GaussianField::keys() const { return describe<FieldTables>(); }

std::vector<TableInfo> GaussianField::tables() const {
  return {{RingTable::name, RingTable::doc, describe<RingTable>()},
          {StiffnessTable::name, StiffnessTable::doc, describe<StiffnessTable>()}};
}

const std::vector<StageType>& GaussianField::stages() const {
  static const std::vector<StageType> stages{stage_type<AnnealStageOf<FieldSampling>>(),
                                             stage_type<MonteCarloStageOf<FieldSampling>>()};
  return stages;
}

std::unique_ptr<SamplerChoice> GaussianField::sampler() { return std::make_unique<FieldSampler>(); }

std::shared_ptr<const ModelTables> GaussianField::read(const Value& document,
                                                       const ModelContext& context) const {
  auto tables = std::make_shared<FieldTables>(larmor::read<FieldTables>(document, context.read));
  tables->context = context.read;
  return tables;
}

}  // namespace larmor::testing_support
