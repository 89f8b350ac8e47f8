"""The tables of a study as methods. tools/make_python_tables.py writes this file from the field tables."""

from __future__ import annotations

from typing import Any, Literal, overload

from .study_values import File, List, Map, Number, PathName, Quantity, Table, TableBuilder, Whole, of_table


class StudyTables(TableBuilder):
    """A study with a method for each table."""

    __slots__ = ()

    @of_table("a study")
    def __init__(self, *, title: str | None = None, seed: Whole | None = None, replicas: Whole | None = None,
                 samples: Whole | None = None, units: Literal["reduced", "material"] | None = None,
                 constants: Whole | None = None) -> None:
        """An empty study. Raises InputError for values that TOML does not have.

        title: one line for readers and plots. string; default "".
        seed: seed of all random numbers. whole number; default 1.
        replicas: number of independent copies, which are simulated together. If left out, samples and ladders decide
            the number. whole number; default 1; at least 1; at most 16777215.
        samples: number of disorder samples. In order, replicas / samples replicas share each sample. If left out,
            each replica has a sample of its own. whole number; at least 1.
        units: reduced: k_B = hbar = gamma = mu_B = 1; material: quantities carry units. string; default "reduced".
            One of "reduced"; "material".
        constants: CODATA year of the constants of material units: 2018 or 2014. whole number; default 2018.
        """
        super().__init__()
        self._set({"title": title, "seed": seed, "replicas": replicas, "samples": samples, "units": units,
            "constants": constants})

    @of_table("[model]")
    def model(self, *,
              kind: Literal["spins", "ising", "potts", "quantum", "phi4", "atoms", "particles"] | None = None) -> Table:
        """[model]: the system that is simulated.

        kind: model kind, which decides the other tables of the study. string; default "spins". One of "spins": vector
            spins on lattice sites or plain positions; "ising": Ising spins, 1 or -1, on a lattice or any graph;
            "potts": Potts spins of q states on a lattice or any graph; "quantum": quantum spins 1/2: transverse-field
            Ising, XXZ and Heisenberg models on a lattice or any graph; "phi4": O(N) phi^4 fields on a hypercubic
            lattice; "atoms": atoms with interatomic potentials; "particles": Brownian particles in a potential that a
            formula gives.
        """
        return self._add_table("model", False, {"kind": kind})

    @of_table("[device]")
    def device(self, *, backend: Literal["auto", "cpu", "cuda"] | None = None,
               precision: Literal["double", "single", "mixed"] | None = None, threads: Whole | None = None,
               queue: Whole | None = None) -> Table:
        """[device]: the processors that compute the run, and their precision.

        backend: the device; "auto" takes a GPU if the machine has one and the study is so large that the GPU is
            faster. string; default "auto". One of "auto"; "cpu"; "cuda".
        precision: precision of the state and of its updates. mixed is only for GPUs: the state is in double and sums
            over bonds are in single precision. Averages are always in double precision. string; default "double". One
            of "double"; "single"; "mixed".
        threads: number of CPU threads; 0 takes all of them. The results do not depend on this number. whole number;
            default 0; at least 0; at most 4096.
        queue: largest size, in MiB, of the measurements that wait for a GPU. If they grow larger, the run waits until
            the GPU has finished some of them. whole number; default 64; at least 1; at most 65536.
        """
        return self._add_table("device", False, {"backend": backend, "precision": precision, "threads": threads,
            "queue": queue})

    @of_table("[lattice]")
    def lattice(self, *,
                type: Literal["chain", "square", "triangular", "honeycomb", "kagome", "sc", "bcc", "fcc", "diamond", "pyrochlore"] | None = None,
                size: Whole | List | None = None, periodic: bool | List | None = None,
                constant: Quantity | None = None, cell: List | None = None, basis: List | None = None,
                species: str | List | None = None, moment: Quantity | List | None = None, file: File | None = None,
                posfile: PathName | None = None, momfile: PathName | None = None,
                layer_thickness: Quantity | None = None, other_atoms: List | None = None,
                other_species: str | List | None = None, symmetry_tolerance: Quantity | None = None,
                sites: Whole | None = None, grid: Whole | List | None = None) -> Table:
        """[lattice]: spins: the positions of the spins. ising, potts, quantum: positions and graph of the sites. phi4: a
        hypercubic lattice. atoms: a crystal as the initial structure of the atoms.

        type (spins, ising, potts, quantum, atoms): a named lattice. string. One of "chain"; "square"; "triangular";
            "honeycomb"; "kagome"; "sc"; "bcc"; "fcc"; "diamond"; "pyrochlore".
        size (spins, ising, potts, quantum, atoms): number of cells along each lattice vector, or one number for all
            vectors of a named type. In bcc, fcc, diamond and pyrochlore these are cubic cells. list of whole numbers;
            default []; at least 1.
        size (phi4): number of sites along each axis, for one to four axes. list of whole numbers; required; not
            empty; at least 1.
        periodic (spins, ising, potts, quantum, atoms): true for a periodic and false for an open boundary. Give one
            value for each lattice vector, or one for all. list of true or false; default [true].
        periodic (phi4): true for a periodic and false for an open boundary. Give one value for each axis, or one for
            all. list of true or false; default [true].
        constant (spins, ising, potts, quantum, atoms): lattice constant a; with `cell`, the factor that multiplies
            its vectors. number (length, for instance "1 Å"); default 1.0; positive.
        cell (spins, ising, potts, quantum, atoms): three lattice vectors in units of `constant`, for a custom
            lattice. list of 3 lists of 3 numbers.
        basis (spins, ising, potts, quantum, atoms): positions of the atoms of `cell`, in fractions of the vectors of
            `cell`. list of lists of 3 numbers; default [].
        species (spins, ising, potts, quantum, atoms): a name for each basis atom, or one for all. list of strings;
            default [].
        moment (spins): magnetic moment of each basis atom, or one for all. list of numbers (magnetic moment, for
            instance "1 μB"); default [1.0]; positive.
        file (spins): extended XYZ file with positions, species and moments. string; not empty.
        file (ising, potts, quantum): extended XYZ file with positions. string; not empty.
        posfile (spins): UppASD posfile with the basis of `cell`. string; not empty.
        momfile (spins): UppASD momfile with the moments of `posfile`. string; not empty.
        layer_thickness (spins): sites whose heights differ by less form one layer, for topological charges. The
            default is 0.4 of the distance of nearest neighbours. number (length, for instance "1 Å"); positive.
        other_atoms (spins): positions of atoms without spins, in fractions of the vectors of `cell`; they only lower
            the symmetry, for couplings with symmetry = "crystal". list of lists of 3 numbers; default [].
        other_species (spins): a name for each of `other_atoms`, or one for all. list of strings; default [].
        symmetry_tolerance (spins): distance of positions that count as equal where the space group is found. The
            default is 0.001 of the distance of nearest neighbours. number (length, for instance "1 Å"); positive.
        sites (ising, potts, quantum): number of sites of a graph, instead of type, cell and file. [[exchange]] gives
            the bonds of the graph. whole number; at least 1; at most 1e+09.
        grid (ising, potts, quantum): number of sites along each of one to four axes, instead of type and size. The
            lattice is a chain, square, simple cubic or four-dimensional grid. list of whole numbers; default []; at
            least 1.
        """
        return self._add_table("lattice", False, {"type": type, "size": size, "periodic": periodic,
            "constant": constant, "cell": cell, "basis": basis, "species": species, "moment": moment, "file": file,
            "posfile": posfile, "momfile": momfile, "layer_thickness": layer_thickness, "other_atoms": other_atoms,
            "other_species": other_species, "symmetry_tolerance": symmetry_tolerance, "sites": sites, "grid": grid})

    @of_table("[[alloy]]")
    def alloy(self, *, species: str | None = None, by: str | None = None, fraction: Number | None = None,
              sites: Whole | List | None = None, moment: Quantity | None = None, damping: Number | None = None,
              seed: Whole | None = None) -> Table:
        """[[alloy]] (model kind spins): replaces sites of the lattice by another species or by vacancies, equally in all
        replicas. Several tables act in order, each on the result of the tables before it.

        species: species whose sites are replaced; this key may be left out if the lattice has one species. string.
        by: name of the substitute, or "vacancy" for empty sites. string; required; not empty.
        fraction: share of the species' sites in the perfect lattice that are replaced. The number of replaced sites
            is rounded, and these sites are drawn at random. number; at least 0; at most 1.
        sites: instead of a fraction: the numbers of the sites that are replaced, counted from 0. list of whole
            numbers; default []; at least 0; not empty.
        moment: moment of the substitute; required except for vacancies. number (magnetic moment, for instance "1
            μB"); positive.
        damping: Gilbert damping of the substitute. The default is the damping of the replaced atom. number; at least
            0.
        seed: seed of the random sites. whole number; default 1.
        """
        return self._add_table("alloy", True, {"species": species, "by": by, "fraction": fraction, "sites": sites,
            "moment": moment, "damping": damping, "seed": seed})

    @of_table("[[exchange]]")
    def exchange(self, *, J: Quantity | None = None, shell: Whole | None = None, between: List | None = None,
                 offset: List | None = None, atoms: List | None = None, pairs: List | None = None,
                 all_pairs: bool | None = None, disorder: Quantity | None = None,
                 disorder_distribution: Literal["normal", "bimodal", "uniform"] | None = None,
                 disorder_probability: Number | None = None, disorder_seed: Whole | None = None,
                 disorder_by_replica: bool | None = None, file: PathName | None = None,
                 symmetry: Literal["none", "cubic", "square", "hexagonal", "crystal"] | None = None,
                 maptype: Whole | None = None, Jxy: Quantity | None = None, isotropic: bool | None = None) -> Table:
        """[[exchange]]: spins: Heisenberg exchange - J e_i.e_j, each pair once; J > 0 is ferromagnetic. ising, potts:
        Ising: - J s_i s_j, Potts: - J delta(s_i, s_j), each pair once; J > 0 is ferromagnetic. quantum: - J sz_i sz_j
        - Jxy (sx_i sx_j + sy_i sy_j), each pair once; J > 0 is ferromagnetic.

        J: coupling of each selected bond. number (energy, for instance "1 meV").
        shell: all bonds to neighbours of this shell; shell 1 has the nearest neighbours. whole number; at least 1; at
            most 1000.
        between: only bonds between these two species; with `offset`, the first species is at atoms[0] and the second
            at atoms[1]. list of 2 strings.
        offset: bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the reverse of each bond
            is implied. list of lists of 3 whole numbers; default []; at least -1e+06; at most 1e+06.
        atoms: the two basis atoms of `offset`, counted from 0. list of 2 whole numbers; default [0, 0]; at least 0.
        pairs: explicit pairs of sites, counted from 0, each pair once. list of lists of 2 whole numbers; default [];
            at least 0.
        all_pairs: bonds between all pairs of sites, as in the model of Sherrington and Kirkpatrick. true or false;
            default false.
        disorder: standard deviation of normal couplings about J, or the largest deviation of bimodal and uniform
            ones; each pair has its own coupling. number (energy, for instance "1 meV"); default 0.0; at least 0.
        disorder_distribution: distribution of the coupling; bimodal gives J + disorder or J - disorder, uniform all
            values between them. string; default "normal". One of "normal"; "bimodal"; "uniform".
        disorder_probability: probability of J + disorder in a bimodal distribution. number; default 0.5; at least 0;
            at most 1.
        disorder_seed: seed of the disorder; tables with equal seeds have equal random numbers. whole number; default
            1.
        disorder_by_replica: whether each disorder sample has its own couplings; if so, means over replicas are means
            over disorder. true or false; default false.
        file (spins): UppASD jfile with all couplings, in mRy; Larmor adds up both directions of a bond, because
            UppASD counts each pair twice. string; not empty.
        file (ising, potts, quantum): file of bonds, a row `i j J` for each, or `i j` with the key J; sites are
            counted from 0. string; not empty.
        symmetry (spins): operations that complete the vectors of `file`; or "crystal" without `file`: each bond of
            `offset` stands for all bonds to which the space group of the lattice moves it. string; default "none".
            One of "none"; "cubic"; "square"; "hexagonal"; "crystal".
        maptype (spins): format of `file`: 1 for vectors in lattice constants, 2 for cell offsets. whole number;
            default 1; at least 1; at most 2.
        Jxy (quantum): coupling of sx and sy of each selected bond. number (energy, for instance "1 meV"); default
            0.0.
        isotropic (quantum): Jxy = J for each bond, also with disorder: the Heisenberg model. true or false; default
            false.
        """
        return self._add_table("exchange", True, {"J": J, "shell": shell, "between": between, "offset": offset,
            "atoms": atoms, "pairs": pairs, "all_pairs": all_pairs, "disorder": disorder,
            "disorder_distribution": disorder_distribution, "disorder_probability": disorder_probability,
            "disorder_seed": disorder_seed, "disorder_by_replica": disorder_by_replica, "file": file,
            "symmetry": symmetry, "maptype": maptype, "Jxy": Jxy, "isotropic": isotropic})

    @of_table("[[exchange-tensor]]")
    def exchange_tensor(self, *, A: List | None = None, shell: Whole | None = None, between: List | None = None,
                        offset: List | None = None, atoms: List | None = None, pairs: List | None = None,
                        symmetry: Literal["none", "crystal"] | None = None) -> Table:
        """[[exchange-tensor]] (model kind spins): exchange - e_i^T A e_j with a full matrix, each pair once, i the first
        site of a bond.

        A: the matrix of each selected bond, by rows; a matrix that is not symmetric needs `offset` or `pairs`,
            because the order of the two sites defines the left spin. list of 3 lists of 3 numbers (energy, for
            instance "1 meV"); required.
        shell: all bonds to neighbours of this shell; shell 1 has the nearest neighbours. whole number; at least 1; at
            most 1000.
        between: only bonds between these two species; with `offset`, the first species is at atoms[0] and the second
            at atoms[1]. list of 2 strings.
        offset: bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the reverse of each bond
            is implied. list of lists of 3 whole numbers; default []; at least -1e+06; at most 1e+06.
        atoms: the two basis atoms of `offset`, counted from 0. list of 2 whole numbers; default [0, 0]; at least 0.
        pairs: explicit pairs of sites, counted from 0, each pair once. list of lists of 2 whole numbers; default [];
            at least 0.
        symmetry: "crystal": each bond of `offset` stands for all bonds to which the space group of the lattice moves
            it, and the coupling turns with it. string; default "none". One of "none"; "crystal".
        """
        return self._add_table("exchange-tensor", True, {"A": A, "shell": shell, "between": between, "offset": offset,
            "atoms": atoms, "pairs": pairs, "symmetry": symmetry})

    @of_table("[[dmi]]")
    def dmi(self, *, D: List | None = None, strength: Quantity | None = None,
            direction: Literal["bond", "interface"] | None = None, shell: Whole | None = None,
            between: List | None = None, offset: List | None = None, atoms: List | None = None,
            pairs: List | None = None, symmetry: Literal["none", "crystal"] | None = None) -> Table:
        """[[dmi]] (model kind spins): Dzyaloshinskii-Moriya interaction - D.(e_i x e_j), each pair once, i the first
        site of a bond.

        D: the vector of each selected bond; D needs `offset` or `pairs`, because the order of the two sites fixes the
            sign of D; bonds of a `shell` need `strength` and `direction`. list of 3 numbers (energy, for instance "1
            meV").
        strength: length of D, if the bond defines the direction of D. number (energy, for instance "1 meV").
        direction: direction of D with `strength`: along the bond (bulk, Bloch-like) or along z x bond (interface,
            Neel-like). string; default "bond". One of "bond"; "interface".
        shell: all bonds to neighbours of this shell; shell 1 has the nearest neighbours. whole number; at least 1; at
            most 1000.
        between: only bonds between these two species; with `offset`, the first species is at atoms[0] and the second
            at atoms[1]. list of 2 strings.
        offset: bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the reverse of each bond
            is implied. list of lists of 3 whole numbers; default []; at least -1e+06; at most 1e+06.
        atoms: the two basis atoms of `offset`, counted from 0. list of 2 whole numbers; default [0, 0]; at least 0.
        pairs: explicit pairs of sites, counted from 0, each pair once. list of lists of 2 whole numbers; default [];
            at least 0.
        symmetry: "crystal": each bond of `offset` stands for all bonds to which the space group of the lattice moves
            it, and the coupling turns with it. string; default "none". One of "none"; "crystal".
        """
        return self._add_table("dmi", True, {"D": D, "strength": strength, "direction": direction, "shell": shell,
            "between": between, "offset": offset, "atoms": atoms, "pairs": pairs, "symmetry": symmetry})

    @of_table("[[kitaev]]")
    def kitaev(self, *, K: Quantity | None = None, Gamma: Quantity | None = None, Gamma_prime: Quantity | None = None,
               bond: Literal["auto", "x", "y", "z"] | None = None, shell: Whole | None = None,
               between: List | None = None, offset: List | None = None, atoms: List | None = None,
               pairs: List | None = None) -> Table:
        """[[kitaev]] (model kind spins): Kitaev exchange - K e_i^g e_j^g on bonds of type g = x, y, z, with Gamma and
        Gamma' terms; each pair once.

        K: coupling of the components g; K > 0 is ferromagnetic; give at least one of K, Gamma and Gamma_prime;
            default: 0. number (energy, for instance "1 meV").
        Gamma: coupling of the two components other than g with each other; default: 0. number (energy, for instance
            "1 meV").
        Gamma_prime: coupling of the component g with each of the two other components; default: 0. number (energy,
            for instance "1 meV").
        bond: type of the selected bonds; auto assigns x, y and z to the three bond directions in the order of their
            angles to the x axis (honeycomb: 30, 90, 150 degrees). string; default "auto". One of "auto"; "x"; "y";
            "z".
        shell: all bonds to neighbours of this shell; shell 1 has the nearest neighbours. whole number; at least 1; at
            most 1000.
        between: only bonds between these two species; with `offset`, the first species is at atoms[0] and the second
            at atoms[1]. list of 2 strings.
        offset: bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the reverse of each bond
            is implied. list of lists of 3 whole numbers; default []; at least -1e+06; at most 1e+06.
        atoms: the two basis atoms of `offset`, counted from 0. list of 2 whole numbers; default [0, 0]; at least 0.
        pairs: explicit pairs of sites, counted from 0, each pair once. list of lists of 2 whole numbers; default [];
            at least 0.
        """
        return self._add_table("kitaev", True, {"K": K, "Gamma": Gamma, "Gamma_prime": Gamma_prime, "bond": bond,
            "shell": shell, "between": between, "offset": offset, "atoms": atoms, "pairs": pairs})

    @of_table("[[biquadratic]]")
    def biquadratic(self, *, b: Quantity | None = None, shell: Whole | None = None, between: List | None = None,
                    offset: List | None = None, atoms: List | None = None, pairs: List | None = None,
                    symmetry: Literal["none", "crystal"] | None = None) -> Table:
        """[[biquadratic]] (model kind spins): biquadratic exchange - b (e_i.e_j)^2, each pair once; b > 0 favours
        collinear spins.

        b: coupling of each selected bond. number (energy, for instance "1 meV"); required.
        shell: all bonds to neighbours of this shell; shell 1 has the nearest neighbours. whole number; at least 1; at
            most 1000.
        between: only bonds between these two species; with `offset`, the first species is at atoms[0] and the second
            at atoms[1]. list of 2 strings.
        offset: bonds from basis atom atoms[0] to atom atoms[1] of the cell at these offsets; the reverse of each bond
            is implied. list of lists of 3 whole numbers; default []; at least -1e+06; at most 1e+06.
        atoms: the two basis atoms of `offset`, counted from 0. list of 2 whole numbers; default [0, 0]; at least 0.
        pairs: explicit pairs of sites, counted from 0, each pair once. list of lists of 2 whole numbers; default [];
            at least 0.
        symmetry: "crystal": each bond of `offset` stands for all bonds to which the space group of the lattice moves
            it, and the coupling turns with it. string; default "none". One of "none"; "crystal".
        """
        return self._add_table("biquadratic", True, {"b": b, "shell": shell, "between": between, "offset": offset,
            "atoms": atoms, "pairs": pairs, "symmetry": symmetry})

    @of_table("[[anisotropy]]")
    def anisotropy(self, *, K: Quantity | None = None, K4: Quantity | None = None, K6: Quantity | None = None,
                   axis: List | None = None, A: List | None = None, species: str | None = None,
                   atoms: Whole | List | None = None, symmetry: Literal["none", "crystal"] | None = None) -> Table:
        """[[anisotropy]] (model kind spins): uniaxial anisotropy - K (e.n)^2 - K4 (e.n)^4 - K6 (e.n)^6; K > 0 is an easy
        axis.

        K: strength of second order, where K > 0 gives an easy axis; give at least one of K, K4 and K6, or A; default:
            0. number (energy, for instance "1 meV").
        K4: strength of fourth order; default: 0. number (energy, for instance "1 meV").
        K6: strength of sixth order; default: 0. number (energy, for instance "1 meV").
        axis: direction n, a vector of any length except 0. list of 3 numbers; default [0.0, 0.0, 1.0]; not zero.
        A: symmetric matrix of the general quadratic anisotropy - e^T A e, by rows, instead of strengths and an axis.
            list of 3 lists of 3 numbers (energy, for instance "1 meV").
        species: species of the sites on which the term acts; default: all. string.
        atoms: basis atoms on which the term acts, counted from 0; default: all. list of whole numbers; default []; at
            least 0.
        symmetry: "crystal": each of `atoms` stands for all atoms to which the space group of the lattice moves it,
            and the anisotropy turns with it. string; default "none". One of "none"; "crystal".
        """
        return self._add_table("anisotropy", True, {"K": K, "K4": K4, "K6": K6, "axis": axis, "A": A,
            "species": species, "atoms": atoms, "symmetry": symmetry})

    @of_table("[[cubic-anisotropy]]")
    def cubic_anisotropy(self, *, K4: Quantity | None = None, axes: List | None = None,
                         species: str | None = None) -> Table:
        """[[cubic-anisotropy]] (model kind spins): cubic anisotropy - K4 (e_x^4 + e_y^4 + e_z^4); if K4 > 0, the easy
        axes are x, y and z.

        K4: strength; if K4 > 0, the easy axes lie along `axes`. number (energy, for instance "1 meV"); required.
        axes: three orthogonal vectors in place of x, y and z, of any lengths except 0. list of 3 lists of 3 numbers;
            default [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]; not zero.
        species: species of the sites on which the term acts; default: all. string.
        """
        return self._add_table("cubic-anisotropy", True, {"K4": K4, "axes": axes, "species": species})

    @of_table("[field]")
    def field(self, *, B: List | None = None, h: Quantity | None = None, h_by_site: Quantity | List | None = None,
              Gamma: Quantity | None = None, Gamma_by_site: Quantity | List | None = None,
              h_disorder: Quantity | None = None, Gamma_disorder: Quantity | None = None,
              disorder_distribution: Literal["normal", "bimodal", "uniform"] | None = None,
              disorder_seed: Whole | None = None, disorder_by_replica: bool | None = None) -> Table:
        """[field]: spins: uniform magnetic field, - mu B.e on every site. ising, potts: Ising: - h s_i, Potts: - h
        delta(s_i, 0). quantum: - h sz_i - Gamma sx_i at each site.

        B (spins): the field, three components. list of 3 numbers (magnetic field, for instance "1 T"); required.
        h (ising, potts): energy of a site in the field. number (energy, for instance "1 meV"); default 0.0.
        h (quantum): field along z. number (energy, for instance "1 meV"); default 0.0.
        h_by_site (ising, potts): field of each site of Ising spins, instead of h; for exact strips and ground states.
            list of numbers (energy, for instance "1 meV"); default [].
        h_by_site (quantum): field along z of each site, instead of h. list of numbers (energy, for instance "1 meV");
            default [].
        Gamma (quantum): transverse field along x, 0 or more. number (energy, for instance "1 meV"); default 0.0.
        Gamma_by_site (quantum): transverse field of each site, instead of Gamma. list of numbers (energy, for
            instance "1 meV"); default [].
        h_disorder (quantum): standard deviation of normal fields about h, or the largest deviation of bimodal and
            uniform ones. number (energy, for instance "1 meV"); default 0.0; at least 0.
        Gamma_disorder (quantum): the same for Gamma; a field below 0 is replaced by its absolute value. number
            (energy, for instance "1 meV"); default 0.0; at least 0.
        disorder_distribution (quantum): distribution of the fields; bimodal gives Gamma + Gamma_disorder or Gamma -
            Gamma_disorder, uniform all values between them. string; default "normal". One of "normal"; "bimodal";
            "uniform".
        disorder_seed (quantum): seed of the random fields. whole number; default 1.
        disorder_by_replica (quantum): whether each disorder sample has its own fields. true or false; default false.
        """
        return self._add_table("field", False, {"B": B, "h": h, "h_by_site": h_by_site, "Gamma": Gamma,
            "Gamma_by_site": Gamma_by_site, "h_disorder": h_disorder, "Gamma_disorder": Gamma_disorder,
            "disorder_distribution": disorder_distribution, "disorder_seed": disorder_seed,
            "disorder_by_replica": disorder_by_replica})

    @of_table("[[local-field]]")
    def local_field(self, *, B: List | None = None, species: str | None = None, sites: Whole | List | None = None,
                    staggered: bool | None = None) -> Table:
        """[[local-field]] (model kind spins): magnetic field - mu B.e on a species, on listed sites, or staggered over
        the basis.

        B: the field, three components. list of 3 numbers (magnetic field, for instance "1 T"); required.
        species: species of the sites that have the field B. string.
        sites: numbers of the sites that have the field B, from 0, each once. list of whole numbers; default []; at
            least 0.
        staggered: whether the field is B on the even atoms of the basis and -B on the odd atoms. true or false;
            default false.
        """
        return self._add_table("local-field", True, {"B": B, "species": species, "sites": sites,
            "staggered": staggered})

    @of_table("[[random-field]]")
    def random_field(self, *, width: Quantity | None = None, axis: List | None = None, seed: Whole | None = None,
                     by_replica: bool | None = None) -> Table:
        """[[random-field]] (model kind spins): frozen random field - mu B.e, normally distributed from site to site.

        width: standard deviation of each component. number (magnetic field, for instance "1 T"); required; at least
            0.
        axis: direction of all fields, a vector of any length except 0; if left out, directions are random. list of 3
            numbers; not zero.
        seed: seed of this field; tables with equal seeds have equal random numbers. whole number; default 1.
        by_replica: whether each disorder sample has its own field; if so, means over replicas are means over
            disorder. true or false; default false.
        """
        return self._add_table("random-field", True, {"width": width, "axis": axis, "seed": seed,
            "by_replica": by_replica})

    @of_table("[dipolar]")
    def dipolar(self, *, strength: Number | None = None,
                method: Literal["auto", "fft", "bonds", "cutoff"] | None = None, cutoff: Quantity | None = None,
                demagnetisation: List | None = None) -> Table:
        """[dipolar] (model kind spins): dipole-dipole interaction of all moments, periodic images included.

        strength: energy of two parallel unit moments side by side at unit distance; reduced units need this key, and
            material units do not allow it. number; positive.
        method: fft supports lattices of any size, but not Monte Carlo; bonds makes every pair a bond, and also
            supports Monte Carlo and plain positions; cutoff is an approximation, with bonds up to `cutoff`; auto
            chooses cutoff if `cutoff` is given, otherwise fft on lattices and bonds for plain positions. string;
            default "auto". One of "auto"; "fft"; "bonds"; "cutoff".
        cutoff: largest distance of a pair if method is cutoff. number (length, for instance "1 Å"); positive.
        demagnetisation: three demagnetising factors of the sample that surrounds the box; their sum is 1, and each is
            1/3 for a sphere; only if all directions are periodic; default: none. list of 3 numbers; default [0.0,
            0.0, 0.0]; at least 0; at most 1.
        """
        return self._add_table("dipolar", False, {"strength": strength, "method": method, "cutoff": cutoff,
            "demagnetisation": demagnetisation})

    @of_table("[initial]")
    def initial(self, *,
                state: Literal["random", "cone", "random-signs", "aligned", "sublattices", "spiral", "domain-wall", "skyrmion", "antiskyrmion", "skyrmion-lattice", "vortex", "hopfion", "file"] | None = None,
                direction: List | None = None, directions: List | None = None, angle: Quantity | None = None,
                q: List | None = None, normal: List | None = None, centre: List | None = None,
                width: Quantity | None = None, wall: Literal["auto", "neel", "bloch"] | None = None,
                inside: List | None = None, radius: Quantity | None = None, period: Quantity | None = None,
                orientation: Quantity | None = None, winding: Whole | None = None,
                helicity: Literal["auto"] | Quantity | None = None, hopf_index: Whole | None = None,
                file: PathName | None = None, value: Whole | None = None) -> Table:
        """[initial]: spins: the spins before the first stage. ising, potts: the states of the sites before the first
        stage. phi4: the fields before the first stage.

        state (spins): the directions of the spins. string; default "random". One of "random": random directions;
            "cone": random directions around `direction`: the angle to it is uniform between 0 and `angle`, equal in
            all replicas; "random-signs": each spin along or against `direction` or its entry of `directions`, equal
            in all replicas; "aligned": all along `direction`; "sublattices": each basis atom along its own entry of
            `directions`; "spiral": turns `direction` about `normal` by q.r; "domain-wall": from `direction` to its
            opposite along `normal`; "skyrmion": a core against `direction`, in surroundings along `direction`;
            "antiskyrmion": a skyrmion whose in-plane spins turn around the centre in the opposite sense;
            "skyrmion-lattice": skyrmions on a triangular lattice: three spirals superposed; "vortex": spins in the
            plane that circle a core along `direction`, or point away from the core; "hopfion": a skyrmion tube closed
            to a ring about z, in surroundings along `direction`; "file": spins from a `file`, one for each site.
        state (ising, potts): random: each site has a random state; aligned: all sites have the state `value`. string;
            default "random". One of "random"; "aligned".
        state (phi4): random: fields of length 1 in random directions; aligned: all fields are (1, 0, ..). string;
            default "random". One of "random"; "aligned".
        direction (spins): aligned: direction of all spins; cone: its axis; random-signs: direction of all spins
            before their signs; domain-wall: direction of the spins on the side away from which `normal` points;
            spiral: the direction that is turned; skyrmions and hopfion: direction of the surroundings; vortex:
            direction of the core. Give a vector of any length except 0. The default is z, and for skyrmions, hopfion
            and vortex -z if the z component of [field] is negative. list of 3 numbers; not zero.
        directions (spins): sublattices, random-signs: one direction for each basis atom, a vector of any length
            except 0. list of lists of 3 numbers; default []; not zero.
        angle (spins): cone: the largest angle between a spin and `direction`. number (angle, for instance "1 deg");
            positive.
        q (spins): wave vector of the spiral in reciprocal-lattice units. The default is 0. list of 3 numbers.
        normal (spins): axis of the spiral, or normal of the domain wall. The default is z. list of 3 numbers; not
            zero.
        centre (spins): centre of a texture; skyrmion-lattice: centre of one of the skyrmions. The default is the
            middle of the lattice. list of 3 numbers (length, for instance "1 Å").
        width (spins): domain wall: the magnetisation varies as tanh(x / width); vortex: width of the core; skyrmion
            and hopfion: width of the wall around the core, half the radius if left out. number (length, for instance
            "1 Å"); positive.
        wall (spins): direction of the spins inside a domain wall. If neither `wall` nor `inside` is given, it is
            auto. string. One of "auto": lowest energy of the Dzyaloshinskii-Moriya interaction; along normal without
            this interaction; "neel": along normal or against it, by the lowest energy of the Dzyaloshinskii-Moriya
            interaction; along normal without this interaction; "bloch": along normal x direction or against it, by
            the lowest energy of the Dzyaloshinskii-Moriya interaction; along normal x direction without this
            interaction.
        inside (spins): instead of `wall`: direction of the spins inside a domain wall, from which the component along
            `direction` is removed. list of 3 numbers; not zero.
        radius (spins): skyrmion: radius at which the spins lie in the plane; hopfion: radius of the ring of spins
            against direction. number (length, for instance "1 Å"); positive.
        period (spins): skyrmion-lattice: distance between neighbouring skyrmions; the program adapts it so that whole
            periods fit into a periodic lattice. number (length, for instance "1 Å"); positive.
        orientation (spins): skyrmion-lattice: angle from x to the next skyrmion, counterclockwise. The default is 0.
            number (angle, for instance "1 deg").
        winding (spins): skyrmion, vortex, skyrmion-lattice: number of turns of the in-plane spins around the centre.
            The default is 1, and for an antiskyrmion -1. whole number; at least -1000; at most 1000.
        helicity (spins): skyrmions, vortex, hopfion: angle by which all spins are turned about z. In-plane spins
            point outwards at 0 and inwards at 180 deg (Neel). They circle counterclockwise at 90 deg and clockwise at
            -90 deg (Bloch). auto takes the angle of lowest energy of the Dzyaloshinskii-Moriya interaction, or 0 if
            no angle is lower. number or "auto" (angle, for instance "1 deg"); default "auto".
        hopf_index (spins): hopfion: the Hopf index, with sign. The default is 1. whole number; at least -100; at most
            100.
        file (spins): state = "file": extended XYZ file with a column spin:R:3, or restart file of UppASD, whose
            ensembles become replicas. Its sites must have the order that `larmor export` writes. string; not empty.
        value (ising, potts): state of all sites. Ising spins are 1 or -1, and the default is 1. Potts states are 0 to
            states - 1, and the default is 0. whole number.
        """
        return self._add_table("initial", False, {"state": state, "direction": direction, "directions": directions,
            "angle": angle, "q": q, "normal": normal, "centre": centre, "width": width, "wall": wall,
            "inside": inside, "radius": radius, "period": period, "orientation": orientation, "winding": winding,
            "helicity": helicity, "hopf_index": hopf_index, "file": file, "value": value})

    @of_table("[potts]")
    def potts(self, *, states: Whole | None = None) -> Table:
        """[potts] (model kind potts): the states of a site.

        states: number q of states of a site. whole number; default 3; at least 2; at most 255.
        """
        return self._add_table("potts", False, {"states": states})

    @of_table("[quantum]")
    def quantum(self, *, operators: Literal["pauli", "spin"] | None = None) -> Table:
        """[quantum] (model kind quantum): the operators of the Hamiltonian.

        operators: Pauli matrices s, or spins S = s / 2 in exchange and fields; averages in results are those of Pauli
            matrices. string; default "pauli". One of "pauli"; "spin".
        """
        return self._add_table("quantum", False, {"operators": operators})

    @of_table("[phi4]")
    def phi4(self, *, components: Whole | None = None, kappa: Number | List | None = None,
             lambda_: Literal["infinity"] | Number | None = None) -> Table:
        """[phi4] (model kind phi4): S = sum_x [ -2 kappa sum_mu phi_x.phi_x+mu + phi_x^2 + lambda (phi_x^2 - 1)^2 ],
        weight exp(-S).

        components: number N of components of the field. whole number; default 1; at least 1; at most 8.
        kappa: hopping parameter. Several values form a ladder of n rungs: replica r has the value number r modulo n,
            counted from 0. list of numbers; required; not empty.
        lambda_: self-coupling, not negative; "infinity" fixes |phi| = 1. number or "infinity"; default "infinity".
        """
        return self._add_table("phi4", False, {"components": components, "kappa": kappa, "lambda": lambda_})

    @of_table("[structure]")
    def structure(self, *, file: File | None = None, frame: Whole | None = None, repeat: List | None = None,
                  elements: str | List | None = None, frames: Literal["all"] | Whole | List | None = None) -> Table:
        """[structure] (model kind atoms): a file with the initial structure of the atoms.

        file: extended XYZ, data or dump file of LAMMPS, or POSCAR. string; required; not empty.
        frame: number of the structure, counted from 0, in a file of several structures. whole number; default 0; at
            least 0.
        repeat: number of copies of the structure along each vector of its cell. list of 3 whole numbers; default [1,
            1, 1]; at least 1.
        elements: element of each type 1, 2, .. in a data or dump file of LAMMPS. list of strings; default []; not
            empty.
        frames: used instead of frame: a list with the number of the structure of each replica, or "all" if the file
            has one structure for each replica, in order. The structures may differ in atoms and boxes. list of whole
            numbers or "all".
        """
        return self._add_table("structure", False, {"file": file, "frame": frame, "repeat": repeat,
            "elements": elements, "frames": frames})

    @of_table("[atoms]")
    def atoms(self, *, masses: Map | None = None, velocities: Literal["thermal", "file"] | None = None,
              temperature: Quantity | List | None = None, scaled: bool | None = None,
              seeds: Whole | List | None = None, skin: Quantity | None = None) -> Table:
        """[atoms] (model kind atoms): masses, and velocities before the first stage.

        masses: masses by element, such as { W = "183.84 g/mol" }. The defaults are the masses in the file, or else
            those of the elements. table of masses; default {}.
        velocities: velocities before the first stage, without motion of the centre of mass. string; default
            "thermal". One of "thermal": drawn at `temperature` (Maxwell-Boltzmann); "file": those in the file of
            `structure`.
        temperature: temperature of thermal velocities: a number, or a list with one for each replica; at 0 the atoms
            are at rest. list of numbers (temperature, for instance "1 K"); default [0.0]; at least 0.
        scaled: if true, one factor for all thermal velocities makes the kinetic temperature exactly `temperature`.
            Otherwise the kinetic temperature scatters as in equilibrium. true or false; default false.
        seeds: list with a seed for each replica. A replica then has the random numbers of a study with this `seed`
            and one replica. If left out, the `seed` of the study and the number of the replica give the random
            numbers. list of whole numbers; default []; not empty.
        skin: length that is added to the cutoff in the search for neighbours. With a larger skin the search is
            repeated less often. Results do not depend on the skin. number (length, for instance "1 Å"); default 1.0;
            at least 0.
        """
        return self._add_table("atoms", False, {"masses": masses, "velocities": velocities,
            "temperature": temperature, "scaled": scaled, "seeds": seeds, "skin": skin})

    @of_table("[[snap]]")
    def snap(self, *, prefix: PathName | None = None, script: PathName | None = None,
             coefficients: PathName | None = None, parameters: PathName | None = None) -> Table:
        """[[snap]] (model kind atoms): a SNAP potential; energies of several tables are added.

        prefix: prefix of the files PREFIX.snapcoeff and PREFIX.snapparam. string; not empty.
        script: used instead of prefix: an include file of LAMMPS (.snap) with pair_style snap, by itself or overlaid
            with zbl. string; not empty.
        coefficients: used instead of prefix, together with `parameters`: a .snapcoeff file. string; not empty.
        parameters: a .snapparam file, required with `coefficients`. string; not empty.
        """
        return self._add_table("snap", True, {"prefix": prefix, "script": script, "coefficients": coefficients,
            "parameters": parameters})

    @of_table("[[zbl]]")
    def zbl(self, *, inner: Quantity | None = None, outer: Quantity | None = None, elements: str | List | None = None,
            charges: Number | List | None = None) -> Table:
        """[[zbl]] (model kind atoms): screened repulsion of nuclei (Ziegler, Biersack, Littmark), which is added to
        other potentials.

        inner: distance from which the repulsion is switched off. number (length, for instance "1 Å"); required;
            positive.
        outer: distance beyond which the repulsion is zero. number (length, for instance "1 Å"); required; positive.
        elements: elements that repel one another. The default is all. list of strings; default []; not empty.
        charges: charges of the nuclei of `elements`. The default is atomic numbers. list of numbers; default [];
            positive; not empty.
        """
        return self._add_table("zbl", True, {"inner": inner, "outer": outer, "elements": elements,
            "charges": charges})

    @of_table("[particles]")
    def particles(self, *, coordinates: str | List | None = None, potential: str | None = None,
                  parameters: Map | None = None, start: Number | List | None = None,
                  gradient: str | List | None = None, state: str | None = None, length: Number | None = None,
                  diffusion: Number | None = None, friction: Number | None = None) -> Table:
        """[particles] (model kind particles): Brownian particles: their coordinates, and their potential as a formula.

        coordinates: names of the coordinates, as ["x", "y"]. list of strings; required; not empty.
        potential: formula of the potential energy, as "h*(x^2-1)^2 + y^2". string; required; not empty.
        parameters: numbers that formulas name, as { h = 3 }. table of numbers; default {}.
        start: coordinates at the beginning of the study. list of numbers; required.
        gradient: formulas of the derivatives of the potential by each coordinate. If left out, differences of the
            potential replace them, which take four times as long. list of strings; default []; not empty.
        state: formula that gives a whole number for each state, as "x > 0". If left out, a state is the basin of a
            minimum. string; not empty.
        length: typical length of the potential. Minima closer than a thousandth of it are one state. number; default
            1.0; positive.
        diffusion: diffusion constant of overdamped motion. The default is 1. number; positive.
        friction: friction of motion with masses 1. If left out, the motion is overdamped. number; positive.
        """
        return self._add_table("particles", False, {"coordinates": coordinates, "potential": potential,
            "parameters": parameters, "start": start, "gradient": gradient, "state": state, "length": length,
            "diffusion": diffusion, "friction": friction})

    @of_table("[checkpoint]")
    def checkpoint(self, *, every: Number | None = None) -> Table:
        """[checkpoint]: how often the run writes a checkpoint.

        every: seconds of wall time between checkpoints. number; default 300.0; positive.
        """
        return self._add_table("checkpoint", False, {"every": every})

    @of_table("[[scan]]")
    def scan(self, *, key: str | None = None, values: Any = None, with_: Map | List | None = None) -> Table:
        """[[scan]]: a key of the study that takes several values; every combination of the values of several tables is a
        separate study.

        key: path of the key. Dots join names, and entries of lists are numbered from 1, as in "stage.1.temperature",
            "exchange.2.J", "field.B.3". string; required.
        values: its values, in order: a list, or { from, to, points }. any value; required. Keys: `from`, `to`,
            `points`; see larmor.explain("scan.values").
        with_: further keys that change together with this key, value by value: [{ key, values }]. list of tables; not
            empty. Keys: `key`, `values`; see larmor.explain("scan.with").
        """
        return self._add_table("scan", True, {"key": key, "values": values, "with": with_})

    @overload
    def stage(self, kind: Literal["anneal"], *, temperature: Map | None = None,
              sampler: Literal["metropolis", "heat-bath", "swendsen-wang", "wolff", "glauber"] | None = None,
              move: Literal["adaptive-cone", "uniform"] | None = None, target_acceptance: Number | None = None,
              over_relaxation: Whole | None = None, clusters: Whole | None = None, added_field: List | None = None,
              sweeps: Whole | None = None, keep_configurations: Whole | None = None,
              engine: Literal["automatic", "bits", "samples", "general"] | None = None) -> Table:
        """[[stage]] of kind "anneal" (model kind spins or ising or potts): cool (or heat) slowly through a range of
        temperatures.

        temperature: the range of temperatures. table; required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("anneal.temperature").
        sampler (spins): method that updates a spin. string; default "metropolis". One of "metropolis": proposes a
            change of each spin, and accepts it with probability min(1, exp(-dE / k_B T)); "heat-bath": draws each
            spin from its Boltzmann distribution; "swendsen-wang": divides all sites into clusters along a random
            axis, and reflects each cluster with probability 1/2; only for isotropic exchange; "wolff": grows some
            clusters from random sites, and reflects each cluster along a random axis; only for isotropic exchange.
        sampler (ising, potts): method that updates the states. string; default "metropolis". One of "metropolis":
            proposes another state of a site, and accepts it with probability min(1, exp(-dE / T)); "glauber":
            proposes another state of a site, and accepts it with probability 1 / (1 + exp(dE / T)); "heat-bath":
            draws the state of a site by its Boltzmann weight; "swendsen-wang": divides all sites into clusters of
            satisfied bonds, and gives each cluster a random state; "wolff": grows some clusters from random sites,
            and gives each cluster another state.
        move (spins): direction of a Metropolis trial: anywhere on the sphere, or in a cone around the spin. The first
            size of the cone is its final size in the stage before. The size is tuned only while nothing is averaged.
            string; default "adaptive-cone". One of "adaptive-cone"; "uniform".
        target_acceptance (spins): acceptance to which the adaptive cone is tuned. number; default 0.5; at least 0.2;
            at most 0.9.
        over_relaxation (spins): number of over-relaxations of every spin after each sweep; each reflects the spin
            about its field. whole number; default 0; at least 0; at most 1000.
        clusters: wolff: number of clusters that grow in each replica in a sweep. The default is 1. whole number; at
            least 1; at most 1e+06.
        added_field (spins): uniform field that is added to the fields of the Hamiltonian, only in this stage. list of
            3 numbers (magnetic field, for instance "1 T").
        sweeps: sweeps at each temperature. whole number; default 100; at least 1; at most 1e+12.
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        engine (ising, potts): metropolis, glauber and heat-bath: the form in which states are stored. string; default
            "automatic". One of "automatic": samples or bits if the system allows one of these forms, otherwise
            general; "bits": Ising spins of a grid, with a bit for each; "samples": tempering: Ising spins of a grid;
            64 disorder samples share a word, with a bit for each; "general": states on any lattice or graph.
        """
        ...

    @overload
    def stage(self, kind: Literal["monte-carlo"], *, temperature: Any = None,
              sampler: Literal["metropolis", "heat-bath", "swendsen-wang", "wolff", "glauber"] | None = None,
              move: Literal["adaptive-cone", "uniform"] | None = None, target_acceptance: Number | None = None,
              over_relaxation: Whole | None = None, clusters: Whole | None = None, added_field: List | None = None,
              thermalisation: Whole | None = None, sweeps: Whole | None = None, measure_every: Whole | None = None,
              measure: Literal["energy", "magnetisation", "energy-terms", "sublattices", "topological-charge", "spin-temperature", "spin-currents", "site-energy", "site-spins", "structure-factor", "cluster-sizes", "improved-susceptibility", "overlap", "magnetisation-moments", "correlation-length", "axis-correlations", "action", "moments"] | Map | List | None = None,
              trajectory_every: Whole | None = None, keep_configurations: Whole | None = None,
              engine: Literal["automatic", "bits", "samples", "general"] | None = None,
              local_sweeps: Whole | None = None) -> Table:
        """[[stage]] of kind "monte-carlo": spins, ising, potts: sample equilibrium at one temperature or several. phi4:
        sample equilibrium.

        temperature (spins, ising, potts): a temperature, a list of them, or { from, to, factor | step | points }. any
            value (temperature, for instance "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("monte-carlo.temperature").
        sampler (spins): method that updates a spin. string; default "metropolis". One of "metropolis": proposes a
            change of each spin, and accepts it with probability min(1, exp(-dE / k_B T)); "heat-bath": draws each
            spin from its Boltzmann distribution; "swendsen-wang": divides all sites into clusters along a random
            axis, and reflects each cluster with probability 1/2; only for isotropic exchange; "wolff": grows some
            clusters from random sites, and reflects each cluster along a random axis; only for isotropic exchange.
        sampler (ising, potts): method that updates the states. string; default "metropolis". One of "metropolis":
            proposes another state of a site, and accepts it with probability min(1, exp(-dE / T)); "glauber":
            proposes another state of a site, and accepts it with probability 1 / (1 + exp(dE / T)); "heat-bath":
            draws the state of a site by its Boltzmann weight; "swendsen-wang": divides all sites into clusters of
            satisfied bonds, and gives each cluster a random state; "wolff": grows some clusters from random sites,
            and gives each cluster another state.
        sampler (phi4): method that updates the fields. string; default "metropolis". One of "metropolis": proposes
            normally distributed changes of each site, of a width at which half of them are accepted; "heat-bath":
            draws fields by their weight; needs lambda = 0, or lambda = infinity with 1 or 3 components;
            "swendsen-wang": divides all sites into clusters along a random axis, and reflects each cluster with
            probability 1/2; "wolff": grows clusters from random sites, and reflects each cluster along a random axis.
        move (spins): direction of a Metropolis trial: anywhere on the sphere, or in a cone around the spin. The first
            size of the cone is its final size in the stage before. The size is tuned only while nothing is averaged.
            string; default "adaptive-cone". One of "adaptive-cone"; "uniform".
        target_acceptance (spins): acceptance to which the adaptive cone is tuned. number; default 0.5; at least 0.2;
            at most 0.9.
        over_relaxation (spins): number of over-relaxations of every spin after each sweep; each reflects the spin
            about its field. whole number; default 0; at least 0; at most 1000.
        over_relaxation (phi4): number of times that each sweep reflects the field of every site about the sum of its
            neighbours. whole number; default 0; at least 0; at most 1000.
        clusters: wolff: number of clusters that grow in each replica in a sweep. The default is 1. whole number; at
            least 1; at most 1e+06.
        added_field (spins): uniform field that is added to the fields of the Hamiltonian, only in this stage. list of
            3 numbers (magnetic field, for instance "1 T").
        thermalisation (spins, ising, potts): sweeps at each temperature before measuring. whole number; default 1000;
            at least 0; at most 1e+12.
        thermalisation (phi4): sweeps before measuring. whole number; default 1000; at least 0; at most 1e+12.
        sweeps (spins, ising, potts): sweeps at each temperature while measuring. whole number; default 10000; at
            least 1; at most 1e+12.
        sweeps (phi4): sweeps while measuring. whole number; default 10000; at least 1; at most 1e+12.
        measure_every: number of sweeps between measurements. The default is 10, and for cluster updates 1. whole
            number; at least 1.
        measure (spins): names, or `{ what = NAME, .. }` for a measurement with keys; energy, magnetisation are always
            measured. list of strings and tables. One of "energy": the energy per site, and the specific heat; give
            only its name; "magnetisation": the moment per site, susceptibility and Binder cumulant; give only its
            name; "energy-terms": the energy per site of each term of the Hamiltonian; give only its name;
            "sublattices": the magnetisation of each species per site of this species; if there is only one species,
            that of each basis atom; give only its name; "topological-charge": number of times that the spins of a
            layer cover the sphere, summed over layers; give only its name; "spin-temperature": the temperature of the
            spins, from torques and fields of the Hamiltonian, without pulses; give only its name; "spin-currents":
            the spin current along each direction of the lattice, without the part of dipoles; give only its name;
            "site-energy": the mean energy of every site, which includes half the energy of each of its bonds; give
            only its name; "site-spins": the mean spin of every site; give only its name; "structure-factor": S(q) at
            equal times, by wave vector; "cluster-sizes": the number of clusters and the size of the largest one; only
            with the samplers swendsen-wang and wolff; give only its name; "improved-susceptibility": <m^2> and N
            <m^2> / k_B T from sums over clusters; only with the samplers swendsen-wang and wolff; give only its name;
            "overlap": overlaps of copies, which are replicas of one sample at one temperature: P(q), link overlap,
            spin-glass susceptibility and correlation length. Keys: `what`, `every`, `path`, `points`, `q`, `grid`,
            `method`, `components`, `connected`, `bins`; see larmor.explain("monte-carlo.measure").
        measure (ising, potts): names, or `{ what = NAME, .. }` for a measurement with keys; energy, magnetisation are
            always measured. list of strings and tables. One of "energy": the energy per site; give only its name;
            "magnetisation": Ising: the mean of the spins; Potts: a vector, of length 1 if all sites are in one state;
            give only its name; "magnetisation-moments": <m^2> and <m^4>; give only its name; "correlation-length":
            second-moment correlation length and S(2 pi / L) along every periodic axis of a grid, where L is the
            length of this axis; also <m^2> and <m^4>; give only its name; "axis-correlations": correlations along
            every axis of a grid, by distance; "cluster-sizes": clusters by size, the number of clusters and the size
            of the largest one; only with the samplers swendsen-wang and wolff; give only its name;
            "improved-susceptibility": <m^2> and N <m^2> / T from the sizes of clusters; only with the samplers
            swendsen-wang and wolff; give only its name; "overlap": overlaps of copies, which are replicas of one
            sample at one temperature: P(q), link overlap, spin-glass susceptibility and correlation length. Keys:
            `what`, `distance`, `bins`; see larmor.explain("monte-carlo.measure").
        measure (phi4): names, or `{ what = NAME, .. }` for a measurement with keys; action, magnetisation are always
            measured. list of strings and tables; default ["action", "magnetisation", "moments"]. One of "action": S
            per site; "magnetisation": the mean of phi, a vector of N components; "moments": phi_x.phi_x+mu per bond,
            phi^2, phi^4, and m^2 and m^4 of the magnetisation m; "improved-susceptibility": V <m^2> of V sites from
            clusters, with less scatter than from fields.
        trajectory_every: number of measurements between stored configurations. If 0, no configurations are stored.
            whole number; default 0; at least 0.
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        engine (ising, potts): metropolis, glauber and heat-bath: the form in which states are stored. string; default
            "automatic". One of "automatic": samples or bits if the system allows one of these forms, otherwise
            general; "bits": Ising spins of a grid, with a bit for each; "samples": tempering: Ising spins of a grid;
            64 disorder samples share a word, with a bit for each; "general": states on any lattice or graph.
        local_sweeps (phi4): number of Metropolis updates of every site in each sweep of clusters. The default is 1,
            and at lambda = infinity it is 0. whole number; at least 0; at most 1000.
        """
        ...

    @overload
    def stage(self, kind: Literal["tempering"], *, temperature: Any = None, field: Any = None,
              direction: List | None = None, copies: Whole | None = None, exchange_every: Whole | None = None,
              isoenergetic_every: Whole | None = None,
              sampler: Literal["metropolis", "heat-bath", "swendsen-wang", "wolff", "glauber"] | None = None,
              move: Literal["adaptive-cone", "uniform"] | None = None, target_acceptance: Number | None = None,
              over_relaxation: Whole | None = None, clusters: Whole | None = None, added_field: List | None = None,
              thermalisation: Whole | None = None, sweeps: Whole | None = None, measure_every: Whole | None = None,
              measure: Literal["energy", "magnetisation", "energy-terms", "sublattices", "topological-charge", "spin-temperature", "spin-currents", "site-energy", "site-spins", "structure-factor", "cluster-sizes", "improved-susceptibility", "overlap", "magnetisation-moments", "correlation-length", "axis-correlations", "action", "moments", "thermodynamics"] | Map | List | None = None,
              keep_configurations: Whole | None = None, keep_series: bool | None = None,
              engine: Literal["automatic", "bits", "samples", "general"] | None = None,
              local_sweeps: Whole | None = None, timestep: Quantity | None = None,
              thermostat: Literal["langevin", "bussi"] | None = None, thermostat_time: Quantity | None = None,
              steps: Whole | None = None) -> Table:
        """[[stage]] of kind "tempering": spins, ising, potts: sample all temperatures or fields of a ladder, between
        which replicas are exchanged. phi4: sample all couplings of a ladder, between which replicas are exchanged.
        atoms: sample all temperatures of a ladder, between which replicas are exchanged.

        temperature (spins, ising, potts): temperatures of the rungs: a list, or { from, to, points, spacing }. With
            `field`, give one number for all rungs. any value (temperature, for instance "1 K"); required. Keys:
            `from`, `to`, `points`, `spacing`; see larmor.explain("tempering.temperature").
        temperature (atoms): temperatures of the rungs: a list, or { from, to, points, spacing }. any value
            (temperature, for instance "1 K"); required. Keys: `from`, `to`, `points`, `spacing`; see
            larmor.explain("tempering.temperature").
        field (spins): fields of the rungs, added to the fields of the Hamiltonian: a list, or { from, to, points,
            spacing }. any value (magnetic field, for instance "1 T"). Keys: `from`, `to`, `points`, `spacing`; see
            larmor.explain("tempering.field").
        field (ising, potts): fields of the rungs, added to the fields of the Hamiltonian: a list, or { from, to,
            points, spacing }. any value (energy, for instance "1 meV"). Keys: `from`, `to`, `points`, `spacing`; see
            larmor.explain("tempering.field").
        direction (spins): direction of the field, a vector of any length except 0. The default is [0, 0, 1]. list of
            3 numbers; not zero.
        copies: number of ladders of each sample. The default is as many as the replicas allow. whole number; at least
            1.
        exchange_every (spins, ising, potts, phi4): sweeps between exchanges of every second pair of neighbouring
            rungs. whole number; default 10; at least 1; at most 1e+06.
        exchange_every (atoms): steps between exchanges of every second pair of neighbouring rungs. whole number;
            default 100; at least 1; at most 1e+06.
        isoenergetic_every (spins, ising, potts, phi4): sweeps between cluster moves that swap states of two copies of
            a sample at one rung. If left out, there are no such moves. whole number; at least 1; at most 1e+06.
        sampler (spins): method that updates a spin. string; default "metropolis". One of "metropolis": proposes a
            change of each spin, and accepts it with probability min(1, exp(-dE / k_B T)); "heat-bath": draws each
            spin from its Boltzmann distribution; "swendsen-wang": divides all sites into clusters along a random
            axis, and reflects each cluster with probability 1/2; only for isotropic exchange; "wolff": grows some
            clusters from random sites, and reflects each cluster along a random axis; only for isotropic exchange.
        sampler (ising, potts): method that updates the states. string; default "metropolis". One of "metropolis":
            proposes another state of a site, and accepts it with probability min(1, exp(-dE / T)); "glauber":
            proposes another state of a site, and accepts it with probability 1 / (1 + exp(dE / T)); "heat-bath":
            draws the state of a site by its Boltzmann weight; "swendsen-wang": divides all sites into clusters of
            satisfied bonds, and gives each cluster a random state; "wolff": grows some clusters from random sites,
            and gives each cluster another state.
        sampler (phi4): method that updates the fields. string; default "metropolis". One of "metropolis": proposes
            normally distributed changes of each site, of a width at which half of them are accepted; "heat-bath":
            draws fields by their weight; needs lambda = 0, or lambda = infinity with 1 or 3 components;
            "swendsen-wang": divides all sites into clusters along a random axis, and reflects each cluster with
            probability 1/2; "wolff": grows clusters from random sites, and reflects each cluster along a random axis.
        move (spins): direction of a Metropolis trial: anywhere on the sphere, or in a cone around the spin. The first
            size of the cone is its final size in the stage before. The size is tuned only while nothing is averaged.
            string; default "adaptive-cone". One of "adaptive-cone"; "uniform".
        target_acceptance (spins): acceptance to which the adaptive cone is tuned. number; default 0.5; at least 0.2;
            at most 0.9.
        over_relaxation (spins): number of over-relaxations of every spin after each sweep; each reflects the spin
            about its field. whole number; default 0; at least 0; at most 1000.
        over_relaxation (phi4): number of times that each sweep reflects the field of every site about the sum of its
            neighbours. whole number; default 0; at least 0; at most 1000.
        clusters (spins, ising, potts, phi4): wolff: number of clusters that grow in each replica in a sweep. The
            default is 1. whole number; at least 1; at most 1e+06.
        added_field (spins): uniform field that is added to the fields of the Hamiltonian, only in this stage. list of
            3 numbers (magnetic field, for instance "1 T").
        thermalisation (spins, ising, potts, phi4): sweeps before measuring, in which a ladder is tuned. whole number;
            default 10000; at least 0; at most 1e+12.
        thermalisation (atoms): steps before measuring, in which a ladder is tuned. whole number; default 10000; at
            least 0; at most 1e+12.
        sweeps (spins, ising, potts, phi4): sweeps while measuring. whole number; default 100000; at least 1; at most
            1e+12.
        measure_every (spins, ising, potts, phi4): number of sweeps between measurements. The default is 10, and for
            cluster updates 1. whole number; at least 1.
        measure_every (atoms): number of steps between measurements. The default is 10. whole number; at least 1.
        measure (spins): names of properties of configurations; energy, magnetisation are always measured. list of
            strings and tables. One of "energy": the energy per site, and the specific heat; give only its name;
            "magnetisation": the moment per site, susceptibility and Binder cumulant; give only its name;
            "energy-terms": the energy per site of each term of the Hamiltonian; give only its name; "sublattices":
            the magnetisation of each species per site of this species; if there is only one species, that of each
            basis atom; give only its name; "topological-charge": number of times that the spins of a layer cover the
            sphere, summed over layers; give only its name; "spin-temperature": the temperature of the spins, from
            torques and fields of the Hamiltonian, without pulses; give only its name; "spin-currents": the spin
            current along each direction of the lattice, without the part of dipoles; give only its name;
            "site-energy": the mean energy of every site, which includes half the energy of each of its bonds; give
            only its name; "site-spins": the mean spin of every site; give only its name; "structure-factor": S(q) at
            equal times, by wave vector; "cluster-sizes": the number of clusters and the size of the largest one; only
            with the samplers swendsen-wang and wolff; give only its name; "improved-susceptibility": <m^2> and N
            <m^2> / k_B T from sums over clusters; only with the samplers swendsen-wang and wolff; give only its name;
            "overlap": overlaps of copies, which are replicas of one sample at one temperature: P(q), link overlap,
            spin-glass susceptibility and correlation length. Keys: `what`, `every`, `path`, `points`, `q`, `grid`,
            `method`, `components`, `connected`, `bins`; see larmor.explain("tempering.measure").
        measure (ising, potts): names of properties of configurations; energy, magnetisation are always measured. list
            of strings and tables. One of "energy": the energy per site; give only its name; "magnetisation": Ising:
            the mean of the spins; Potts: a vector, of length 1 if all sites are in one state; give only its name;
            "magnetisation-moments": <m^2> and <m^4>; give only its name; "correlation-length": second-moment
            correlation length and S(2 pi / L) along every periodic axis of a grid, where L is the length of this
            axis; also <m^2> and <m^4>; give only its name; "axis-correlations": correlations along every axis of a
            grid, by distance; "cluster-sizes": clusters by size, the number of clusters and the size of the largest
            one; only with the samplers swendsen-wang and wolff; give only its name; "improved-susceptibility": <m^2>
            and N <m^2> / T from the sizes of clusters; only with the samplers swendsen-wang and wolff; give only its
            name; "overlap": overlaps of copies, which are replicas of one sample at one temperature: P(q), link
            overlap, spin-glass susceptibility and correlation length. Keys: `what`, `distance`, `bins`; see
            larmor.explain("tempering.measure").
        measure (phi4): names of properties of configurations; action, magnetisation are always measured. list of
            strings and tables; default ["action", "magnetisation", "moments"]. One of "action": S per site;
            "magnetisation": the mean of phi, a vector of N components; "moments": phi_x.phi_x+mu per bond, phi^2,
            phi^4, and m^2 and m^4 of the magnetisation m; "improved-susceptibility": V <m^2> of V sites from
            clusters, with less scatter than from fields.
        measure (atoms): names of properties of configurations; energy are always measured. list of strings and
            tables; default ["thermodynamics"]. One of "energy": potential energy per atom; "thermodynamics": energies
            of the whole box, temperature and pressure.
        keep_configurations: number of replicas whose configuration is stored; replica r ends at rung r modulo the
            number of rungs. whole number; default 1; at least 0.
        keep_series: if true, stores the measurements of every replica at every sample. If false, only averages are
            stored, which cannot be reweighted. true or false; default true.
        engine (ising, potts): metropolis, glauber and heat-bath: the form in which states are stored. string; default
            "automatic". One of "automatic": samples or bits if the system allows one of these forms, otherwise
            general; "bits": Ising spins of a grid, with a bit for each; "samples": tempering: Ising spins of a grid;
            64 disorder samples share a word, with a bit for each; "general": states on any lattice or graph.
        local_sweeps (phi4): number of Metropolis updates of every site in each sweep of clusters. The default is 1,
            and at lambda = infinity it is 0. whole number; at least 0; at most 1000.
        timestep (atoms): length of a step. number (time, for instance "1 fs"); required; positive.
        thermostat (atoms): thermostat, which keeps the temperature of each replica. string; default "langevin". One
            of "langevin": Langevin dynamics; the friction coefficient is one over thermostat_time; "bussi": velocity
            rescaling with a random number (Bussi, Donadio, Parrinello).
        thermostat_time (atoms): relaxation time of the thermostat. number (time, for instance "1 fs"); default 0.1;
            positive.
        steps (atoms): steps while measuring. whole number; default 100000; at least 1; at most 1e+12.
        """
        ...

    @overload
    def stage(self, kind: Literal["population-annealing"], *, temperature: Any = None,
              sampler: Literal["metropolis", "heat-bath", "swendsen-wang", "wolff", "glauber"] | None = None,
              move: Literal["adaptive-cone", "uniform"] | None = None, target_acceptance: Number | None = None,
              over_relaxation: Whole | None = None, clusters: Whole | None = None, added_field: List | None = None,
              population: Whole | None = None, resampling: Literal["nearest-integer", "systematic"] | None = None,
              sweeps: Whole | None = None,
              measure: Literal["energy", "magnetisation", "energy-terms", "sublattices", "topological-charge", "spin-temperature", "spin-currents", "site-energy", "site-spins", "structure-factor", "cluster-sizes", "improved-susceptibility", "overlap", "magnetisation-moments", "correlation-length", "axis-correlations"] | Map | List | None = None,
              keep_configurations: Whole | None = None,
              engine: Literal["automatic", "bits", "samples", "general"] | None = None) -> Table:
        """[[stage]] of kind "population-annealing" (model kind spins or ising or potts): cool a population from infinite
        temperature, with its free energy and ground states.

        temperature: a list of falling temperatures, or { from, to, factor | step | points | overlap }. The first step
            leads from infinite temperature to the first of these temperatures. any value (temperature, for instance
            "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`, `overlap`; see
            larmor.explain("population-annealing.temperature").
        sampler (spins): method that updates a spin. string; default "metropolis". One of "metropolis": proposes a
            change of each spin, and accepts it with probability min(1, exp(-dE / k_B T)); "heat-bath": draws each
            spin from its Boltzmann distribution; "swendsen-wang": divides all sites into clusters along a random
            axis, and reflects each cluster with probability 1/2; only for isotropic exchange; "wolff": grows some
            clusters from random sites, and reflects each cluster along a random axis; only for isotropic exchange.
        sampler (ising, potts): method that updates the states. string; default "metropolis". One of "metropolis":
            proposes another state of a site, and accepts it with probability min(1, exp(-dE / T)); "glauber":
            proposes another state of a site, and accepts it with probability 1 / (1 + exp(dE / T)); "heat-bath":
            draws the state of a site by its Boltzmann weight; "swendsen-wang": divides all sites into clusters of
            satisfied bonds, and gives each cluster a random state; "wolff": grows some clusters from random sites,
            and gives each cluster another state.
        move (spins): direction of a Metropolis trial: anywhere on the sphere, or in a cone around the spin. The first
            size of the cone is its final size in the stage before. The size is tuned only while nothing is averaged.
            string; default "adaptive-cone". One of "adaptive-cone"; "uniform".
        target_acceptance (spins): acceptance to which the adaptive cone is tuned. number; default 0.5; at least 0.2;
            at most 0.9.
        over_relaxation (spins): number of over-relaxations of every spin after each sweep; each reflects the spin
            about its field. whole number; default 0; at least 0; at most 1000.
        clusters: wolff: number of clusters that grow in each replica in a sweep. The default is 1. whole number; at
            least 1; at most 1e+06.
        added_field (spins): uniform field that is added to the fields of the Hamiltonian, only in this stage. list of
            3 numbers (magnetic field, for instance "1 T").
        population: target for the number of replicas at each temperature. The default leaves room for changes of this
            number. whole number; at least 20.
        resampling: how copies of replicas are drawn. string; default "nearest-integer". One of "nearest-integer": for
            each replica independently: the size of the population changes; "systematic": for all replicas together:
            the size of the population does not change.
        sweeps: sweeps at each temperature. whole number; default 10; at least 1; at most 1e+12.
        measure (spins): names of properties of configurations; energy, magnetisation are always measured. list of
            strings and tables. One of "energy": the energy per site, and the specific heat; give only its name;
            "magnetisation": the moment per site, susceptibility and Binder cumulant; give only its name;
            "energy-terms": the energy per site of each term of the Hamiltonian; give only its name; "sublattices":
            the magnetisation of each species per site of this species; if there is only one species, that of each
            basis atom; give only its name; "topological-charge": number of times that the spins of a layer cover the
            sphere, summed over layers; give only its name; "spin-temperature": the temperature of the spins, from
            torques and fields of the Hamiltonian, without pulses; give only its name; "spin-currents": the spin
            current along each direction of the lattice, without the part of dipoles; give only its name;
            "site-energy": the mean energy of every site, which includes half the energy of each of its bonds; give
            only its name; "site-spins": the mean spin of every site; give only its name; "structure-factor": S(q) at
            equal times, by wave vector; "cluster-sizes": the number of clusters and the size of the largest one; only
            with the samplers swendsen-wang and wolff; give only its name; "improved-susceptibility": <m^2> and N
            <m^2> / k_B T from sums over clusters; only with the samplers swendsen-wang and wolff; give only its name;
            "overlap": overlaps of copies, which are replicas of one sample at one temperature: P(q), link overlap,
            spin-glass susceptibility and correlation length. Keys: `what`, `every`, `path`, `points`, `q`, `grid`,
            `method`, `components`, `connected`, `bins`; see larmor.explain("population-annealing.measure").
        measure (ising, potts): names of properties of configurations; energy, magnetisation are always measured. list
            of strings and tables. One of "energy": the energy per site; give only its name; "magnetisation": Ising:
            the mean of the spins; Potts: a vector, of length 1 if all sites are in one state; give only its name;
            "magnetisation-moments": <m^2> and <m^4>; give only its name; "correlation-length": second-moment
            correlation length and S(2 pi / L) along every periodic axis of a grid, where L is the length of this
            axis; also <m^2> and <m^4>; give only its name; "axis-correlations": correlations along every axis of a
            grid, by distance; "cluster-sizes": clusters by size, the number of clusters and the size of the largest
            one; only with the samplers swendsen-wang and wolff; give only its name; "improved-susceptibility": <m^2>
            and N <m^2> / T from the sizes of clusters; only with the samplers swendsen-wang and wolff; give only its
            name; "overlap": overlaps of copies, which are replicas of one sample at one temperature: P(q), link
            overlap, spin-glass susceptibility and correlation length. Keys: `what`, `distance`, `bins`; see
            larmor.explain("population-annealing.measure").
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        engine (ising, potts): metropolis, glauber and heat-bath: the form in which states are stored. string; default
            "automatic". One of "automatic": samples or bits if the system allows one of these forms, otherwise
            general; "bits": Ising spins of a grid, with a bit for each; "samples": tempering: Ising spins of a grid;
            64 disorder samples share a word, with a bit for each; "general": states on any lattice or graph.
        """
        ...

    @overload
    def stage(self, kind: Literal["dynamics"], *,
              integrator: Literal["auto", "rk4", "depondt", "heun", "semi-implicit", "midpoint"] | None = None,
              timestep: Quantity | None = None, steps: Whole | None = None, damping: Number | List | None = None,
              temperature: Quantity | None = None, temperature_schedule: Map | List | None = None,
              pulse: Map | List | None = None, torque: Map | List | None = None, measure: Map | List | None = None,
              keep_configurations: Whole | None = None) -> Table:
        """[[stage]] of kind "dynamics" (model kind spins): integrate the Landau-Lifshitz-Gilbert equation, with a heat
        bath or without.

        integrator: scheme of the steps. string; default "auto". One of "auto": rk4 without heat bath, otherwise
            depondt; "rk4": fourth order; supports no heat bath; "depondt": second order; the steps keep the length of
            spins exactly; "heun": second order, explicit; "semi-implicit": second order, implicit in the spin itself;
            the steps keep the length of spins exactly; "midpoint": second order, implicit; the steps conserve
            quadratic energies.
        timestep: length of a step. number (time, for instance "1 fs"); required; positive.
        steps: number of steps. whole number; required; at least 1; at most 1e+12.
        damping: Gilbert damping alpha: one for all basis atoms, or one for each. list of numbers; default [0.0]; at
            least 0; not empty.
        temperature: temperature of the heat bath; at 0 there is no heat bath. number (temperature, for instance "1
            K"); default 0.0; at least 0.
        temperature_schedule: instead of temperature: points { time, temperature }, joined by straight lines. list of
            tables. Keys: `time`, `temperature`; see larmor.explain("dynamics.temperature_schedule").
        pulse: fields that change with time. The fields of several tables are added. list of tables. Keys: `B`,
            `shape`, `start`, `duration`, `width`, `frequency`; see larmor.explain("dynamics.pulse").
        torque: torques of currents, at most one of each kind. list of tables. Keys: `kind`, `velocity`, `beta`,
            `polarisation`, `damping_like`, `field_like`, `asymmetry`, `shape`, `start`, `duration`, `width`,
            `frequency`; see larmor.explain("dynamics.torque").
        measure: measurements. If left out, the stage measures energy and magnetisation every 10 steps. list of
            tables. Keys: `what`, `every`, `path`, `points`, `q`, `grid`, `method`, `components`, `precision`,
            `error_blocks`, `window`, `window_width`, `connected`, `origins`, `max_frequency`, `detailed_balance`,
            `temperature`, `distance`, `displacement`, `groups`, `replicas`; see larmor.explain("dynamics.measure").
        keep_configurations: number of replicas whose final configuration is stored. whole number; default 1; at least
            0.
        """
        ...

    @overload
    def stage(self, kind: Literal["minimise"], *, method: Literal["lbfgs", "cg", "damped", "fire"] | None = None,
              tolerance: Quantity | None = None, steps: Whole | None = None, max_rotation: Quantity | None = None,
              perturbation: Quantity | None = None,
              measure: Literal["energy", "magnetisation", "energy-terms", "sublattices", "topological-charge"] | List | None = None,
              measure_every: Whole | None = None, keep_configurations: Whole | None = None,
              energy_tolerance: Quantity | None = None, max_step: Quantity | None = None,
              relax_box: Literal["none", "isotropic", "anisotropic", "triclinic"] | None = None,
              pressure: Quantity | None = None, pressure_tolerance: Quantity | None = None) -> Table:
        """[[stage]] of kind "minimise": spins: minimise the energy of the spins. atoms: minimise the energy of the
        atoms, or the enthalpy of atoms and box.

        method (spins): lbfgs: quasi-Newton; cg: conjugate gradients; damped: overdamped dynamics, which is slow and
            follows the steepest descent. string; default "lbfgs". One of "lbfgs"; "cg"; "damped".
        method (atoms): method of the minimisation. string; default "lbfgs". One of "lbfgs": quasi-Newton steps
            (L-BFGS): fewest evaluations; "fire": dynamics that stops when it runs uphill (FIRE 2.0): robust far from
            a minimum.
        tolerance (spins): a state has converged if no torque |e x dH/de| is larger. The default is 1e-8 times the
            largest |dH/de| that the couplings allow. number (energy, for instance "1 meV"); positive.
        tolerance (atoms): a replica has converged if no force on an atom is larger. number (force, for instance "1
            eV/Å"); default 0.001; positive.
        steps (spins): maximum number of steps; each step evaluates energy and fields once. whole number; default
            10000; at least 1; at most 1e+12.
        steps (atoms): maximum number of steps; each step evaluates all forces once. whole number; default 10000; at
            least 1; at most 1e+12.
        max_rotation (spins): largest rotation of a spin in a step. number (angle, for instance "1 deg"); default 0.3;
            positive.
        perturbation (spins): largest random rotation of every spin at the start, to leave saddles and maxima. number
            (angle, for instance "1 deg"); default 0.0; at least 0.
        measure (spins): measurements of the final spins. Energy and magnetisation are always measured. list of
            strings; default ["energy", "magnetisation"]. One of "energy": the energy per site; "magnetisation": the
            moment per site; "energy-terms": the energy per site of each term of the Hamiltonian; "sublattices": the
            magnetisation of each species per site of this species; if there is only one species, that of each basis
            atom; "topological-charge": number of times that the spins of a layer cover the sphere, summed over
            layers.
        measure_every (spins): steps between entries of the series of energy and largest torque. whole number; default
            10; at least 1.
        measure_every (atoms): steps between entries of the series. whole number; default 10; at least 1.
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        energy_tolerance (atoms): a replica has also converged if a step changes the energy or enthalpy per atom by
            less. If 0, only forces decide. number (energy, for instance "1 meV"); default 0.0; at least 0.
        max_step (atoms): longest displacement of an atom in a step. number (length, for instance "1 Å"); default 0.1;
            positive.
        relax_box (atoms): ways in which the box may change. Any change needs a box that is periodic in all
            directions. string; default "none". One of "none": the box is fixed; "isotropic": as a whole;
            "anisotropic": along x, y and z, each independently; "triclinic": lengths and also its angles.
        pressure (atoms): target for the pressure of a box that changes. The default is 0. number (pressure, for
            instance "1 GPa").
        pressure_tolerance (atoms): a box has converged if no component of its pressure differs from `pressure` by
            more. The default is 0.001 GPa. number (pressure, for instance "1 GPa"); positive.
        """
        ...

    @overload
    def stage(self, kind: Literal["hysteresis"], *, direction: List | None = None, field: Any = None,
              loop: bool | None = None, method: Literal["lbfgs", "cg", "damped"] | None = None,
              tolerance: Quantity | None = None, steps: Whole | None = None, max_rotation: Quantity | None = None,
              perturbation: Quantity | None = None, trajectory: bool | None = None,
              keep_configurations: Whole | None = None) -> Table:
        """[[stage]] of kind "hysteresis" (model kind spins): sweep a uniform field, and minimise the energy at every
        point from the spins at the point before.

        direction: direction of the field, a vector of any length except 0. list of 3 numbers; default [0.0, 0.0,
            1.0]; not zero.
        field: strengths of a field along `direction`, which is added to the fields of the Hamiltonian: a list, or {
            from, to, points | step }. any value (magnetic field, for instance "1 T"); required. Keys: `from`, `to`,
            `points`, `step`; see larmor.explain("hysteresis.field").
        loop: go back through the same fields afterwards. true or false; default false.
        method: lbfgs: quasi-Newton; cg: conjugate gradients; damped: overdamped dynamics, which is slow and follows
            the steepest descent. string; default "lbfgs". One of "lbfgs"; "cg"; "damped".
        tolerance: a state has converged if no torque |e x dH/de| is larger. The default is 1e-10 times the largest
            |dH/de| that the couplings allow. number (energy, for instance "1 meV"); positive.
        steps: maximum number of steps at a field; each step evaluates energy and fields once. whole number; default
            10000; at least 1; at most 1e+12.
        max_rotation: largest rotation of a spin in a step. number (angle, for instance "1 deg"); default 0.1;
            positive.
        perturbation: largest random rotation of each spin at the start of every field, to leave maxima. number
            (angle, for instance "1 deg"); default 1e-04; at least 0.
        trajectory: stores the configurations at every field. true or false; default false.
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        """
        ...

    @overload
    def stage(self, kind: Literal["minimum-energy-path"], *, final: Map | None = None,
              through: Map | List | None = None, images: Whole | None = None, first_images: Whole | None = None,
              max_distance: Quantity | None = None, max_images: Whole | None = None, relax: bool | None = None,
              climb: bool | None = None, method: Literal["velocity-projection", "lbfgs"] | None = None,
              spring_ratio: Number | None = None, axis: List | None = None, perturbation: Quantity | None = None,
              tolerance: Quantity | None = None, steps: Whole | None = None, max_rotation: Quantity | None = None,
              interpolation: Whole | None = None, measure_every: Whole | None = None, lifetime: Map | None = None,
              refine: bool | None = None, max_step: Quantity | None = None) -> Table:
        """[[stage]] of kind "minimum-energy-path": spins: the path of least energy from the present spins to a final
        state, and its barrier. atoms: the path of least energy from the present atoms to a final structure, its
        barrier, and rates.

        final (spins): the final state, with the keys of [initial]. table; required. Keys: `state`, `direction`,
            `directions`, `angle`, `q`, `normal`, `centre`, `width`, `wall`, `inside`, `radius`, `period`,
            `orientation`, `winding`, `helicity`, `hopf_index`, `file`; see
            larmor.explain("minimum-energy-path.final").
        final (atoms): the final structure, with the keys of [structure]. It has the same box and the same atoms in
            the same order. table; required. Keys: `file`, `frame`, `repeat`, `elements`; see
            larmor.explain("minimum-energy-path.final").
        through (spins): states through which the first guess of the path goes. list of tables. Keys: `state`,
            `direction`, `directions`, `angle`, `q`, `normal`, `centre`, `width`, `wall`, `inside`, `radius`,
            `period`, `orientation`, `winding`, `helicity`, `hopf_index`, `file`; see
            larmor.explain("minimum-energy-path.through").
        through (atoms): structures through which the first guess of the path goes. list of tables. Keys: `file`,
            `frame`, `repeat`, `elements`; see larmor.explain("minimum-energy-path.through").
        images (spins): number of states along the path, including both ends. whole number; default 15; at least 3; at
            most 10000.
        images (atoms): number of structures along the path, including both ends. whole number; default 9; at least 3;
            at most 10000.
        first_images (spins): number of images of a first, rough path; the other images are inserted later. whole
            number; at least 3.
        max_distance (spins): largest distance of neighbouring images along the path: after convergence, images are
            inserted in larger gaps. number (angle, for instance "1 deg"); positive.
        max_images (spins): largest number of images with max_distance. The default is 101, or `images` if `images` is
            larger. whole number; at least 3; at most 10000.
        relax (spins): if true, first minimises the energy of both ends. If an end is stationary without being a
            minimum, a small random turn lets it leave that state. true or false; default true.
        relax (atoms): if true, first minimises the energy of both ends. true or false; default true.
        climb: if true, the highest image climbs to the saddle. true or false; default true.
        method (spins): method that moves images; velocity-projection: damped dynamics of each image; lbfgs: near the
            path, a quasi-Newton method for all images, which needs fewer steps. string; default "lbfgs". One of
            "velocity-projection"; "lbfgs".
        spring_ratio (spins): ratio of the stiffness of springs at the highest image to the stiffness at the ends. A
            larger ratio draws images to the saddle. At 1 the images on either side of the climbing image have equal
            distances, as in the string method. number; default 1.0; at least 1.
        spring_ratio (atoms): ratio of the stiffness of springs at the highest image to the stiffness at the ends. A
            larger ratio draws images to the saddle. number; default 1.0; at least 1.
        axis (spins): axis of rotation for spins that turn by 180 degrees. list of 3 numbers; not zero.
        perturbation (spins): largest random rotation of the spins of the first guess, equal in all images, so that
            the path can leave a high symmetry. number (angle, for instance "1 deg"); default 0.01; at least 0.
        tolerance (spins): largest force on the climbing image at convergence; on other images the force across the
            path may be ten times as large. If no image climbs, this is the limit for all images. The default is 1e-6
            of the largest |dH/de|. number (energy, for instance "1 meV"); positive.
        tolerance (atoms): largest force on an atom of the climbing image at convergence; on other images the force
            may be ten times as large. If no image climbs, this is the limit for all images. number (force, for
            instance "1 eV/Å"); default 0.001; positive.
        steps (spins): maximum number of steps, for the ends and for the path; each step evaluates all images once.
            whole number; default 20000; at least 1; at most 1e+12.
        steps (atoms): maximum number of steps, for the ends and for the path; each step evaluates all images once.
            whole number; default 5000; at least 1; at most 1e+12.
        max_rotation (spins): largest rotation of a spin in a step. number (angle, for instance "1 deg"); default 0.1;
            positive.
        interpolation: points of the interpolated energy between neighbouring images. whole number; default 10; at
            least 1; at most 1000.
        measure_every: steps between entries of the series of barrier and largest force. whole number; default 10; at
            least 1.
        lifetime (spins): rates and lifetimes of both ends by harmonic transition-state theory. table. Keys:
            `temperature`, `damping`, `zero_modes`, `zero_threshold`, `equivalent_saddles`; see
            larmor.explain("minimum-energy-path.lifetime").
        lifetime (atoms): rates and lifetimes of both ends by harmonic transition-state theory. table. Keys:
            `temperature`, `equivalent_saddles`; see larmor.explain("minimum-energy-path.lifetime").
        refine (atoms): if true, Newton's method moves the climbing image to the saddle and finds its modes. This
            takes six evaluations of the structure for each atom, once or more. true or false; default true.
        max_step (atoms): longest displacement of an atom in a step. number (length, for instance "1 Å"); default 0.1;
            positive.
        """
        ...

    @overload
    def stage(self, kind: Literal["spin-waves"], *, path: str | List | None = None, points: Whole | None = None,
              q: List | None = None, grid: bool | None = None, ground_state: Map | None = None,
              magnetic_cell: Whole | List | None = None, cell_tolerance: Number | None = None,
              tolerance: Quantity | None = None, statistics: Literal["classical", "quantum"] | None = None,
              temperature: Quantity | None = None, map: Map | None = None, density_of_states: Map | None = None,
              stiffness: bool | None = None, keep_configurations: Whole | None = None) -> Table:
        """[[stage]] of kind "spin-waves" (model kind spins): linear spin-wave theory of the present spins of the first
        replica, or of ground_state: frequencies, intensities, density of states, stiffness.

        path: named points of the Brillouin zone, joined by straight lines. list of strings; default [].
        points: number of wave vectors on each line of the path. If left out, all commensurate wave vectors are taken.
            whole number; at least 1; at most 1e+05.
        q: instead of a path: explicit wave vectors in reciprocal-lattice units. list of lists of 3 numbers; default
            [].
        grid: instead of a path: every wave vector of the periodic sample. true or false; default false.
        ground_state: the state from which deviations are counted, with the keys of [initial]. The default is the
            present state of the first replica, which the stage does not change. table. Keys: `state`, `direction`,
            `directions`, `angle`, `q`, `normal`, `centre`, `width`, `wall`, `inside`, `radius`, `period`,
            `orientation`, `winding`, `helicity`, `hopf_index`, `file`; see larmor.explain("spin-waves.ground_state").
        magnetic_cell: number of cells after which the state repeats, along each lattice vector. If left out, the
            stage finds the smallest cell of any shape. list of whole numbers; default []; at least 1.
        cell_tolerance: largest difference of spins that count as equal. number; default 1e-05; positive.
        tolerance: largest torque |e x dH/de| of a stationary state. The default is 1e-6 of the largest |dH/de| that
            the couplings allow. number (energy, for instance "1 meV"); positive.
        statistics: mean energy of a mode: k_B T for classical, the mean energy of bosons for quantum. string; default
            "classical". One of "classical"; "quantum".
        temperature: temperature of the intensities. If left out, classical intensities have k_B T = 1 in units of
            energy, and quantum intensities have T = 0. number (temperature, for instance "1 K"); at least 0.
        map: S(q,w) with lines of finite width, at all wave vectors. table. Keys: `width`, `line`, `to`, `points`; see
            larmor.explain("spin-waves.map").
        density_of_states: density of states on a grid of wave vectors. table. Keys: `grid`, `bins`, `width`; see
            larmor.explain("spin-waves.density_of_states").
        stiffness: gap of the softest branch, and its stiffness or velocity at long waves. true or false; default
            true.
        keep_configurations: number of replicas whose configuration is stored. whole number; default 1; at least 0.
        """
        ...

    @overload
    def stage(self, kind: Literal["pair-correlations"], *, path: str | List | None = None,
              points: Whole | None = None, q: List | None = None, grid: bool | None = None,
              distance: Map | List | None = None, displacement: Any = None, groups: Any = None,
              distribution: Map | List | None = None, connected: bool | None = None,
              precision: Literal["double", "tf32x3", "half-split"] | None = None,
              error_blocks: Whole | None = None) -> Table:
        """[[stage]] of kind "pair-correlations" (model kind spins): correlations of the spins at the start of the stage,
        averaged over replicas, in sums over all pairs of sites.

        path: S(q) and spin-glass susceptibility: named points of the Brillouin zone, joined by straight lines. list
            of strings; default [].
        points: S(q) and spin-glass susceptibility: number of wave vectors on each line of the path. If left out, all
            commensurate wave vectors are taken. whole number; at least 1; at most 1e+05.
        q: S(q) and spin-glass susceptibility: instead of a path: explicit wave vectors in reciprocal-lattice units.
            list of lists of 3 numbers; default [].
        grid: S(q) and spin-glass susceptibility: instead of a path: every wave vector of the periodic sample. true or
            false; default false.
        distance: averages C and C^2 over pairs of sites in bins of distance: one table { width, bins }. list of
            tables. Keys: `width`, `bins`; see larmor.explain("pair-correlations.distance").
        displacement: averages C and C^2 by displacement r' - r in cells and by atoms of the basis. Write true for all
            displacements, or { cells = [4, 4, 0] } for the largest numbers of cells to both sides. any value. Keys:
            `cells`; see larmor.explain("pair-correlations.displacement").
        groups: averages C and C^2 between groups of sites: none, species, basis, or a list of { name = "core", sites
            = [0, 5] }. Sites are counted from 0. Sites that are in no group are left out. any value. Keys: `name`,
            `sites`; see larmor.explain("pair-correlations.groups").
        distribution: numbers of pairs of different sites by the value of C, and the pairs with the largest and the
            smallest C: one table { bins, least, greatest }. list of tables. Keys: `bins`, `least`, `greatest`; see
            larmor.explain("pair-correlations.distribution").
        connected: subtracts the product of the averages of both spins over replicas. This needs three replicas. true
            or false; default false.
        precision: on a GPU: double, or numbers split into two halves of 11 bits (relative error 1e-6). string;
            default "double". One of "double"; "tf32x3"; "half-split".
        error_blocks: largest number of blocks of replicas for errors. With fewer replicas, each replica is a block.
            The sum for each block takes as long as the sum for all replicas. If 0 or 1, there are no errors. whole
            number; default 8; at least 0; at most 1000.
        """
        ...

    @overload
    def stage(self, kind: Literal["transfer-matrix"], *, temperature: Any = None, levels: Whole | None = None,
              domain_wall: bool | None = None, tolerance: Number | None = None, basis: Whole | None = None,
              lyapunov: Whole | None = None) -> Table:
        """[[stage]] of kind "transfer-matrix" (model kind ising): exact free energy, correlation lengths and averages of
        a strip of Ising spins, by the transfer matrix along the last axis of a grid. If all rows are equal, the strip
        is infinitely long. Otherwise it has the length of the lattice, and free ends.

        temperature: a temperature, a list of them, or { from, to, factor | step | points }. any value (temperature,
            for instance "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("transfer-matrix.temperature").
        levels: number of eigenvalues of each sector, from the largest magnitude down. whole number; default 3; at
            least 1; at most 20.
        domain_wall: if true, also computes the free energy of a domain wall along the strip. The first axis must be
            periodic, and the stage reverses the bonds across its boundary. true or false; default false.
        tolerance: largest residual |T v - lambda v| of an eigenvector v, divided by its eigenvalue |lambda|. Relative
            errors of eigenvalues are of the order of the square of this ratio. number; default 1e-10; at least 1e-14;
            at most 0.001.
        basis: vectors of the Lanczos method in memory, levels + 2 or more: fewer need more products; default: levels
            + 9. whole number; default 0; at least 3; at most 60.
        lyapunov: Lyapunov exponents of each sector of a strip whose rows differ. whole number; default 0; at least 0;
            at most 20.
        """
        ...

    @overload
    def stage(self, kind: Literal["spectrum"], *, levels: Whole | None = None,
              sectors: Literal["all", "even", "odd"] | List | None = None, magnetisation: Whole | List | None = None,
              correlations: bool | None = None, tolerance: Number | None = None) -> Table:
        """[[stage]] of kind "spectrum" (model kind quantum): the lowest levels of quantum spins in each sector, and
        averages in the ground state, by the Lanczos method.

        levels: lowest levels of each sector. whole number; default 2; at least 1; at most 20.
        sectors: even or odd under a flip of all spins, or all states; default: those of the model. list of strings;
            default []. One of "all"; "even"; "odd".
        magnetisation: sectors of the sum of all sz, for models without a transverse field; default: all sectors,
            without a field along z those of 0 or more. list of whole numbers; default [].
        correlations: also averages of sx sx, sy sy and sz sz of all pairs in the ground state. true or false; default
            false.
        tolerance: largest residual |H v - E v| over the distance of E from an upper bound of the spectrum; errors of
            energies are of the order of its square. number; default 1e-11; positive; at most 0.001.
        """
        ...

    @overload
    def stage(self, kind: Literal["full-spectrum"], *, temperature: Any = None,
              imaginary_times: Whole | None = None) -> Table:
        """[[stage]] of kind "full-spectrum" (model kind quantum): all levels of a small system of quantum spins by dense
        matrices, and exact averages at temperatures.

        temperature: a temperature, a list of them, or { from, to, factor | step | points }. any value (temperature,
            for instance "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("full-spectrum.temperature").
        imaginary_times: times from 0 to beta / 2 at which correlations of sz are computed; 0: none. whole number;
            default 0; at least 0; at most 1000.
        """
        ...

    @overload
    def stage(self, kind: Literal["typicality"], *, temperature: Any = None, vectors: Whole | None = None,
              steps: Whole | None = None) -> Table:
        """[[stage]] of kind "typicality" (model kind quantum): averages of quantum spins at temperatures from random
        states, with error bars: for systems without a known spectrum.

        temperature: a temperature, a list of them, or { from, to, factor | step | points }. any value (temperature,
            for instance "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("typicality.temperature").
        vectors: random vectors of each sector; errors are those of their mean. whole number; default 20; at least 2;
            at most 1e+06.
        steps: Lanczos steps of each vector; low temperatures need more. whole number; default 100; at least 2; at
            most 10000.
        """
        ...

    @overload
    def stage(self, kind: Literal["quantum-monte-carlo"], *, temperature: Any = None,
              Gamma: Quantity | List | None = None, slices: Whole | List | None = None,
              continuous: bool | None = None,
              updates: Literal["metropolis", "heat-bath", "lines", "clusters"] | None = None,
              thermalisation: Whole | None = None, sweeps: Whole | None = None, measure_every: Whole | None = None,
              tempering: bool | None = None, exchange_every: Whole | None = None, correlations: bool | None = None,
              imaginary_times: Whole | None = None, gap_from: Number | None = None,
              gap_correlation: Literal["total", "local"] | None = None, overlap: bool | None = None,
              extrapolation_power: Whole | None = None) -> Table:
        """[[stage]] of kind "quantum-monte-carlo" (model kind quantum): thermal averages of Ising models in a transverse
        field by quantum Monte Carlo, for systems of any size.

        temperature: a temperature, a list of them, or { from, to, factor | step | points }. any value (temperature,
            for instance "1 K"); required. Keys: `from`, `to`, `factor`, `step`, `points`; see
            larmor.explain("quantum-monte-carlo.temperature").
        Gamma: transverse fields of all sites at one temperature, in place of the field of the study. Averages and
            exchanges are then those of the fields. list of numbers (energy, for instance "1 meV"); default []; at
            least 0; not empty.
        slices: even number of slices of imaginary time, or a list: averages of several numbers are extrapolated to
            infinitely many. list of whole numbers; default [].
        continuous: continuous imaginary time in place of slices: no error of the time step. true or false; default
            false.
        updates: rule of the updates. The default is lines. string. One of "metropolis": single spins by the rule of
            Metropolis; "heat-bath": single spins by heat bath; "lines": pieces of world lines, for any couplings;
            "clusters": clusters of space and time, for couplings without frustration.
        thermalisation: sweeps before measuring, for each number of slices. whole number; default 1000; at least 0; at
            most 1e+12.
        sweeps: sweeps while measuring, for each number of slices. whole number; default 10000; at least 1; at most
            1e+12.
        measure_every: number of sweeps between measurements. The default is 10 for single spins, and 1 for lines and
            clusters. whole number; at least 1.
        tempering: exchange replicas between neighbouring temperatures (parallel tempering). true or false; default
            false.
        exchange_every: sweeps between exchanges of every second pair of neighbouring temperatures. whole number;
            default 10; at least 1; at most 1e+06.
        correlations: also averages of sz sz of all pairs. true or false; default false.
        imaginary_times: times from 0 to beta / 2 at which correlations of sz are computed; 0: none. whole number;
            default 0; at least 0; at most 1000.
        gap_from: tau / beta from which the decay of a correlation is fitted to give the gap. number; at least 0; at
            most 0.5.
        gap_correlation: the correlation whose decay gives the gap. The default is total. string. One of "total":
            time_correlation, which has the least contribution of higher levels if couplings are ferromagnetic and
            equal; "local": local_time_correlation, for couplings of random sign.
        overlap: also moments of the overlap of two copies of a sample. true or false; default false.
        extrapolation_power: highest power of the time step in the extrapolation, 2 or 4. whole number; default 2; at
            least 2; at most 4.
        """
        ...

    @overload
    def stage(self, kind: Literal["md"], *, timestep: Quantity | None = None, steps: Whole | None = None,
              thermostat: Literal["none", "langevin", "nose-hoover", "bussi"] | None = None,
              temperature: Quantity | Map | List | None = None, thermostat_time: Quantity | None = None,
              chain_length: Whole | None = None,
              barostat: Literal["none", "mtk", "stochastic-cell-rescaling"] | None = None,
              pressure: Quantity | Map | List | None = None, barostat_time: Quantity | None = None,
              shape: Literal["isotropic", "anisotropic", "triclinic"] | None = None,
              bulk_modulus: Quantity | None = None, measure: Map | List | None = None,
              keep_configurations: Whole | None = None) -> Table:
        """[[stage]] of kind "md" (model kind atoms): molecular dynamics at constant energy, temperature or pressure.

        timestep: length of a step. number (time, for instance "1 fs"); required; positive.
        steps: number of steps. whole number; required; at least 1; at most 1e+12.
        thermostat: thermostat, which controls the temperature. string; default "none". One of "none": nothing:
            velocity Verlet at constant energy; "langevin": Langevin dynamics; the friction coefficient is one over
            thermostat_time; "nose-hoover": a Nose-Hoover chain for each replica; the kinetic energy oscillates with a
            period of 4.4 times thermostat_time; "bussi": velocity rescaling with a random number (Bussi, Donadio,
            Parrinello).
        temperature: temperature of the thermostat: a number, or { from, to } for a linear change during the stage, or
            a list with one of these for each replica. With a barostat and without a thermostat, this key only sets
            the mass of the box. temperature, table or list (temperature, for instance "1 K"). Keys: `from`, `to`; see
            larmor.explain("md.temperature").
        thermostat_time: relaxation time of the thermostat. The default is 0.1 ps. number (time, for instance "1 fs");
            positive.
        chain_length: nose-hoover: number of links of a Nose-Hoover chain; default: 3. whole number; at least 1; at
            most 8.
        barostat: barostat, which controls the pressure. string; default "none". One of "none": no barostat: the box
            is fixed; "mtk": the equations of Martyna, Tobias and Klein; with thermostat = "nose-hoover" they keep
            pressure and temperature, and without a thermostat pressure and enthalpy; "stochastic-cell-rescaling": the
            barostat of Bernetti and Bussi; it requires thermostat = "bussi".
        pressure: pressure of the barostat: a number, or { from, to } for a linear change during the stage, or a list
            with one of these for each replica. The default is 0. pressure, table or list (pressure, for instance "1
            GPa"). Keys: `from`, `to`; see larmor.explain("md.pressure").
        barostat_time: time in which the box responds. The default is 1 ps. number (time, for instance "1 fs");
            positive.
        shape: ways in which the barostat may change the box. The default is isotropic. string. One of "isotropic": as
            a whole; "anisotropic": along x, y and z, each independently; "triclinic": lengths and also its angles.
        bulk_modulus: stochastic-cell-rescaling: approximate bulk modulus of the material, which only changes how fast
            the box responds; default: 100 GPa. number (pressure, for instance "1 GPa"); positive.
        measure: measurements. If left out, the stage measures thermodynamics every 10 steps. list of tables. Keys:
            `what`, `every`, `replicas`, `blocks`, `r_max`, `bins`, `max_time`, `origin_every`,
            `remove_centre_of_mass`, `weight`, `window`; see larmor.explain("md.measure").
        keep_configurations: number of replicas whose final configuration is stored. whole number; default 1; at least
            0.
        """
        ...

    @overload
    def stage(self, kind: Literal["parsplice"], *,
              method: Literal["parsplice", "parallel-replica", "direct"] | None = None,
              temperature: Quantity | None = None, timestep: Quantity | None = None, check_every: Whole | None = None,
              correlation_time: Quantity | None = None, segment_time: Quantity | None = None,
              time: Quantity | None = None, workers: Whole | None = None, lanes: Whole | None = None,
              parallel_replicas: Whole | None = None, thermostat_time: Quantity | None = None) -> Table:
        """[[stage]] of kind "parsplice": atoms: a trajectory of atoms from minimum to minimum, spliced from segments of
        many workers, or by parallel replicas, or directly; Langevin dynamics in a fixed box. particles: a trajectory
        from state to state, spliced from segments of many workers, or by parallel replicas, or directly.

        method: how the trajectory is made. string; default "parsplice". One of "parsplice": segments of many workers,
            spliced; "parallel-replica": replicas that wait in parallel for an exit; "direct": dynamics of one
            replica, to compare with.
        temperature: temperature of the heat bath. number (temperature, for instance "1 K"); required; positive.
        timestep: length of a step of the dynamics. number (time, for instance "1 fs"); required; positive.
        check_every (atoms): timesteps between two minimisations, which find the state. The default is 50. whole
            number; at least 1; at most 1e+06.
        check_every (particles): timesteps between two checks of the state. The default is 20. whole number; at least
            1; at most 1e+06.
        correlation_time: time in a state after which the past is forgotten. number (time, for instance "1 fs");
            required; positive.
        segment_time: least length of a segment. The default is ten times correlation_time. number (time, for instance
            "1 fs"); positive.
        time: length of the trajectory. number (time, for instance "1 fs"); required; positive.
        workers: segments or parallel replicas that run at a time: threads on a CPU, and copies of the atoms on a GPU.
            The default is all threads of the run, or enough copies to keep a GPU busy. No result depends on this
            number. whole number; at least 1; at most 4096.
        lanes: most segments of a state that can run at a time. Results depend on this number. whole number; default
            64; at least 1; at most 1e+06.
        parallel_replicas: replicas of the method parallel-replica. Results depend on this number. whole number;
            default 8; at least 1; at most 65536.
        thermostat_time (atoms): one over the friction coefficient. The default is 0.1 ps. number (time, for instance
            "1 fs"); positive.
        """
        ...

    def stage(self, kind: str, **keys: Any) -> Table:
        """Appends a [[stage]]: a step of the study. Its keys depend on its kind; larmor.explain(KIND) prints them.
        Raises TypeError for a key that a stage of this kind does not have. The kinds:

        "anneal" (model kind spins or ising or potts): cool (or heat) slowly through a range of temperatures.
        "monte-carlo": spins, ising, potts: sample equilibrium at one temperature or several. phi4: sample
            equilibrium.
        "tempering": spins, ising, potts: sample all temperatures or fields of a ladder, between which replicas are
            exchanged. phi4: sample all couplings of a ladder, between which replicas are exchanged. atoms: sample all
            temperatures of a ladder, between which replicas are exchanged.
        "population-annealing" (model kind spins or ising or potts): cool a population from infinite temperature, with
            its free energy and ground states.
        "dynamics" (model kind spins): integrate the Landau-Lifshitz-Gilbert equation, with a heat bath or without.
        "minimise": spins: minimise the energy of the spins. atoms: minimise the energy of the atoms, or the enthalpy
            of atoms and box.
        "hysteresis" (model kind spins): sweep a uniform field, and minimise the energy at every point from the spins
            at the point before.
        "minimum-energy-path": spins: the path of least energy from the present spins to a final state, and its
            barrier. atoms: the path of least energy from the present atoms to a final structure, its barrier, and
            rates.
        "spin-waves" (model kind spins): linear spin-wave theory of the present spins of the first replica, or of
            ground_state: frequencies, intensities, density of states, stiffness.
        "pair-correlations" (model kind spins): correlations of the spins at the start of the stage, averaged over
            replicas, in sums over all pairs of sites.
        "transfer-matrix" (model kind ising): exact free energy, correlation lengths and averages of a strip of Ising
            spins, by the transfer matrix along the last axis of a grid. If all rows are equal, the strip is
            infinitely long. Otherwise it has the length of the lattice, and free ends.
        "spectrum" (model kind quantum): the lowest levels of quantum spins in each sector, and averages in the ground
            state, by the Lanczos method.
        "full-spectrum" (model kind quantum): all levels of a small system of quantum spins by dense matrices, and
            exact averages at temperatures.
        "typicality" (model kind quantum): averages of quantum spins at temperatures from random states, with error
            bars: for systems without a known spectrum.
        "quantum-monte-carlo" (model kind quantum): thermal averages of Ising models in a transverse field by quantum
            Monte Carlo, for systems of any size.
        "md" (model kind atoms): molecular dynamics at constant energy, temperature or pressure.
        "parsplice": atoms: a trajectory of atoms from minimum to minimum, spliced from segments of many workers, or
            by parallel replicas, or directly; Langevin dynamics in a fixed box. particles: a trajectory from state to
            state, spliced from segments of many workers, or by parallel replicas, or directly.
        """
        return self._add_stage(kind, keys, STAGE_KEYS)


