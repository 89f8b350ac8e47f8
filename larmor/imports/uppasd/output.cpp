#include "larmor/imports/uppasd/output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <utility>

#include "larmor/imports/uppasd/cumulants.hpp"
#include "larmor/imports/uppasd/fortran_text.hpp"
#include "larmor/imports/uppasd/measurement_phase.hpp"
#include "larmor/imports/uppasd/output_energies.hpp"
#include "larmor/imports/uppasd/output_keywords.hpp"
#include "larmor/imports/uppasd/spectrum_output.hpp"
#include "larmor/imports/uppasd/uppasd.hpp"
#include "larmor/io/results/results_model.hpp"

namespace larmor::imports {
namespace uppasd {
namespace {

/// Smaller variances are rounding.
constexpr double least_variance = 1e-14;
/// Columns of a number of steps.
constexpr std::size_t step_columns = 8;

/// A row of numbers behind the step.
std::string numbers_text(const std::vector<double>& numbers) {
  std::string text;
  for (const double number : numbers) text += es_text(number);
  return text;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// The vector of a row of a replica.
Vec3<double> vector_at(const PhaseSeries& series, std::size_t row, Index replica) {
  return {series.at(row, replica, 0), series.at(row, replica, 1), series.at(row, replica, 2)};
}

/// Writes the files of one run.
class OutputWriter {
 public:
  OutputWriter(const OutputKeywords& input, const io::ResultsReader& results, std::string folder,
               io::IfExists if_exists, UppasdOutput::Written& written)
      : input_(input),
        phase_(results),
        folder_(std::move(folder)),
        if_exists_(if_exists),
        written_(written),
        magnetisation_(phase_.series("magnetisation")),
        geometry_(io::read_geometry(results)) {
    for (Index site = 0; site < geometry_.sites(); ++site)
      if (geometry_.moment(site) != 0) sites_.push_back(site);
  }

  void write() {
    if (input_.averages) write_averages();
    const OutputEnergies energies(phase_, input_.tensor);
    if (input_.cumulants) write_cumulants(energies);
    if (input_.energies) write_energies(energies);
    if (input_.charge) write_charge();
    if (!input_.spectrum.empty()) write_structure_factor();
    if (input_.frames) write_frames();
    if (!input_.atoms.empty()) write_trajectories();
    write_restart();
  }

 private:
  io::WholeFile open(const std::string& name) {
    const std::string path = (std::filesystem::path(folder_) / name).string();
    written_.paths.push_back(path);
    return io::WholeFile(path, if_exists_);
  }

  void note(const std::string& text) { written_.notes.push_back("--uppasd-output: " + text); }

  /// The step of the whole calculation.
  Index counted(Index step) const { return step + input_.first_step; }
  double seconds(Index step) const {
    return static_cast<double>(counted(step)) * phase_.timestep();
  }

  /// The beginning of a row of averages and energies.
  std::string step_text(Index step) const {
    return input_.in_time ? es_text(seconds(step), 12, 4) : i_text(counted(step), step_columns);
  }

  /// Rows of a series at multiples of `every`. Notes rows that the series lacks.
  std::vector<std::size_t> rows_at(const std::vector<Index>& steps, Index every,
                                   const std::string& file) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < steps.size(); ++row)
      if (steps[row] % every == 0) rows.push_back(row);
    const Index wanted = phase_.steps() / every;
    if (std::ssize(rows) < wanted)
      note(
          fmt::format("{} has {} samples in place of {}, because the results hold none of the "
                      "other steps",
                      file, rows.size(), wanted));
    return rows;
  }

