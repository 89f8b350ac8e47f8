#include "larmor/imports/uppasd/stages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "larmor/imports/uppasd/initial_state.hpp"
#include "larmor/imports/uppasd/measurements.hpp"
#include "larmor/imports/uppasd/three_waves.hpp"
#include "larmor/imports/uppasd/torque.hpp"
#include "larmor/imports/uppasd/wave_vectors.hpp"

namespace larmor::imports::uppasd {
namespace {

/// UppASD's defaults.
constexpr double usual_damping = 0.05, usual_timestep = 1e-16;
/// Temperature of Monte Carlo in place of 0, in units of the input: no move that raises the energy
/// is accepted.
constexpr double no_temperature = 1e-12;

struct Integrator {
  const char* name;
  const char* note;  ///< empty: the scheme of UppASD
};

Integrator integrator_of(const InputFile& input, const char* keyword) {
  const Index number = input.whole(keyword, 1);
  switch (number) {
    case 1:
      return {"semi-implicit", ""};
    case 2:
    case 3:
      return {"heun", "becomes Larmor's scheme of Heun, of the same order"};
    case 4:
      return {"heun",
              "becomes Larmor's scheme of Heun, whose predictor has spins of length 1. UppASD's "
              "predictor has not, so steps differ in the third order of the time step"};
    case 5:
      return {"depondt", ""};
    case 6:
    case 7:
      return {"midpoint", "becomes Larmor's implicit midpoint rule, of the same order"};
    default:
      input.find(keyword)->refuse("solver " + std::to_string(number) + " cannot be imported",
                                  "write 1 to 7; 5 is the solver of Depondt and Mertens");
  }
}

/// @param what "steps" @throws InputError unless it is a whole number of steps that a run can have
void require_count(double number, const std::string& what, const SourceMark& where) {
  constexpr double most = 1e12;
  if (number == std::round(number) && number <= most) return;
  throw InputError("the number of " + what + " is " + number_text(number), where.position(),
                   "give a whole number, at most 1e12");
}

class StageList {
 public:
  StageList(Value& study, const InputFile& input, const UppasdCrystal& crystal,
            const UppasdHamiltonian& hamiltonian, const Quantities& quantities,
            std::vector<std::string>& notes)
      : study_(study),
        input_(input),
        crystal_(crystal),
        hamiltonian_(hamiltonian),
        quantities_(quantities),
        notes_(notes),
        mode_(input.require("mode", "write `mode S` for dynamics, or M or H for Monte Carlo")),
        measurements_(input, crystal, quantities, terms(), notes) {}

  void write() {
    add_spin_waves();
    add_initial_phase();
    add_measurement_phase();
    const SourceMark where = stages_.front().source_mark();
    study_.set("stage", placed(Value(std::move(stages_)), where), where);
  }

 private:
  std::size_t terms() const {
    std::size_t count = 0;
    for (const char* key : {"exchange", "exchange-tensor", "dmi", "biquadratic", "anisotropy",
                            "cubic-anisotropy", "dipolar", "field"})
      if (const Value* tables = study_.find(key))
        count += tables->is_array() ? tables->as_array().size() : 1;
    return count;
  }

  static Value stage(const char* kind, const SourceMark& where) {
    Value made;
    made.mark(where);
    made.set("kind", placed(kind, where), where);
    return made;
  }

  /// Sets a key to a value of a keyword, or to UppASD's default at the place of the stage.
  void set(Value& stage, const char* key, Value value, const char* keyword) const {
    const Entry* const entry = input_.find(keyword);
    const SourceMark where = entry != nullptr ? entry->value_mark() : stage.source_mark();
    stage.set(key, placed(std::move(value), where), entry != nullptr ? entry->mark() : where);
  }

  // Spin waves.

