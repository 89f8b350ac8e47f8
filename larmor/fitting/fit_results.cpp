#include "larmor/fitting/fit_results.hpp"

#include "larmor/fitting/potential_files.hpp"

namespace larmor::fitting {
namespace {

std::string unit_of(const Settings& settings, std::size_t kind) {
  switch (static_cast<Kind>(kind)) {
    case Kind::energy:
      return "eV/atom";
    case Kind::force:
      return "eV/Å";
    case Kind::stress:
      return settings.stress.name;
  }
  return "";
}

const char* method_name(Method method) {
  switch (method) {
    case Method::svd:
      return "svd";
    case Method::qr:
      return "qr";
    case Method::ridge:
      return "ridge";
    case Method::normal_equations:
      return "normal-equations";
  }
  return "";
}

void write_coefficients(io::ResultsFile& file, const Fit& fit) {
  std::vector<std::string> names;
  std::vector<double> coefficients;
  for (const atoms::snap::SnapElement& element : fit.potential.elements) {
    names.push_back(element.name);
    coefficients.insert(coefficients.end(), element.coefficients.begin(),
                        element.coefficients.end());
  }
  const auto elements = std::ssize(names);
  const Index count = std::ssize(coefficients) / elements;
  file.write("/fit/elements", names);
  file.write("/fit/coefficients", io::DataArray(std::move(coefficients), {elements, count}),
             {{"unit", "eV"}});
  file.write("/fit/covariance", io::DataArray(fit.solution.covariance, {fit.columns, fit.columns}),
             {{"unit", "eV^2"}});
}

void write_errors(io::ResultsFile& file, const Settings& settings, const Fit& fit) {
  std::vector<ErrorTable> rows = fit.errors.of_group;
  rows.push_back(fit.errors.all);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    const std::string path = std::string("/fit/errors/") + kind_names[kind];
    const io::Attributes unit{{"unit", unit_of(settings, kind)}};
    const auto write = [&](const char* name, auto member, const io::Attributes& attributes) {
      std::vector<double> values;
      for (const ErrorTable& row : rows)
        for (const auto& part : row) values.push_back(static_cast<double>(part[kind].*member));
      file.write(path + "/" + name, io::DataArray(std::move(values), {std::ssize(rows), 2}),
                 attributes);
    };
    write("count", &KindErrors::count, {});
    write("mean_absolute", &KindErrors::mean_absolute, unit);
    write("root_mean_square", &KindErrors::root_mean_square, unit);
    write("largest", &KindErrors::largest, unit);
    const Parity& parity = fit.errors.parity[kind];
    const std::string pairs = std::string("/fit/parity/") + kind_names[kind];
    file.write(pairs + "/target", parity.target, unit);
    file.write(pairs + "/predicted", parity.predicted, unit);
    file.write(pairs + "/group", parity.group);
    file.write(pairs + "/is_test", parity.is_test);
  }
}

void write_left_out(io::ResultsFile& file, const Settings& settings, const std::string& path,
                    const std::vector<LeftOut>& all) {
  if (all.empty()) return;
  std::vector<std::string> names;
  for (const LeftOut& left : all) names.push_back(left.name);
  file.write(path + "/name", names);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::vector<double> errors, counts;
    for (const LeftOut& left : all) {
      errors.push_back(left.error[kind]);
      counts.push_back(static_cast<double>(left.count[kind]));
    }
    const std::string of_kind = path + "/" + kind_names[kind];
    file.write(of_kind + "/root_mean_square", std::move(errors),
               {{"unit", unit_of(settings, kind)}});
    file.write(of_kind + "/count", std::move(counts));
  }
}

}  // namespace

void write_fit(io::ResultsFile& file, const Settings& settings, const Fit& fit) {
  const auto set = [&](const char* name, io::DataArray value) {
    file.set_attribute("/fit", name, std::move(value));
  };
  set("method", method_name(settings.solver.method));
  set("condition", fit.solution.condition);
  set("scaled_condition", fit.solution.scaled_condition);
  set("rank", fit.solution.rank);
  set("residual", fit.solution.residual);
  set("rows", fit.rows);
  set("columns", fit.columns);
  set("coefficients_of_element", fit.coefficients_of_element);
  set("has_constant", Index{settings.has_constant});
  set("configurations", fit.configurations);
  set("tests", fit.tests);
  set("atoms", fit.atoms);
  set("seconds_of_rows", fit.seconds_of_rows);
  set("seconds_of_solution", fit.seconds_of_solution);
  set("seconds_of_errors", fit.seconds_of_errors);
  set("checksum", checksum_of_input(settings));
  file.write("/fit/input", settings.text);
  std::vector<std::string> names;
  for (const Group& group : settings.groups) names.push_back(group.name);
  file.write("/fit/groups", names);
  write_coefficients(file, fit);
  write_errors(file, settings, fit);
  write_left_out(file, settings, "/fit/left-out-groups", fit.groups_left_out);
  write_left_out(file, settings, "/fit/folds", fit.folds);
}

}  // namespace larmor::fitting