  void write_averages() {
    io::WholeFile file = open(input_.name("averages"));
    std::string header = input_.in_time ? right("Time[s]", 12) : right("#Iter", step_columns);
    for (const char* word : {"<M>_x", "<M>_y", "<M>_z", "<M>", "M_{stdv}"})
      header += right(word, 16);
    file.write(header + "\n");
    for (const std::size_t row :
         rows_at(magnetisation_.step, input_.averages_every, input_.name("averages"))) {
      Vec3<double> M{0, 0, 0};
      double size = 0, square = 0;
      const auto replicas = static_cast<double>(magnetisation_.replicas);
      for (Index k = 0; k < magnetisation_.replicas; ++k) {
        const Vec3<double> of_replica = vector_at(magnetisation_, row, k);
        const double length_of_it = length(of_replica);
        M += of_replica;
        size += length_of_it;
        square += length_of_it * length_of_it;
      }
      size /= replicas;
      const double variance = square / replicas - size * size;
      file.write(step_text(magnetisation_.step[row]) +
                 numbers_text({M.x / replicas, M.y / replicas, M.z / replicas, size,
                               variance < least_variance ? 0 : std::sqrt(variance)}) +
                 "\n");
    }
    file.finish();
  }

  void write_cumulants(const OutputEnergies& energies) {
    io::WholeFile file = open(input_.name("cumulants"));
    std::string header = right("#Iter", step_columns);
    for (const char* word : {"<M>", "<M^2>", "<M^4>", "U_{Binder}", "\\chi", "C_v(tot)", "<E>",
                             "<E_{exc}>", "<E_{lsf}>"})
      header += right(word, 16);
    file.write(header + "\n");
    Cumulants sums;
    const bool with_energy = input_.energies && !energies.steps().empty();
    const auto atoms = static_cast<double>(sites_.size());
    const double T = phase_.temperature();
    const bool reduced = phase_.is_reduced();
    Index sample = 0;
    std::string json;
    for (const std::size_t row :
         rows_at(magnetisation_.step, input_.cumulants_every, input_.name("cumulants"))) {
      if (magnetisation_.step[row] == 0) continue;
      for (Index k = 0; k < magnetisation_.replicas; ++k)
        sums.add(length(vector_at(magnetisation_, row, k)),
                 with_energy ? energies.energy(row, k) : 0,
                 with_energy && !input_.tensor ? energies.column(0, row, k) : 0);
      ++sample;
      if ((sample - 1) % input_.cumulants_buffer != 0) continue;
      const double chi = sums.susceptibility(T, atoms, reduced),
                   C = with_energy ? sums.specific_heat(T, atoms, reduced) : 0;
      file.write(i_text(sample, step_columns) +
                 numbers_text({sums.M(), sums.M2(), sums.M4(), sums.binder(), chi, C, sums.energy(),
                               sums.exchange(), 0}) +
                 "\n");
      json = cumulants_json(sums, T, chi, C);
    }
    file.finish();
    if (json.empty()) return;
    io::WholeFile as_json = open(input_.json_name());
    as_json.write(json);
    as_json.finish();
  }

  std::string cumulants_json(const Cumulants& sums, double T, double chi, double C) const {
    const auto number = [](double value) { return f_text(value, 16, 8); };
    std::string charge = " null ,", spread = " null ,";
    if (input_.charge) {
      const ChargeSums all = charge_sums(phase_.series("topological_charge"));
      charge = number(all.average) + " ,";
      spread = number(std::sqrt(all.variance)) + " ,";
    }
    return fmt::format(
        "{{\n    \"temperature\"     : {} ,\n    \"magnetization\"   : {} ,\n    "
        "\"binder_cumulant\" : {} ,\n    \"energy\"          : {},\n    \"skyrmion_num\"    : {}\n "
        " "
        "  \"skyrmion_std\"    : {}\n    \"susceptibility\"  : {} ,\n    \"specific_heat\"   : "
        "{}\n}}\n",
        number(T), number(sums.M()), number(sums.binder()),
        sums.energy() != 0 ? number(sums.energy()) + " " : " null ", charge, spread, number(chi),
        number(C));
  }