STAGE_KEYS: dict[str, tuple[str, ...]] = {
    "anneal": ("kind", "temperature", "sampler", "move", "target_acceptance", "over_relaxation", "clusters",
        "added_field", "sweeps", "keep_configurations", "engine",),
    "monte-carlo": ("kind", "temperature", "sampler", "move", "target_acceptance", "over_relaxation", "clusters",
        "added_field", "thermalisation", "sweeps", "measure_every", "measure", "trajectory_every",
        "keep_configurations", "engine", "local_sweeps",),
    "tempering": ("kind", "temperature", "field", "direction", "copies", "exchange_every", "isoenergetic_every",
        "sampler", "move", "target_acceptance", "over_relaxation", "clusters", "added_field", "thermalisation",
        "sweeps", "measure_every", "measure", "keep_configurations", "keep_series", "engine", "local_sweeps",
        "timestep", "thermostat", "thermostat_time", "steps",),
    "population-annealing": ("kind", "temperature", "sampler", "move", "target_acceptance", "over_relaxation",
        "clusters", "added_field", "population", "resampling", "sweeps", "measure", "keep_configurations", "engine",),
    "dynamics": ("kind", "integrator", "timestep", "steps", "damping", "temperature", "temperature_schedule", "pulse",
        "torque", "measure", "keep_configurations",),
    "minimise": ("kind", "method", "tolerance", "steps", "max_rotation", "perturbation", "measure", "measure_every",
        "keep_configurations", "energy_tolerance", "max_step", "relax_box", "pressure", "pressure_tolerance",),
    "hysteresis": ("kind", "direction", "field", "loop", "method", "tolerance", "steps", "max_rotation",
        "perturbation", "trajectory", "keep_configurations",),
    "minimum-energy-path": ("kind", "final", "through", "images", "first_images", "max_distance", "max_images",
        "relax", "climb", "method", "spring_ratio", "axis", "perturbation", "tolerance", "steps", "max_rotation",
        "interpolation", "measure_every", "lifetime", "refine", "max_step",),
    "spin-waves": ("kind", "path", "points", "q", "grid", "ground_state", "magnetic_cell", "cell_tolerance",
        "tolerance", "statistics", "temperature", "map", "density_of_states", "stiffness", "keep_configurations",),
    "pair-correlations": ("kind", "path", "points", "q", "grid", "distance", "displacement", "groups", "distribution",
        "connected", "precision", "error_blocks",),
    "transfer-matrix": ("kind", "temperature", "levels", "domain_wall", "tolerance", "basis", "lyapunov",),
    "spectrum": ("kind", "levels", "sectors", "magnetisation", "correlations", "tolerance",),
    "full-spectrum": ("kind", "temperature", "imaginary_times",),
    "typicality": ("kind", "temperature", "vectors", "steps",),
    "quantum-monte-carlo": ("kind", "temperature", "Gamma", "slices", "continuous", "updates", "thermalisation",
        "sweeps", "measure_every", "tempering", "exchange_every", "correlations", "imaginary_times", "gap_from",
        "gap_correlation", "overlap", "extrapolation_power",),
    "md": ("kind", "timestep", "steps", "thermostat", "temperature", "thermostat_time", "chain_length", "barostat",
        "pressure", "barostat_time", "shape", "bulk_modulus", "measure", "keep_configurations",),
    "parsplice": ("kind", "method", "temperature", "timestep", "check_every", "correlation_time", "segment_time",
        "time", "workers", "lanes", "parallel_replicas", "thermostat_time",),
}
