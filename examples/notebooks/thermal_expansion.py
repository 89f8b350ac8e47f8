"""The thermal expansion of tungsten at zero pressure, from a structure of ASE."""
import larmor
import numpy as np
from ase.build import bulk

atoms = bulk("W", "bcc", a=3.18, cubic=True) * (2, 2, 2)
atoms.rattle(0.1, seed=1)
study = larmor.Study(title="Thermal expansion of tungsten", seed=1, units="material")
study.model(kind="atoms")
study.structure(file=atoms)
study.snap(script="W_2940_2017_2.snap")
study.stage("md", timestep="2 fs", steps=3000, temperature="300 K", thermostat="bussi", bulk_modulus="310 GPa",
            barostat="stochastic-cell-rescaling", barostat_time="0.05 ps", measure=[{"what": "trajectory"}])
results = study.scan({"stage.1.temperature": ["300 K", "1200 K", "2100 K"]}).run()

frames = [point.stages[0].to_ase(trajectory=True)[50:] for point in results.points.values()]
lengths = [np.mean([frame.get_volume() for frame in of_point]) ** (1 / 3) for of_point in frames]
slope, start = np.polyfit([300, 1200, 2100], lengths, 1)
print(f"expansion: {1e6 * slope / start:.1f} per million and kelvin")
