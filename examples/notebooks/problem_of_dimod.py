"""The ground state of a model of dimod: players in two teams of equal strength."""
import dimod
import larmor

strengths = [17, 23, 31, 38, 42, 49, 55, 61, 68, 74, 83, 97]
model = dimod.BinaryQuadraticModel("SPIN")
model.add_quadratic_from((i, j, 2 * a * b) for i, a in enumerate(strengths) for j, b in enumerate(strengths[:i]))
model.offset = sum(a * a for a in strengths)

solution = larmor.solve(model, certify=True, seed=1)
print(solution)

teams = [[a for i, a in enumerate(strengths) if solution.state[i] == spin] for spin in (1, -1)]
print(f"teams of strength {sum(teams[0])} and {sum(teams[1])}: {teams[0]}, {teams[1]}")