  void add_spin_waves() {
    const bool asked = input_.flag("do_ams") || input_.flag("do_diamag");
    const bool density = input_.flag("do_magdos");
    const bool stiffness = input_.flag("do_stiffness");
    if (!asked && !density && !stiffness) return;
    const Entry& entry = *input_.find(asked     ? input_.flag("do_ams") ? "do_ams" : "do_diamag"
                                      : density ? "do_magdos"
                                                : "do_stiffness");
    if (crystal_.is_alloy)
      entry.refuse("spin waves of a random alloy cannot be imported",
                   "set " + entry.keyword() + " N");
    Value made = stage("spin-waves", entry.mark());
    if (asked) set_wave_vectors(made, read_wave_vectors(input_, crystal_));
    if (density || !asked) {
      Value::Array grid;
      for (const Index cells : crystal_.geometry.size) grid.emplace_back(cells);
      Value table;
      const SourceMark where = input_.find(density ? "do_magdos" : entry.keyword())->mark();
      table.mark(where);
      table.set("grid", placed(Value(std::move(grid)), where), where);
      if (input_.find("magdos_freq") != nullptr)
        set(table, "bins", input_.count("magdos_freq", 1), "magdos_freq");
      made.set("density_of_states", placed(std::move(table), where), where);
    }
    if (const Entry* asked_stiffness = input_.find("do_stiffness"))
      made.set("stiffness", placed(stiffness, asked_stiffness->value_mark()),
               asked_stiffness->mark());
    made.set("ground_state", state_of_momfile(crystal_, entry.mark()), entry.mark());
    stages_.push_back(std::move(made));
    notes_.emplace_back(
        quantities_.reduced
            ? "spin waves: UppASD's adiabatic magnons have E = 4 dJ/m with the g factor 2"
            : "spin waves: UppASD's adiabatic magnons have the g factor 2. Larmor has that of the "
              "electron, so its energies are larger by the factor 1.00116");
  }

  // Initial phase.

  void add_initial_phase() {
    const Entry* const ip_mode = input_.find("ip_mode");
    const char letter = ip_mode != nullptr ? ip_mode->letter() : 'N';
    if (letter == 'N') return;
    const bool has_more = ip_mode->word().size() > 1;
    if (!has_more && (letter == 'M' || letter == 'H')) return add_sweeps(*ip_mode);
    if (!has_more && letter == 'S') return add_steps();
    if (!has_more && letter == 'Y') return add_three_waves(*ip_mode);
    if (!has_more && letter == 'G') {
      Value made = stage("minimise", ip_mode->mark());
      if (input_.find("min_itrmax") != nullptr)
        set(made, "steps", input_.count("min_itrmax", 1), "min_itrmax");
      return stages_.push_back(std::move(made));
    }
    if (!has_more && (letter == 'Q' || letter == 'Z'))
      ip_mode->refuse("ip_mode " + ip_mode->word() +
                          " searches wave vectors for spirals of lowest energy, which cannot be "
                          "imported",
                      "give the spiral by Initmag 8, or use ip_mode Y for three spirals");
    ip_mode->refuse("ip_mode " + ip_mode->word() + " cannot be imported",
                    "write N, S (dynamics), M or H (Monte Carlo), or G (minimisation)");
  }

  /// The field of the initial phase minus the field of the Hamiltonian, which is that of the
  /// measurement phase.
  Vec3<double> excess_field() const {
    return input_.vector("ip_hfield", {0, 0, 0}) - input_.vector("hfield", {0, 0, 0});
  }

