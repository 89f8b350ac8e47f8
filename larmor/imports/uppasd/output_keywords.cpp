#include "larmor/imports/uppasd/output_keywords.hpp"

#include <fmt/core.h>

namespace larmor::imports::uppasd {

OutputKeywords::OutputKeywords(const std::string& path) : file(path) {
  for (const char* keyword : {"logsamp", "do_mom_legacy", "prn_ovf"})
    if (file.flag(keyword))
      file.find(keyword)->refuse(
          std::string(keyword) + " Y changes UppASD's files, which --uppasd-output does not do",
          std::string("set ") + keyword + " N, or leave out --uppasd-output");
  const Entry& mode_entry = file.require("mode", "write `mode S`, M or H");
  mode = mode_entry.letter();
  if (mode != 'S' && mode != 'M' && mode != 'H')
    mode_entry.refuse(
        "mode " + mode_entry.word() + " has other files, which --uppasd-output does not write",
        "leave out --uppasd-output");
  if (const Entry* entry = file.find("simid")) {
    simid = entry->word().substr(0, simid_length);
    if (simid.find('/') != std::string::npos)
      entry->refuse("the simid is a part of names of files, and has a slash",
                    "write a simid without /");
  }
  std::vector<std::string> notes;
  crystal = read_crystal(file, notes);
  in_time = mode == 'S' && file.flag("real_time_measure");
  ensembles = file.count("mensemble", 1);
  averages_every = file.count("avrg_step", averages_every);
  cumulants_every = file.count("cumu_step", cumulants_every);
  cumulants_buffer = file.count("cumu_buff", cumulants_buffer);
  charge_every = file.count("skyno_step", charge_every);
  frames_every = file.count("tottraj_step", frames_every);
  averages = file.letter("do_avrg", 'Y') == 'Y';
  frames = file.flag("do_tottraj");
  tensor = file.whole("do_jtensor", 0) == 1 && file.flag("calc_jtensor", true);
  const char kind = file.letter("do_cumu", 'N');
  cumulants = is_monte_carlo() ? kind != 'A' : kind == 'Y';
  energies = file.whole("plotenergy", 0) > 0;
  const char charge_letter = file.letter("skyno", 'N');
  charge = charge_letter == 'Y' || charge_letter == 'T';
  const char do_sc = file.letter("do_sc", 'N');
  if (mode == 'S' && (do_sc == 'Q' || do_sc == 'Y')) {
    for (const char* keyword : {"do_conv", "do_sc_local_axis"})
      if (const char letter = file.letter(keyword, 'N'); letter != 'N' && letter != 'F')
        file.find(keyword)->refuse(
            std::string(keyword) + " changes sqw, which --uppasd-output does not do",
            std::string("set ") + keyword + " N, or leave out --uppasd-output");
    spectrum = do_sc == 'Y' ? "structure-factor-2" : "structure-factor";
    points = printed_wave_vectors(read_wave_vectors(file, crystal), crystal.geometry);
  }
  if (const Entry* ntraj = file.find("ntraj"); ntraj != nullptr && ntraj->count(0) > 0)
    for (const NumberRow& row : ntraj->numbers_below(2, "atom step buffer"))
      atoms.emplace_back(static_cast<Index>(row.numbers[0]), static_cast<Index>(row.numbers[1]));
  if (mode == 'S' && file.whole("initmag", 4) == 4) first_step = step_of_restart();
}

/// A run from a restart file goes on counting its steps.
Index OutputKeywords::step_of_restart() const {
  const DataFile states(file.restart_path());
  return states.rows().empty() ? 0 : states.rows()[0].integer(0, "the iteration");
}

std::string OutputKeywords::json_name() const {
  return "cumulants." + simid + std::string(simid_length - simid.size(), ' ') + ".json";
}

std::string OutputKeywords::trajectory_name(std::size_t n, Index ensemble) const {
  return fmt::format("trajectory.{}.{:03}.{}.out", simid, n + 1, ensemble + 1);
}

std::vector<std::string> OutputKeywords::names() const {
  std::vector<std::string> names{name("restart")};
  const auto add = [&](bool wanted, const char* kind) {
    if (wanted) names.push_back(name(kind));
  };
  add(averages, "averages");
  add(cumulants, "cumulants");
  if (cumulants) names.push_back(json_name());
  add(energies, "totenergy");
  add(energies && ensembles > 1, "stdenergy");
  add(charge, "sknumber");
  add(!spectrum.empty(), "sqw");
  add(frames, "moment");
  for (std::size_t n = 0; n < atoms.size(); ++n)
    for (Index k = 0; k < ensembles; ++k) names.push_back(trajectory_name(n, k));
  return names;
}

}  // namespace larmor::imports::uppasd