  void write_energies(const OutputEnergies& energies) {
    // UppASD measures energies with the averages, and not after the last step.
    std::vector<std::size_t> rows =
        rows_at(energies.steps(), input_.averages_every, input_.name("totenergy"));
    if (!input_.is_monte_carlo())
      std::erase_if(rows, [&](std::size_t row) { return energies.steps()[row] >= phase_.steps(); });
    if (!energies.are_known())
      note("terms of the energy are NaN, because the results hold only their sum");
    write_energy_file("totenergy", energies, rows,
                      [](const std::vector<double>& values) { return mean(values); });
    if (energies.replicas() < 2) return;
    // UppASD prints the variance, and converts it to mRy as if it were an energy.
    const double unit = phase_.is_reduced() ? 1 : mu_B_SI / mRy_SI;
    write_energy_file("stdenergy", energies, rows, [unit](const std::vector<double>& values) {
      const double average = mean(values);
      double squares = 0;
      for (const double value : values) squares += (value - average) * (value - average);
      return squares / static_cast<double>(values.size() - 1) / unit;
    });
  }

  void write_energy_file(const std::string& kind, const OutputEnergies& energies,
                         const std::vector<std::size_t>& rows,
                         const std::function<double(const std::vector<double>&)>& of_replicas) {
    io::WholeFile file = open(input_.name(kind));
    const std::size_t width = input_.tensor ? 16 : 20;
    std::string header = right(input_.in_time ? "#Time" : "#Iter", step_columns);
    header += right("Tot", width);
    for (const EnergyColumn& column : energies.columns()) header += right(column.word, width);
    file.write(header + "\n");
    const Index replicas = energies.replicas();
    std::vector<double> values(static_cast<std::size_t>(replicas));
    for (const std::size_t row : rows) {
      const auto over_replicas = [&](const auto& value) {
        for (Index k = 0; k < replicas; ++k) values[static_cast<std::size_t>(k)] = value(k);
        return of_replicas(values);
      };
      std::vector<double> numbers{over_replicas([&](Index k) { return energies.energy(row, k); })};
      for (std::size_t c = 0; c < energies.columns().size(); ++c)
        numbers.push_back(over_replicas([&](Index k) { return energies.column(c, row, k); }));
      file.write(step_text(energies.steps()[row]) + numbers_text(numbers) + "\n");
    }
    file.finish();
  }

  struct ChargeSums {
    double average = 0;
    double variance = 0;  ///< sum of squared deviations, as UppASD stores it
    Index count = 0;

    void add(double charge) {
      const double before = average;
      average += (charge - before) / static_cast<double>(++count);
      variance += (charge - before) * (charge - average);
    }
  };

  static double mean_charge(const PhaseSeries& series, std::size_t row) {
    double sum = 0;
    for (Index k = 0; k < series.replicas; ++k) sum += series.at(row, k);
    return sum / static_cast<double>(series.replicas);
  }

  static ChargeSums charge_sums(const PhaseSeries& series) {
    ChargeSums sums;
    for (std::size_t row = 0; row < series.step.size(); ++row) sums.add(mean_charge(series, row));
    return sums;
  }

  void write_charge() {
    const PhaseSeries series = phase_.series("topological_charge");
    io::WholeFile file = open(input_.name("sknumber"));
    file.write(input_.in_time ? "         Time[s]" : "  # Iter");
    file.write("     Skx num     Skx avg     Skx std\n");
    ChargeSums sums;
    for (const std::size_t row :
         rows_at(series.step, input_.charge_every, input_.name("sknumber"))) {
      const double charge = mean_charge(series, row);
      sums.add(charge);
      std::string text = input_.in_time ? es_text(seconds(series.step[row]), 16, 6)
                                        : i_text(counted(series.step[row]), step_columns);
      text += "  ";
      for (const double number :
           {charge, sums.average, sums.variance / static_cast<double>(sums.count)})
        text += f_text(number, 16, 8);
      file.write(text + "\n");
    }
    file.finish();
  }

