"""S(q,w) of a ferromagnet from spin dynamics, and linear spin-wave theory."""
import larmor
import numpy as np

study = larmor.Study(title="Spin waves of a square-lattice ferromagnet", seed=1, replicas=8)
study.lattice(type="square", size=[32, 32])
study.exchange(shell=1, J=1.0)
study.field(B=[0, 0, 0.5])
path = ["Γ", "X", "M", "Γ"]
study.stage("anneal", sampler="heat-bath", temperature={"from": 10.0, "to": 0.01, "factor": 0.7}, sweeps=20)
study.stage("dynamics", timestep=0.05, steps=2000, measure=[{"what": "structure-factor", "path": path, "every": 5}])
study.stage("spin-waves", path=path, ground_state={"state": "aligned", "direction": [0, 0, 1]}, temperature=0.01)
results = study.run()

measured, theory = results.stages[1].structure_factor.to_xarray(), results.stages[2].spin_waves.to_xarray()
peak = measured.intensity.sel(frequency=slice(0, None)).idxmax("frequency")
distance = float(np.abs(peak - theory.frequency[:, 0]).max())
print(f"largest distance of a peak from theory: {distance:.2f}")
panels = results.plot("structure-factor", "dynamics")
panels.figures[0].savefig("spin-waves.png")
