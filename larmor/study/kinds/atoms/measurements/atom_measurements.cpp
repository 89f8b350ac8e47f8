#include "larmor/study/kinds/atoms/measurements/atom_measurements.hpp"

#include "larmor/study/kinds/atoms/measurements/atom_trajectory.hpp"
#include "larmor/study/kinds/atoms/measurements/thermodynamic_series.hpp"

namespace larmor::study {

const MeasureList<MdCourse>& measured_by_md() {
  static const MeasureList<MdCourse> list{{},
                                          {measurement_type<ThermodynamicSeries, MdCourse>(),
                                           measurement_type<AtomTrajectory, MdCourse>()}};
  return list;
}

}  // namespace larmor::study