  void write_structure_factor() {
    SpectrumSettings settings;
    settings.group = phase_.structure_factor(input_.spectrum);
    settings.moment = geometry_.moment(sites_.front());
    settings.atoms = std::ssize(sites_);
    const std::string name = input_.name("sqw");
    if (settings.group.empty()) return note(name + " is not written, because S(q,w) is missing");
    for (const Index site : sites_)
      if (geometry_.moment(site) != settings.moment)
        return note(name +
                    " is not written: S(q,w) of the results has unit vectors, and the moments of "
                    "the atoms differ");
    const io::Attributes attributes = phase_.results().attributes(settings.group);
    const Index times = phase_.results().shape(settings.group + "/time")[0];
    settings.samples =
        input_.file.find("sc_nstep") != nullptr ? input_.file.count("sc_nstep", 1) : times - 1;
    settings.every = input_.file.count("sc_step", 1);
    if (input_.file.find("sc_emax") != nullptr && input_.file.find("sc_eres") != nullptr) {
      // The numbers that the study got from the two energies.
      settings.samples = times - 1;
      settings.every = phase_.steps() / std::max<Index>(1, times - 1);
    }
    settings.window = input_.file.whole("sc_window_fun", 1);
    settings.in_time = input_.in_time;
    io::WholeFile file = open(name);
    write_spectrum(file, phase_, input_.points, settings);
    file.finish();
  }

  std::string header_of_states(char type, Index ensembles) const {
    const std::string bar(80, '#');
    std::string text = fmt::format(
        "{}\n# File type: {}\n# Simulation type: {}\n# Number of atoms:  {}\n# Number of "
        "ensembles:  {}\n{}\n",
        bar, type, input_.mode, i_text(std::ssize(sites_), 8), i_text(ensembles, 8), bar);
    text += input_.in_time && type == 'M' ? "#Time [s" : "  # iter";
    text += "     ens   iatom           |Mom|             M_x             M_y             M_z\n";
    return text;
  }

  /// Directions of the atoms of some replicas. @param e (replica, site, 3)
  template <class Numbers>
  void write_states(io::WholeFile& file, const std::string& step, const Numbers& e,
                    Index ensembles) const {
    const auto sites = static_cast<std::size_t>(geometry_.sites());
    for (Index k = 0; k < ensembles; ++k)
      for (std::size_t i = 0; i < sites_.size(); ++i) {
        const std::size_t first =
            3 * (static_cast<std::size_t>(k) * sites + static_cast<std::size_t>(sites_[i]));
        file.write(
            step + i_text(k + 1, 8) + i_text(static_cast<Index>(i) + 1, 8) + "  " +
            numbers_text({geometry_.moment(sites_[i]), e[first], e[first + 1], e[first + 2]}) +
            "\n");
      }
  }

  void write_frames() {
    const std::string name = input_.name("moment");
    std::vector<PhaseFrame> frames = phase_.frames();
    std::vector<Index> steps;
    for (const PhaseFrame& frame : frames) steps.push_back(frame.step);
    io::WholeFile file = open(name);
    bool begun = false;
    for (const std::size_t row : rows_at(steps, input_.frames_every, name)) {
      const PhaseFrame& frame = frames[row];
      const Index ensembles = phase_.results().shape(frame.dataset).require(4)[1];
      if (!std::exchange(begun, true)) file.write(header_of_states('M', ensembles));
      const std::string step =
          input_.in_time ? es_text(seconds(frame.step)) : i_text(counted(frame.step), 8);
      write_states(file, step, phase_.results().read_rows<double>(frame.dataset, frame.row, 1),
                   ensembles);
    }
    file.finish();
  }

