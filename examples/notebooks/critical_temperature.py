"""The critical temperature of the 3D Ising model, where the Binder cumulants of two sizes cross."""
import larmor

study = larmor.Study(title="3D Ising model", seed=1, replicas=64)
study.model(kind="ising")
study.lattice(type="sc", size=[8, 8, 8])
study.exchange(shell=1, J=1.0)
study.stage("monte-carlo", temperature=[4.48, 4.5, 4.52, 4.54], thermalisation=400, sweeps=1200, measure_every=20)
results = study.scan({"lattice.size": [[8, 8, 8], [16, 16, 16]]}).run()

table = results.to_pandas()
print(table.pivot(index="temperature", columns="lattice.size", values="binder_cumulant"))

(critical,) = results.scan.binder_crossings("01-monte-carlo")
print(f"T_c = {critical}")

panels = results.plot()
panels.figures[0].savefig("critical-temperature.png")
