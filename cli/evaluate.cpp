// larmor evaluate: energies, forces and descriptors of structures by a SNAP potential.

#include <fmt/core.h>

#include <iostream>

#include "cli/commands.hpp"
#include "cli/output_beside.hpp"
#include "cli/progress_choice.hpp"
#include "larmor/core/error.hpp"
#include "larmor/evaluation/evaluation.hpp"

namespace larmor::cli {

int evaluate(const EvaluateOptions& options, const study::DeviceOverrides& device) {
  evaluation::Request request;
  request.structures = options.structures;
  request.output = options.output.empty() ? output_beside(options.structures, "-evaluated.extxyz")
                                          : options.output;
  require_no_study(request.output);
  request.potential = {options.snap, options.potential, std::nullopt};
  if (!options.zbl.empty()) request.potential.zbl = {options.zbl[0], options.zbl[1]};
  request.elements = options.elements;
  request.with_bispectrum = options.bispectrum;
  request.if_exists = options.force ? io::IfExists::replace : io::IfExists::refuse;
  request.device = study::whole_device_of(device);
  request.progress_stream = &std::cerr;
  request.progress.mode = progress_mode(options.progress);
  request.progress.width = terminal_width();
  const evaluation::Summary done = evaluation::evaluate_file(request);
  fmt::print("{}: {} structure{} of {} atom{}, {} eV an atom, forces up to {:.6g} eV/Angstrom\n",
             request.output, done.structures, done.structures == 1 ? "" : "s", done.atoms,
             done.atoms == 1 ? "" : "s",
             done.structures == 1
                 ? fmt::format("{:.10g}", done.least_energy)
                 : fmt::format("{:.10g} to {:.10g}", done.least_energy, done.greatest_energy),
             done.largest_force);
  return 0;
}

}  // namespace larmor::cli