  void write_trajectories() {
    const auto sites = static_cast<std::size_t>(geometry_.sites());
    const auto ensembles = static_cast<std::size_t>(input_.ensembles);
    for (const auto& [atom, every] : input_.atoms)
      if (!is_atom(atom)) note(fmt::format("there is no atom {} for a trajectory", atom));
    // Each frame is read once for all atoms.
    std::vector<std::vector<std::string>> texts(input_.atoms.size(),
                                                std::vector<std::string>(ensembles));
    for (const PhaseFrame& frame : phase_.frames()) {
      const auto is_wanted = [&](const auto& row) {
        return is_atom(row.first) && frame.step % row.second == 0;
      };
      if (std::none_of(input_.atoms.begin(), input_.atoms.end(), is_wanted)) continue;
      const auto e = phase_.results().read_rows<double>(frame.dataset, frame.row, 1);
      const auto stored =
          static_cast<std::size_t>(phase_.results().shape(frame.dataset).require(4)[1]);
      const std::string step =
          input_.in_time ? es_text(seconds(frame.step)) : i_text(counted(frame.step), 8);
      for (std::size_t n = 0; n < texts.size(); ++n) {
        if (!is_wanted(input_.atoms[n])) continue;
        const Index atom = input_.atoms[n].first;
        const Index site = sites_[static_cast<std::size_t>(atom - 1)];
        for (std::size_t k = 0; k < std::min(stored, ensembles); ++k) {
          const std::size_t first = 3 * (k * sites + static_cast<std::size_t>(site));
          texts[n][k] +=
              step + "  " + i_text(atom, 8) + "    " +
              numbers_text({e[first], e[first + 1], e[first + 2], geometry_.moment(site)}) + "\n";
        }
      }
    }
    for (std::size_t n = 0; n < texts.size(); ++n) {
      if (!is_atom(input_.atoms[n].first)) continue;
      for (std::size_t k = 0; k < ensembles; ++k) {
        io::WholeFile file = open(input_.trajectory_name(n, static_cast<Index>(k)));
        file.write(texts[n][k]);
        file.finish();
      }
    }
  }

  /// Atoms are numbered from 1, without vacancies.
  bool is_atom(Index atom) const { return atom >= 1 && atom <= std::ssize(sites_); }

  void write_restart() {
    const std::string path = phase_.configuration();
    const Index ensembles = phase_.results().shape(path).require(3)[0];
    if (ensembles < phase_.replicas())
      note(fmt::format("{} has {} of {} ensembles, those that the results hold",
                       input_.name("restart"), ensembles, phase_.replicas()));
    io::WholeFile file = open(input_.name("restart"));
    file.write(header_of_states('R', ensembles));
    // Dynamics that begin with this file count on. Sweeps of Monte Carlo do not count.
    const Index step = input_.is_monte_carlo() ? 0 : counted(phase_.steps());
    write_states(file, i_text(step, 8), phase_.results().read<double>(path), ensembles);
    file.finish();
  }

  const OutputKeywords& input_;
  MeasurementPhase phase_;
  std::string folder_;
  io::IfExists if_exists_;
  UppasdOutput::Written& written_;
  PhaseSeries magnetisation_;
  lattice::Geometry geometry_;
  std::vector<Index> sites_;  ///< without vacancies
};

}  // namespace
}  // namespace uppasd

UppasdOutput::UppasdOutput(const std::string& input) {
  if (!is_uppasd_input(input))
    throw InputError("--uppasd-output needs an input of UppASD, and '" + input + "' is none",
                     "leave the option out: the results file holds all measurements");
  keywords_ = std::make_unique<const uppasd::OutputKeywords>(input);
}

UppasdOutput::~UppasdOutput() = default;

std::vector<std::string> UppasdOutput::files(const std::string& folder) const {
  std::vector<std::string> names = keywords_->names();
  for (std::string& name : names) name = (std::filesystem::path(folder) / name).string();
  return names;
}

UppasdOutput::Written UppasdOutput::write(const io::ResultsReader& results,
                                          const std::string& folder, io::IfExists if_exists) const {
  Written written;
  uppasd::OutputWriter(*keywords_, results, folder, if_exists, written).write();
  return written;
}

}  // namespace larmor::imports