  void add_sweeps(const Entry& ip_mode) {
    struct Row {
      double sweeps, temperature;
      SourceMark where;
    };
    std::vector<Row> rows;
    const Entry* list = input_.find("ip_mcanneal");
    if (list == nullptr && input_.find("ip_mcnstep") == nullptr) list = input_.find("ip_nphase");
    if (list != nullptr) {
      for (const NumberRow& row : list->numbers_below(2, "sweeps temperature"))
        rows.push_back({row.numbers[0], row.numbers[1], row.mark});
    } else if (const Entry* steps = input_.find("ip_mcnstep")) {
      const Entry& temperature =
          input_.require("ip_temp", "write `ip_temp` with the temperature of the initial phase");
      rows.push_back({double(steps->count(0)), temperature.size(), steps->mark()});
    } else {
      notes_.push_back("ip_mode " + ip_mode.word() +
                       " has neither ip_mcanneal nor ip_mcnstep: there is no initial phase");
    }
    const Vec3<double> excess = excess_field();
    for (const Row& row : rows) {
      if (row.sweeps < 1) continue;
      require_count(row.sweeps, "sweeps", row.where);
      Value made = monte_carlo(ip_mode, row.temperature, row.where);
      const auto sweeps = static_cast<Index>(row.sweeps);
      made.set("thermalisation", placed(sweeps - 1, row.where), row.where);
      made.set("sweeps", placed(Index{1}, row.where), row.where);
      made.set("measure_every", placed(Index{1}, row.where), row.where);
      made.set("keep_configurations", placed(Index{0}, row.where), row.where);
      if (length(excess) > 0)
        made.set("added_field", placed(quantities_.fields(excess), place_of_field()),
                 place_of_field());
      stages_.push_back(std::move(made));
    }
  }

  SourceMark place_of_field() const {
    const Entry* const entry = input_.find("ip_hfield");
    return entry != nullptr ? entry->mark() : input_.find("hfield")->mark();
  }

  void add_steps() {
    const Entry* const list = input_.find("ip_nphase");
    if (list == nullptr) {
      notes_.emplace_back("ip_mode S has no ip_nphase: there is no initial phase");
      return;
    }
    const char* const solver = input_.find("ipsdealgh") != nullptr ? "ipsdealgh" : "sdealgh";
    for (const NumberRow& row : list->numbers_below(4, "steps temperature timestep damping")) {
      if (row.numbers[0] < 1) continue;
      require_count(row.numbers[0], "steps", row.mark);
      Value made = dynamics({solver, row.numbers[0], row.numbers[2], row.numbers[3], row.numbers[1],
                             row.mark, row.mark, row.mark, row.mark});
      made.mark(row.mark);
      const auto every = std::max<Index>(1, static_cast<Index>(row.numbers[0]) / 100);
      Value::Array measure;
      for (const char* what : {"energy", "magnetisation"}) {
        Value entry;
        entry.mark(row.mark);
        entry.set("what", placed(what, row.mark), row.mark);
        entry.set("every", placed(every, row.mark), row.mark);
        measure.push_back(std::move(entry));
      }
      made.set("measure", placed(Value(std::move(measure)), row.mark), row.mark);
      made.set("keep_configurations", placed(Index{0}, row.mark), row.mark);
      if (const Vec3<double> excess = excess_field(); length(excess) > 0) {
        Value pulse;
        pulse.mark(place_of_field());
        pulse.set("B", placed(quantities_.fields(excess), place_of_field()), place_of_field());
        pulse.set("shape", placed("constant", place_of_field()), place_of_field());
        made.set("pulse", placed(Value(Value::Array{std::move(pulse)}), place_of_field()),
                 place_of_field());
      }
      stages_.push_back(std::move(made));
    }
  }

  void add_three_waves(const Entry& ip_mode) {
    study_.set("initial", three_waves(input_, crystal_, hamiltonian_, ip_mode, quantities_, notes_),
               ip_mode.mark());
  }

  // Measurement phase.

  void add_measurement_phase() {
    const bool has_more = mode_.word().size() > 1;
    const char letter = mode_.letter();
    if (!has_more && letter == 'S') return add_dynamics();
    if (!has_more && (letter == 'M' || letter == 'H')) return add_monte_carlo();
    if (!has_more && letter == 'G') return add_path();
    if (!mode_.word().empty() && mode_.word() == "MODE")
      mode_.refuse("mode is 'MODE'", "the file is a template: write S, M or H in place of MODE");
    mode_.refuse("mode " + mode_.word() + " cannot be imported",
                 "write S (dynamics), M or H (Monte Carlo), or G (minimum-energy path)");
  }

  struct Course {
    const char* solver;  ///< keyword
    double steps, timestep, damping, temperature;
    SourceMark steps_at, timestep_at, damping_at, temperature_at;
  };

