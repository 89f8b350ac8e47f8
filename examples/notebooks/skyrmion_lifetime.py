"""The lifetime of a skyrmion, by harmonic transition-state theory."""
import larmor

study = larmor.Study(title="Collapse of a skyrmion", seed=1, units="material")
study.lattice(type="square", size=[20, 20], constant="1 Å", moment=["2 mu_B"])
study.exchange(shell=1, J="10 meV")
study.dmi(shell=1, strength="6 meV", direction="bond")
study.field(B=["0 T", "0 T", "25 T"])
study.initial(state="skyrmion", radius="3 Å", helicity="90 deg")
study.stage("minimum-energy-path", final={"state": "aligned"}, images=11,
            lifetime={"temperature": ["10 K", "20 K", "40 K"]})
stage = study.run().stages[0]

lifetimes = stage.lifetimes
print(lifetimes.to_pandas())

collapse, over_temperature = stage.plot("path"), stage.plot("lifetime")
collapse.figures[0].savefig("skyrmion-path.png")
over_temperature.figures[0].savefig("skyrmion-lifetime.png")