  Value dynamics(const Course& course) {
    Value made = stage("dynamics", course.steps_at);
    const Integrator integrator = integrator_of(input_, course.solver);
    set(made, "integrator", integrator.name, course.solver);
    if (*integrator.note != 0 && !noted_solver_) {
      noted_solver_ = true;
      notes_.push_back("SDEalgh " + std::to_string(input_.whole(course.solver, 1)) + " " +
                       integrator.note);
    }
    const auto refuse = [](const std::string& problem, const SourceMark& where,
                           const std::string& remedy) {
      throw InputError(problem, where.position(), remedy);
    };
    if (!(course.timestep > 0))
      refuse("the time step is not positive", course.timestep_at, "give it in seconds: 1e-16");
    if (course.damping < 0)
      refuse("the damping is negative", course.damping_at, "give a damping of at least 0");
    if (course.temperature < 0)
      refuse("the temperature is negative", course.temperature_at,
             "give a temperature of at least 0");
    made.set("timestep", placed(quantities_.time(course.timestep), course.timestep_at),
             course.timestep_at);
    made.set("steps", placed(static_cast<Index>(course.steps), course.steps_at), course.steps_at);
    made.set("damping", placed(course.damping, course.damping_at), course.damping_at);
    if (course.temperature > 0 && course.damping == 0) {
      notes_.emplace_back("a temperature has no effect without damping, as in UppASD");
    } else if (course.temperature > 0) {
      made.set("temperature",
               placed(quantities_.temperature(course.temperature), course.temperature_at),
               course.temperature_at);
    }
    return made;
  }

  SourceMark place(const char* keyword) const {
    const Entry* const entry = input_.find(keyword);
    return entry != nullptr ? entry->value_mark() : mode_.mark();
  }

  void add_dynamics() {
    const Entry* const nstep = input_.find("nstep");
    const Entry* const sweeps = input_.find("mcnstep");
    if (nstep == nullptr && sweeps == nullptr)
      mode_.refuse("mode S lacks Nstep", "write `Nstep` with the number of steps");
    const Entry& steps = nstep != nullptr ? *nstep : *sweeps;
    if (nstep == nullptr) notes_.emplace_back("mode S: mcNstep takes the place of Nstep");
    const Index all = steps.count(1);
    const double damping = input_.number("damping", usual_damping);
    const Index sampled = measurements_.steps_of_spectra(all);
    // S(q,w) has its own number of steps. A second stage goes on without it.
    for (const auto& [part, with_spectra] : {std::pair(sampled, true), {all - sampled, false}}) {
      if (part == 0) continue;
      Value made = dynamics({"sdealgh", double(part), input_.number("timestep", usual_timestep),
                             damping, input_.number("temp", 0), steps.value_mark(),
                             place("timestep"), place("damping"), place("temp")});
      made.mark(mode_.mark());
      set_torque(made, input_, crystal_, hamiltonian_.exchange, damping, quantities_, notes_);
      measurements_.set_dynamics(made, with_spectra ? 0 : sampled, part, with_spectra);
      stages_.push_back(std::move(made));
    }
    if (sampled > 0 && sampled < all)
      notes_.push_back("sc_nstep: S(q,w) has samples of the first " + std::to_string(sampled) +
                       " steps, in a stage of its own");
  }

  /// A stage of Monte Carlo. @param of ip_mode or mode
  Value monte_carlo(const Entry& of, double temperature, const SourceMark& where) {
    Value made = stage("monte-carlo", of.mark());
    made.set("sampler", placed(of.letter() == 'H' ? "heat-bath" : "metropolis", of.value_mark()),
             of.mark());
    if (temperature < 0)
      throw InputError("the temperature is negative", where.position(),
                       "give a temperature of at least 0");
    if (temperature == 0 && !noted_cold_) {
      noted_cold_ = true;
      notes_.emplace_back(
          "Monte Carlo at temperature 0 accepts no move that raises the energy: "
          "the temperature is 1e-12");
    }
    made.set(
        "temperature",
        placed(quantities_.temperature(temperature == 0 ? no_temperature : temperature), where),
        where);
    return made;
  }

  void add_monte_carlo() {
    const Entry& temp = input_.require("temp", "write `temp` with the temperature");
    const Entry* const mcnstep = input_.find("mcnstep");
    const Entry* const nstep = input_.find("nstep");
    if (mcnstep == nullptr && nstep == nullptr)
      mode_.refuse("mode " + mode_.word() + " lacks mcNstep",
                   "write `mcNstep` with the number of sweeps");
    const Entry& sweeps = mcnstep != nullptr ? *mcnstep : *nstep;
    if (mcnstep == nullptr)
      notes_.push_back("mode " + mode_.word() + ": Nstep takes the place of mcNstep");
    if (const Entry* stt = input_.find("stt"); stt != nullptr && stt->letter() != 'N')
      notes_.emplace_back("stt: Monte Carlo has no torques");
    Value made = monte_carlo(mode_, temp.number(), temp.value_mark());
    made.set("thermalisation", placed(Index{0}, sweeps.mark()), sweeps.mark());
    made.set("sweeps", placed(sweeps.count(1), sweeps.value_mark()), sweeps.mark());
    measurements_.set_monte_carlo(made, sweeps.count(1));
    stages_.push_back(std::move(made));
  }

  void add_path() {
    if (!input_.flag("do_gneb", true))
      mode_.refuse("mode G without do_gneb has nothing to compute",
                   "set do_gneb Y, or minimise by ip_mode G");
    if (const Index path = input_.whole("initpath", 1); path != 1)
      input_.find("initpath")
          ->refuse("initpath " + std::to_string(path) + " cannot be imported",
                   "write 1: the first guess turns each spin along a great circle");
    const Entry& last = input_.require(
        "momfile_f", "name the file with the directions of the last state by momfile_f");
    Value made = stage("minimum-energy-path", mode_.mark());
    made.set("final", state_of_file(input_, last, crystal_), last.mark());
    const Entry& images =
        input_.require("mensemble", "write `Mensemble` with the number of images of the path");
    made.set("images", placed(images.count(3), images.value_mark()), images.mark());
    made.set("climb", placed(input_.flag("do_gneb_ci"), place("do_gneb_ci")), place("do_gneb_ci"));
    const Entry* const ip_mode = input_.find("ip_mode");
    const bool relaxes = ip_mode != nullptr && ip_mode->letter() == 'G';
    made.set("relax", placed(relaxes, relaxes ? ip_mode->mark() : mode_.mark()), mode_.mark());
    if (input_.find("mep_itrmax") != nullptr)
      set(made, "steps", input_.count("mep_itrmax", 1), "mep_itrmax");
    if (input_.find("sample_num") != nullptr)
      set(made, "interpolation", input_.count("sample_num", 1), "sample_num");
    // The path relaxes its own ends.
    if (relaxes)
      std::erase_if(stages_, [](const Value& earlier) {
        return earlier.find("kind")->as_string() == "minimise";
      });
    stages_.push_back(std::move(made));
    notes_.emplace_back(
        "mode G: the tolerances mep_ftol are not taken over; Larmor's are 1e-6 of "
        "the largest |dH/de|");
  }

  Value& study_;
  const InputFile& input_;
  const UppasdCrystal& crystal_;
  const UppasdHamiltonian& hamiltonian_;
  const Quantities& quantities_;
  std::vector<std::string>& notes_;
  const Entry& mode_;
  Measurements measurements_;
  Value::Array stages_;
  bool noted_solver_ = false, noted_cold_ = false;
};

}  // namespace

void set_stages(Value& study, const InputFile& input, const UppasdCrystal& crystal,
                const UppasdHamiltonian& hamiltonian, const Quantities& quantities,
                std::vector<std::string>& notes) {
  StageList(study, input, crystal, hamiltonian, quantities, notes).write();
}

}  // namespace larmor::imports::uppasd
