"""If the input is wrong, the exit code is 2 (3 for faults of the machine). One message names the
place and the remedy, and nothing is written."""
# Rooms: io, study

import os
import random
import re

import pytest

from program import DEPTH, larmor

GOOD = """\
title = "good"
seed = 3
replicas = 4

[lattice]
type = "square"
size = [4, 4]
periodic = true

[[exchange]]
shell = 1
J = 1.0

[field]
B = [0, 0, 0.5]

[[stage]]
kind = "anneal"
temperature = { from = 2.0, to = 1.0, factor = 0.9 }
sweeps = 5

[[stage]]
kind = "dynamics"
timestep = 0.05
steps = 20
measure = [{ what = "structure-factor", path = ["G", "X"], every = 5 }]
"""

ANNEAL = GOOD[GOOD.index('kind = "anneal"'):GOOD.index("\n\n[[stage]]\nkind = \"dynamics\"")]
REST_TO_ANNEAL = GOOD[GOOD.index("\n[lattice]"):GOOD.index(ANNEAL)]

# (name, line of GOOD, its replacement, text that the message must contain)
CHANGED = [
    ("unknown_top_key", 'seed = 3', 'sed = 3', "did you mean 'seed'"),
    ("unknown_lattice_key", 'periodic = true', 'periodc = true', "did you mean 'periodic'"),
    ("unknown_exchange_key", 'shell = 1', 'shel = 1', "did you mean 'shell'"),
    ("unknown_stage_key", 'sweeps = 5', 'sweps = 5', "did you mean 'sweeps'"),
    ("unknown_table", '[field]', '[feild]', "did you mean 'field'"),
    ("unknown_lattice", '"square"', '"sqare"', "square"),
    ("unknown_stage", 'kind = "anneal"', 'kind = "aneal"', "did you mean 'anneal'"),
    ("unknown_measurement", '"structure-factor"', '"structure-facto"', "structure-factor"),
    ("unknown_point", '["G", "X"]', '["G", "K"]', "K"),
    ("stage_without_kind", 'kind = "anneal"\n', '', "kind"),
    ("seed_is_text", 'seed = 3', 'seed = "three"', "seed"),
    ("seed_is_negative", 'seed = 3', 'seed = -3', "seed"),
    ("seed_is_fractional", 'seed = 3', 'seed = 3.5', "seed"),
    ("replicas_zero", 'replicas = 4', 'replicas = 0', "replicas"),
    ("replicas_negative", 'replicas = 4', 'replicas = -1', "replicas"),
    ("replicas_text", 'replicas = 4', 'replicas = "four"', "replicas"),
    ("replicas_too_many", 'replicas = 4', 'replicas = 99999999', "replicas"),
    ("title_is_a_number", 'title = "good"', 'title = 5', "title"),
    ("size_negative", 'size = [4, 4]', 'size = [4, -4]', "size"),
    ("size_zero", 'size = [4, 4]', 'size = [0, 4]', "size"),
    ("size_fractional", 'size = [4, 4]', 'size = [4.5, 4]', "size"),
    ("size_one_number_huge", 'size = [4, 4]', 'size = 4000000', "2147483647"),
    ("size_three_numbers", 'size = [4, 4]', 'size = [4, 4, 4]', "size"),
    ("size_text", 'size = [4, 4]', 'size = "4x4"', "size"),
    ("size_missing", 'size = [4, 4]\n', '', "size"),
    ("size_huge", 'size = [4, 4]', 'size = [4000000, 4000000]', "2147483647"),
    ("size_overflowing", 'size = [4, 4]', 'size = [9223372036854775807, 4]', "sites"),
    ("size_of_lists", 'size = [4, 4]', 'size = [[4], [4]]', "size"),
    ("self_coupling", 'size = [4, 4]', 'size = [1, 4]', "itself"),
    ("periodic_number", 'periodic = true', 'periodic = 1', "periodic"),
    ("periodic_three", 'periodic = true', 'periodic = [true, true, true]', "periodic"),
    ("lattice_without_type", 'type = "square"\n', '', "type"),
    ("type_and_cell", 'periodic = true', 'cell = [[1,0,0],[0,1,0],[0,0,1]]', "cell"),
    ("cell_in_a_plane", 'type = "square"', 'cell = [[1,0,0],[0,1,0],[1,1,0]]', "plane"),
    ("cell_of_two_vectors", 'type = "square"', 'cell = [[1,0,0],[0,1,0]]', "cell"),
    ("basis_twice", 'type = "square"',
     'cell = [[1,0,0],[0,1,0],[0,0,1]]\nbasis = [[0,0,0],[1,0,0]]', "equal positions"),
    ("basis_without_cell", 'periodic = true', 'basis = [[0, 0, 0]]', "basis"),
    ("moment_zero", 'periodic = true', 'moment = 0', "moment"),
    ("moments_too_many", 'periodic = true', 'moment = [1, 2, 3]', "moment"),
    ("species_too_many", 'periodic = true', 'species = ["A", "B"]', "species"),
    ("constant_negative", 'periodic = true', 'constant = -1', "constant"),
    ("positions_from_a_device", 'type = "square"\nsize = [4, 4]', 'file = "/dev/zero"', "device"),
    ("missing_position_file", 'type = "square"\nsize = [4, 4]', 'file = "none.xyz"', "none.xyz"),
    ("position_file_with_a_long_name", 'type = "square"\nsize = [4, 4]', f'file = "{300 * "x"}"', "too long"),
    ("direction_too_short", 'B = [0, 0, 0.5]', 'B = [0, 0, 0.5]\n[initial]\nstate = "aligned"\ndirection = [0, 0, 1e-320]', "direction"),
    ("moment_beside_file", 'type = "square"\nsize = [4, 4]\nperiodic = true',
     'file = "a.xyz"\nmoment = 2', "moment"),
    ("periodic_beside_file", 'type = "square"\nsize = [4, 4]\nperiodic = true',
     'file = "a.xyz"\nperiodic = false', "pbc"),
    ("size_beside_file", 'type = "square"\n', 'file = "a.xyz"\n', "size"),
    ("momfile_without_posfile", 'periodic = true', 'momfile = "m"', "posfile"),
    ("coupling_missing", 'J = 1.0\n', '', "J"),
    ("coupling_text", 'J = 1.0', 'J = "strong"', "J"),
    ("coupling_nan", 'J = 1.0', 'J = nan', "J"),
    ("coupling_infinite", 'J = 1.0', 'J = inf', "J"),
    ("coupling_with_unit_in_reduced_study", 'J = 1.0', 'J = "4 meV"', "reduced"),
    ("coupling_list", 'J = 1.0', 'J = [1.0, 2.0]', "J"),
    ("coupling_boolean", 'J = 1.0', 'J = true', "J"),
    ("shell_zero", 'shell = 1', 'shell = 0', "shell"),
    ("shell_negative", 'shell = 1', 'shell = -1', "shell"),
    ("shell_beyond_32_bits", 'shell = 1', 'shell = 4294967297', "shell"),
    ("offset_beyond_32_bits", 'shell = 1', 'offset = [[4294967297, 0, 0]]', "offset"),
    ("shell_fraction", 'shell = 1', 'shell = 1.5', "shell"),
    ("no_bonds_named", 'shell = 1\n', '', "does not select its bonds"),
    ("bonds_named_twice", 'shell = 1', 'shell = 1\npairs = [[0, 1]]', "several"),
    ("doubled_pair", 'shell = 1', 'pairs = [[0, 1], [1, 0]]', "twice"),
    ("pair_with_itself", 'shell = 1', 'pairs = [[2, 2]]', "itself"),
    ("pair_out_of_range", 'shell = 1', 'pairs = [[0, 16]]', "15"),
    ("pair_negative", 'shell = 1', 'pairs = [[0, -1]]', "pairs"),
    ("pair_of_three", 'shell = 1', 'pairs = [[0, 1, 2]]', "pairs"),
    ("doubled_offset", 'shell = 1', 'offset = [[1, 0, 0], [-1, 0, 0]]', "twice"),
    ("offset_zero", 'shell = 1', 'offset = [[0, 0, 0]]', "itself"),
    ("offset_out_of_plane", 'shell = 1', 'offset = [[0, 0, 1]]', "offset"),
    ("offset_around_the_lattice", 'shell = 1', 'offset = [[4, 0, 0]]', "itself"),
    ("offset_unknown_atom", 'shell = 1', 'offset = [[1, 0, 0]]\natoms = [0, 3]', "atoms"),
    ("shell_past_open_boundaries", 'size = [4, 4]\nperiodic = true\n\n[[exchange]]\nshell = 1',
     'size = [4, 1]\nperiodic = false\n\n[[exchange]]\nshell = 2', "open boundaries"),
    ("offset_past_an_open_boundary", 'periodic = true\n\n[[exchange]]\nshell = 1',
     'periodic = [true, false]\n\n[[exchange]]\noffset = [[1, 0, 0], [0, 4, 0]]', "open boundaries"),
    ("species_unknown", 'shell = 1', 'shell = 1\nbetween = ["Fe", "Co"]', "Fe"),
    ("maptype_unknown", 'shell = 1\nJ = 1.0', 'file = "jfile"\nmaptype = 3', "maptype"),
    ("jfile_missing", 'shell = 1\nJ = 1.0', 'file = "jfile"', "jfile"),
    ("dmi_without_vector", '[field]', '[[dmi]]\nshell = 1\n[field]', "strength"),
    ("dmi_vector_for_a_shell", '[field]', '[[dmi]]\nshell = 1\nD = [0, 0, 1]\n[field]', "sign"),
    ("dmi_both", '[field]', '[[dmi]]\nshell = 1\nD = [0, 0, 1]\nstrength = 1\n[field]', "both"),
    ("anisotropy_without_axis", '[field]', '[[anisotropy]]\nK = 1\naxis = [0, 0, 0]\n[field]',
     "axis"),
    ("anisotropy_unknown_species", '[field]', '[[anisotropy]]\nK = 1\nspecies = "Fe"\n[field]',
     "Fe"),
    ("anisotropy_without_strength", '[field]', '[[anisotropy]]\naxis = [0, 0, 1]\n[field]', "K6"),
    ("cubic_axes_oblique", '[field]',
     '[[cubic-anisotropy]]\nK4 = 1\naxes = [[1, 0, 0], [0, 1, 0], [0, 1, 1]]\n[field]',
     "orthogonal"),
    ("cubic_axis_zero", '[field]',
     '[[cubic-anisotropy]]\nK4 = 1\naxes = [[1, 0, 0], [0, 1, 0], [0, 0, 0]]\n[field]', "axes"),
    ("cubic_unknown_species", '[field]',
     '[[cubic-anisotropy]]\nK4 = 1\nspecies = "Fe"\n[field]', "Fe"),
    ("tensor_without_matrix", '[field]', '[[exchange-tensor]]\nshell = 1\n[field]', "A"),
    ("tensor_of_two_rows", '[field]',
     '[[exchange-tensor]]\nshell = 1\nA = [[1, 0, 0], [0, 1, 0]]\n[field]', "A"),
    ("tensor_without_direction", '[field]',
     '[[exchange-tensor]]\nshell = 1\nA = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]\n[field]',
     "not symmetric"),
    ("kitaev_without_coupling", '[field]', '[[kitaev]]\nshell = 1\n[field]', "Gamma_prime"),
    ("kitaev_of_two_directions", '[field]', '[[kitaev]]\nshell = 1\nK = 1\n[field]',
     "three directions, but there are 2"),
    ("kitaev_of_too_many_directions", 'type = "square"\nsize = [4, 4]\nperiodic = true\n',
     'type = "fcc"\nsize = [2, 2, 2]\n\n[[kitaev]]\nshell = 1\nK = 1\n', "more"),
    ("kitaev_of_equal_angles", 'type = "square"\nsize = [4, 4]\nperiodic = true\n',
     'type = "sc"\nsize = [4, 4, 4]\n\n[[kitaev]]\noffset = [[1, 0, 0], [1, 0, 1], [0, 1, 0]]\n'
     'K = 1\n', "equal angles"),
    ("kitaev_bond_unknown", '[field]', '[[kitaev]]\nshell = 1\nK = 1\nbond = "w"\n[field]',
     "bond"),
    ("biquadratic_without_coupling", '[field]', '[[biquadratic]]\nshell = 1\n[field]', "'b'"),
    ("biquadratic_without_bonds", '[field]', '[[biquadratic]]\nb = 1\n[field]', "does not select its bonds"),
    ("local_field_everywhere", '[field]', '[[local-field]]\nB = [0, 0, 1]\n[field]', "staggered"),
    ("local_field_in_two_ways", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nsites = [1]\nspecies = "A"\n[field]', "one of species"),
    ("local_field_unknown_species", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nspecies = "Fe"\n[field]', "Fe"),
    ("local_field_unknown_site", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nsites = [16]\n[field]', "no site 16"),
    ("local_field_site_twice", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nsites = [3, 3]\n[field]', "twice"),
    ("local_field_site_negative", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nsites = [-1]\n[field]', "sites"),
    ("staggered_field_of_one_atom", '[field]',
     '[[local-field]]\nB = [0, 0, 1]\nstaggered = true\n[field]', "two atoms"),
    ("random_field_without_width", '[field]', '[[random-field]]\nseed = 2\n[field]', "width"),
    ("random_field_width_negative", '[field]', '[[random-field]]\nwidth = -1\n[field]', "width"),
    ("random_field_axis_zero", '[field]',
     '[[random-field]]\nwidth = 1\naxis = [0, 0, 0]\n[field]', "axis"),
    ("alloy_by_nothing", '[field]', '[[alloy]]\nfraction = 0.1\n[field]', "by"),
    ("alloy_fraction_above_one", '[field]',
     '[[alloy]]\nby = "vacancy"\nfraction = 1.1\n[field]', "fraction"),
    ("alloy_fraction_negative", '[field]',
     '[[alloy]]\nby = "vacancy"\nfraction = -0.1\n[field]', "fraction"),
    ("alloy_without_fraction", '[field]', '[[alloy]]\nby = "vacancy"\n[field]', "fraction"),
    ("alloy_with_fraction_and_sites", '[field]',
     '[[alloy]]\nby = "vacancy"\nfraction = 0.1\nsites = [2]\n[field]', "both"),
    ("alloy_without_moment", '[field]', '[[alloy]]\nby = "Co"\nfraction = 0.1\n[field]', "moment"),
    ("alloy_moment_zero", '[field]',
     '[[alloy]]\nby = "Co"\nfraction = 0.1\nmoment = 0\n[field]', "moment"),
    ("vacancy_with_a_moment", '[field]',
     '[[alloy]]\nby = "vacancy"\nfraction = 0.1\nmoment = 1\n[field]', "no moment"),
    ("vacancy_with_damping", '[field]',
     '[[alloy]]\nby = "vacancy"\nfraction = 0.1\ndamping = 1\n[field]', "no damping"),
    ("alloy_unknown_species", '[field]',
     '[[alloy]]\nspecies = "Fe"\nby = "vacancy"\nfraction = 0.1\n[field]', "lattice has A"),
    ("alloy_by_itself", '[field]',
     '[[alloy]]\nby = "A"\nfraction = 0.1\nmoment = 1\n[field]', "by itself"),
    ("alloy_unknown_site", '[field]', '[[alloy]]\nby = "vacancy"\nsites = [16]\n[field]', "15"),
    ("alloy_site_negative", '[field]', '[[alloy]]\nby = "vacancy"\nsites = [-1]\n[field]', "sites"),
    ("alloy_site_twice", '[field]', '[[alloy]]\nby = "vacancy"\nsites = [3, 3]\n[field]', "twice"),
    ("alloy_no_site", '[field]', '[[alloy]]\nby = "vacancy"\nsites = []\n[field]', "sites"),
    ("alloy_site_replaced_before", '[field]', '[[alloy]]\nby = "vacancy"\nsites = [3]\n'
     '[[alloy]]\nby = "Co"\nsites = [3]\nmoment = 1\n[field]', "replaced by an earlier table"),
    ("alloy_more_than_all", '[field]', '[[alloy]]\nby = "vacancy"\nfraction = 0.5\n'
     '[[alloy]]\nby = "Co"\nfraction = 0.6\nmoment = 1\n[field]', "left only 8 of 16"),
    ("alloy_of_nothing", '[field]', '[[alloy]]\nby = "vacancy"\nfraction = 1\n[field]', "no spin"),
    ("alloy_of_several_species", 'type = "square"\nsize = [4, 4]\nperiodic = true\n',
     'type = "honeycomb"\nsize = [4, 4]\nspecies = ["Fe", "Co"]\n'
     '[[alloy]]\nby = "vacancy"\nfraction = 0.1\n', "Fe, Co"),
    ("alloy_is_a_number", 'seed = 3', 'seed = 3\nalloy = 5', "alloy"),
    ("between_vacancies", 'shell = 1',
     'shell = 1\nJ = 1.0\n[[alloy]]\nby = "vacancy"\nfraction = 0.2\n'
     '[[exchange]]\nshell = 1\nbetween = ["vacancy", "A"]', "vacancy"),
    ("disorder_by_replica_of_none", 'J = 1.0', 'J = 1.0\ndisorder_by_replica = true', "disorder"),
    ("disorder_distribution_of_none", 'J = 1.0', 'J = 1.0\ndisorder_distribution = "bimodal"',
     "but no disorder"),
    ("disorder_distribution_unknown", 'J = 1.0',
     'J = 1.0\ndisorder = 0.1\ndisorder_distribution = "gaussian"', "bimodal"),
    ("disorder_negative", 'J = 1.0', 'J = 1.0\ndisorder = -0.1', "disorder"),
    ("disorder_without_coupling", 'J = 1.0', 'disorder = 0.1', "J"),
    ("disorder_of_a_jfile", 'shell = 1\nJ = 1.0', 'file = "jfile"\ndisorder = 0.1', "disorder"),
    ("field_of_two", 'B = [0, 0, 0.5]', 'B = [0, 0.5]', "B"),
    ("field_number", 'B = [0, 0, 0.5]', 'B = 0.5', "B"),
    ("field_nan", 'B = [0, 0, 0.5]', 'B = [0, 0, nan]', "B"),
    ("field_missing", 'B = [0, 0, 0.5]\n', '', "B"),
    ("temperature_zero", 'to = 1.0', 'to = 0.0', "to"),
    ("temperature_negative", 'from = 2.0', 'from = -2.0', "from"),
    ("temperature_wrong_way", 'factor = 0.9', 'factor = 1.1', "factor"),
    ("temperature_factor_one", 'factor = 0.9', 'factor = 1', "factor"),
    ("temperature_overdetermined", 'factor = 0.9', 'factor = 0.9, points = 4', "exactly one"),
    ("temperature_underdetermined", ', factor = 0.9', '', "exactly one"),
    ("temperature_endless", 'factor = 0.9', 'factor = 0.9999999999', "million"),
    ("temperature_text", '{ from = 2.0, to = 1.0, factor = 0.9 }', '"warm"', "temperature"),
    ("sweeps_zero", 'sweeps = 5', 'sweeps = 0', "sweeps"),
    ("sampled_too_rarely", 'kind = "anneal"\ntemperature = { from = 2.0, to = 1.0, factor = 0.9 }',
     'kind = "monte-carlo"\ntemperature = 1', "measure_every"),
    ("sampler_unknown", 'sweeps = 5', 'sweeps = 5\nsampler = "wolff"', "metropolis"),
    ("acceptance_too_low", 'sweeps = 5', 'sweeps = 5\ntarget_acceptance = 0.1', "0.2"),
    ("timestep_zero", 'timestep = 0.05', 'timestep = 0', "timestep"),
    ("timestep_missing", 'timestep = 0.05\n', '', "timestep"),
    ("steps_negative", 'steps = 20', 'steps = -20', "steps"),
    ("integrator_unknown", 'steps = 20', 'steps = 20\nintegrator = "euler"', "rk4"),
    ("rk4_with_a_heat_bath", 'steps = 20',
     'steps = 20\nintegrator = "rk4"\ndamping = 0.1\ntemperature = 1', "heat bath"),
    ("heat_bath_without_damping", 'steps = 20', 'steps = 20\ntemperature = 1', "damping"),
    ("damping_negative", 'steps = 20', 'steps = 20\ndamping = -0.1', "damping"),
    ("dampings_too_many", 'steps = 20', 'steps = 20\ndamping = [0.1, 0.2]', "damping"),
    ("temperature_of_dynamics_negative", 'steps = 20', 'steps = 20\ntemperature = -1',
     "temperature"),
    ("two_temperatures", 'steps = 20', 'steps = 20\ndamping = 0.1\ntemperature = 1\n'
     'temperature_schedule = [{ time = 0, temperature = 1 }]', "both"),
    ("schedule_backwards", 'steps = 20', 'steps = 20\ndamping = 0.1\ntemperature_schedule = '
     '[{ time = 2, temperature = 1 }, { time = 1, temperature = 1 }]', "rise"),
    ("pulse_without_field", 'steps = 20', 'steps = 20\npulse = [{ start = 1 }]', "B"),
    ("pulse_without_width", 'steps = 20',
     'steps = 20\npulse = [{ B = [1, 0, 0], shape = "gaussian" }]', "width"),
    ("pulse_with_too_much", 'steps = 20',
     'steps = 20\npulse = [{ B = [1, 0, 0], frequency = 2 }]', "frequency"),
    ("pulse_of_no_shape", 'steps = 20',
     'steps = 20\npulse = [{ B = [1, 0, 0], shape = "box" }]', "gaussian"),
    ("torque_without_velocity", 'steps = 20',
     'steps = 20\ntorque = [{ kind = "spin-transfer" }]', "velocity"),
    ("torque_of_two_kinds", 'steps = 20', 'steps = 20\ntorque = [{ kind = "polarised", '
     'polarisation = [0, 0, 1], velocity = [1, 0, 0] }]', "velocity"),
    ("two_torques_of_a_kind", 'steps = 20', 'steps = 20\ntorque = [{ kind = "polarised", '
     'polarisation = [0, 0, 1] }, { kind = "polarised", polarisation = [0, 1, 0] }]', "two"),
    ("drift_out_of_the_plane", 'steps = 20',
     'steps = 20\ntorque = [{ kind = "spin-transfer", velocity = [0, 0, 1] }]', "velocity"),
    ("drift_partly_out_of_the_plane", 'steps = 20',
     'steps = 20\ntorque = [{ kind = "spin-transfer", velocity = [1, 0, 1] }]',
     "velocity has a part along [0, 0, 1], along which site 0 has no neighbours"),
    ("measured_too_rarely", 'every = 5', 'every = 50', "every"),
    ("measured_twice", 'every = 5 }', 'every = 5 }, { what = "energy" }, { what = "energy" }',
     "twice"),
    ("sampled_twice", ANNEAL, 'kind = "monte-carlo"\ntemperature = 1\nsweeps = 50\n'
     'measure = ["energy-terms", "energy-terms"]', "energy-terms is measured twice"),
    ("relaxed_and_measured_twice", ANNEAL, 'kind = "minimise"\nmeasure = ["energy", "energy"]', "energy is measured twice"),
    ("keys_of_a_sampled_name", ANNEAL, 'kind = "monte-carlo"\ntemperature = 1\nsweeps = 50\n'
     'measure = [{ what = "energy-terms", every = 2 }]', 'measure = ["energy-terms"]'),
    ("steps_beyond_the_counter", 'steps = 20', 'steps = 2000000000000', "steps"),
    ("sweeps_overflowing", 'sweeps = 5', 'sweeps = 9223372036854775807', "sweeps"),
    ("points_without_end", 'every = 5', 'every = 5, points = 10000000000', "points"),
    ("every_zero", 'every = 5', 'every = 0', "every"),
    ("no_wave_vectors", 'path = ["G", "X"], ', '', "path"),
    ("path_of_one_point", '["G", "X"]', '["G"]', "two"),
    ("path_and_q", 'every = 5', 'every = 5, q = [[0, 0, 0]]', "several"),
    ("points_of_no_path", 'path = ["G", "X"]', 'grid = true, points = 4', "points without a path: points is"),
    ("points_of_energy", 'what = "structure-factor", path = ["G", "X"]',
     'what = "energy", points = 4', "belongs to structure-factor, not to energy"),
    ("unknown_key_of_energy", 'what = "structure-factor", path = ["G", "X"], every = 5',
     'what = "trajectory", evry = 5', "known keys of trajectory: what, every, replicas\n"),
    ("unknown_key_of_structure_factor", 'every = 5', 'every = 5, bins = 4',
     "known keys of structure-factor: what, every, path, points, q, grid, method, components, "
     "precision, error_blocks, window, window_width, connected, origins"),
    ("a_measurement_that_there_is_not", 'what = "structure-factor"', 'what = "structur-factor"',
     "There are energy, magnetisation, energy-terms"),
    ("bins_of_a_structure_factor", 'every = 5', 'every = 5, displacement = true',
     "belongs to pair-correlations, not to structure-factor"),
    ("unknown_key_of_a_torque", 'steps = 20', 'steps = 20\ntorque = [{ kind = "spin-transfer", '
     'velosity = [1, 0, 0] }]', "known keys of spin-transfer: kind, velocity, beta, shape"),
    ("max_frequency_of_zero", 'every = 5', 'every = 5, max_frequency = 0', "max_frequency"),
    ("precision_of_amplitudes", 'every = 5', 'every = 5, precision = "half-split"',
     'method = "real-space"'),
    ("precision_of_an_fft", 'every = 5', 'every = 5, precision = "tf32x3", method = "fft"',
     'method = "real-space"'),
    ("components_of_amplitudes", 'every = 5', 'every = 5, components = true',
     'method = "real-space"'),
    ("error_blocks_of_an_fft", 'every = 5', 'every = 5, error_blocks = 4, method = "fft"',
     'method = "real-space"'),
    ("window_width_of_hann", 'every = 5', 'every = 5, window_width = 0.3', 'not "hann"'),
    ("window_width_zero", 'every = 5', 'every = 5, window = "gaussian", window_width = 0',
     "positive"),
    ("wave_vector_far_away", 'path = ["G", "X"]', 'q = [[0, 0, 0], [0, 1e18, 0]]',
     "wave vector 2, [0, 1e+18, 0], lies more than a million zones away"),
    ("wave_vector_off_the_fft", 'path = ["G", "X"]', 'method = "fft", q = [[0, 0, 0], [0.1, 0, 0]]',
     "wave vector 2, [0.1, 0, 0], is not a wave vector of the periodic lattice"),
    ("inline_table_of_two_lines", 'path = ["G", "X"],', 'path = ["G", "X"],\n',
     "write { ... } on one line"),
    ("error_blocks_negative", 'every = 5', 'every = 5, error_blocks = -1, method = "real-space"',
     "error_blocks"),
    ("components_of_energy", 'what = "structure-factor", path = ["G", "X"]',
     'what = "energy", method = "real-space", components = true', "belongs to"),
    ("precision_of_energy", 'what = "structure-factor", path = ["G", "X"]',
     'what = "energy", method = "real-space", precision = "half-split"', "belongs to"),
    ("fft_of_a_wave_vector_between", 'path = ["G", "X"]', 'method = "fft", q = [[0.1, 0, 0]]',
     "factorised"),
    ("correlations_of_one_replica", 'replicas = 4', 'replicas = 1', "replicas"),
    ("window_unknown", 'every = 5', 'every = 5, window = "box"', "hann"),
    ("minimiser_unknown", ANNEAL, 'kind = "minimise"\nmethod = "newton"', "lbfgs"),
    ("tolerance_zero", ANNEAL, 'kind = "minimise"\ntolerance = 0', "tolerance"),
    ("minimise_without_steps", ANNEAL, 'kind = "minimise"\nsteps = 0', "steps"),
    ("minimise_with_a_temperature", ANNEAL, 'kind = "minimise"\ntemperature = 1', "temperature"),
    ("hysteresis_without_field", ANNEAL, 'kind = "hysteresis"', "field"),
    ("hysteresis_of_no_fields", ANNEAL, 'kind = "hysteresis"\nfield = []', "empty"),
    ("hysteresis_of_points_and_step", ANNEAL,
     'kind = "hysteresis"\nfield = { from = 1, to = -1, points = 3, step = 1 }', "exactly one"),
    ("hysteresis_of_one_point", ANNEAL,
     'kind = "hysteresis"\nfield = { from = 1, to = -1, points = 1 }', "points"),
    ("hysteresis_without_end", ANNEAL,
     'kind = "hysteresis"\nfield = { from = 1, to = -1, step = 1e-9 }', "million"),
    ("hysteresis_without_direction", ANNEAL,
     'kind = "hysteresis"\nfield = [1]\ndirection = [0, 0, 0]', "direction"),
    ("path_without_end", ANNEAL, 'kind = "minimum-energy-path"', "final"),
    ("path_of_two_images", ANNEAL, 'kind = "minimum-energy-path"\nfinal = {}\nimages = 2',
     "images"),
    ("path_to_anywhere", ANNEAL, 'kind = "minimum-energy-path"\nfinal = { state = "random" }',
     "aligned"),
    ("path_of_four_replicas", ANNEAL, 'kind = "minimum-energy-path"\nfinal = {}', "replicas"),
    ("lifetime_at_no_temperature", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\nlifetime = {}', "temperature"),
    ("lifetime_at_absolute_zero", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\nlifetime = { temperature = 0 }', "temperature"),
    ("lifetime_at_a_range_without_points", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\nlifetime = { temperature = { from = 1, to = 2 } }',
     "exactly one of factor, step and points"),
    ("lifetime_at_an_empty_list", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\nlifetime = { temperature = [] }', "at least one"),
    ("lifetime_of_negative_damping", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\nlifetime = { temperature = 1, damping = -0.1 }',
     "damping"),
    ("lifetime_of_unknown_zero_modes", ANNEAL,
     'kind = "minimum-energy-path"\nfinal = {}\n'
     'lifetime = { temperature = 1, zero_modes = "two" }', "auto"),
    ("lifetime_without_a_saddle", 'replicas = 4\n' + REST_TO_ANNEAL + ANNEAL,
     REST_TO_ANNEAL + 'kind = "minimum-energy-path"\nfinal = {}\nclimb = false\n'
     'lifetime = { temperature = 1 }', "climb"),
    ("path_through_a_wall_without_width", 'replicas = 4\n' + REST_TO_ANNEAL + ANNEAL,
     REST_TO_ANNEAL + 'kind = "minimum-energy-path"\nfinal = {}\n'
     'through = [{ state = "domain-wall" }]', "width"),
    ("spin_waves_nowhere", ANNEAL, 'kind = "spin-waves"', "path"),
    ("spin_waves_along_and_at", ANNEAL,
     'kind = "spin-waves"\npath = ["G", "X"]\nq = [[0, 0, 0]]', "several"),
    ("spin_waves_without_motion", ANNEAL,
     'kind = "spin-waves"\npath = ["G", "X"]\ntemperature = 0', "quantum"),
    ("spin_waves_around_chaos", ANNEAL,
     'kind = "spin-waves"\npath = ["G", "X"]\nground_state = { state = "random" }', "aligned"),
    ("magnetic_cell_of_one_number", ANNEAL,
     'kind = "spin-waves"\npath = ["G", "X"]\nmagnetic_cell = [2]', "magnetic_cell"),
    ("states_on_no_grid", ANNEAL,
     'kind = "spin-waves"\ndensity_of_states = { bins = 5 }', "grid"),
    ("map_of_no_wave_vectors", ANNEAL, 'kind = "spin-waves"\nmap = { width = 0.1 }\n'
     'density_of_states = { grid = [4, 4] }', "map"),
    ("sublattices_without_directions", '[field]', '[initial]\nstate = "sublattices"\n[field]',
     "directions"),
    ("directions_of_no_sublattices", '[field]',
     '[initial]\nstate = "aligned"\ndirections = [[0, 0, 1]]\n[field]', "sublattices"),
    ("file_of_no_state", '[field]', '[initial]\nfile = "spins.extxyz"\n[field]', "state"),
    ("state_of_no_file", '[field]', '[initial]\nstate = "file"\n[field]', "file"),
    ("missing_file_of_spins", '[field]',
     '[initial]\nstate = "file"\nfile = "none.extxyz"\n[field]', "none.extxyz"),
    ("device_unknown", '[field]', '[device]\nbackend = "tpu"\n[field]', "cpu"),
    ("threads_negative", '[field]', '[device]\nthreads = -2\n[field]', "threads"),
    ("units_unknown", 'seed = 3', 'seed = 3\nunits = "cgs"', "material"),
    ("units_missing_in_material_study", 'seed = 3', 'seed = 3\nunits = "material"', "unit"),
    ("constants_unknown", 'seed = 3', 'seed = 3\nunits = "material"\nconstants = 1986', "2018"),
    ("spiral_without_normal", '[field]',
     '[initial]\nstate = "spiral"\nnormal = [0,0,0]\n[field]', "normal"),
    ("dipoles_without_strength", '[field]', '[dipolar]\nmethod = "bonds"\n[field]', "strength"),
    ("dipoles_by_fft_in_monte_carlo", '[field]', '[dipolar]\nstrength = 1\n[field]', "bonds"),
    ("dipoles_repel", '[field]', '[dipolar]\nstrength = -1\n[field]', "strength"),
    ("cutoff_missing", '[field]', '[dipolar]\nstrength = 1\nmethod = "cutoff"\n[field]', "cutoff"),
    ("cutoff_of_all_pairs", '[field]',
     '[dipolar]\nstrength = 1\nmethod = "bonds"\ncutoff = 2\n[field]', "cutoff"),
    ("cutoff_under_a_bond", '[field]', '[dipolar]\nstrength = 1\ncutoff = 0.5\n[field]', "longer"),
    ("cutoff_round_the_lattice", '[field]', '[dipolar]\nstrength = 1\ncutoff = 4.5\n[field]',
     "larger"),
    ("demagnetised_film", '[field]',
     '[dipolar]\nstrength = 1\nmethod = "bonds"\ndemagnetisation = [0, 0, 1]\n[field]',
     "open boundaries"),
    ("dipoles_twice", '[field]',
     '[[dipolar]]\nstrength = 1\nmethod = "bonds"\n[[dipolar]]\nstrength = 1\ncutoff = 2\n[field]',
     "twice"),
    ("currents_of_many_disorders", 'J = 1.0',
     'J = 1.0\ndisorder = 0.1\ndisorder_by_replica = true\n[[stage]]\nkind = "monte-carlo"\n'
     'temperature = 1\nsweeps = 10\nmeasure = ["spin-currents"]\n[[stage]]\nkind = "anneal"\n'
     'temperature = { from = 1, to = 0.5, points = 2 }', "replica"),
    ("spin_temperature_under_a_pulse",
     'measure = [{ what = "structure-factor", path = ["G", "X"], every = 5 }]',
     'pulse = [{ B = [0, 0, 1] }]\nmeasure = [{ what = "spin-temperature", every = 5 }]', "pulse"),
    ("vortex_without_core", '[field]', '[initial]\nstate = "vortex"\n[field]', "width"),
    ("checkpoints_never", '[field]', '[checkpoint]\nevery = 0\n[field]', "every"),
    ("no_stage", GOOD[GOOD.index("[[stage]]"):], '', "stage"),
    ("stage_is_a_number", GOOD[GOOD.index("[[stage]]"):], '', "stage"),
    ("no_lattice", GOOD[GOOD.index("[lattice]"):GOOD.index("[[exchange]]")], '', "lattice"),
    ("key_twice", 'seed = 3', 'seed = 3\nseed = 4', "seed"),
    ("table_twice", '[field]', '[lattice]\n[field]', "lattice"),
    ("unclosed_string", 'title = "good"', 'title = "good', ""),
    ("unclosed_list", 'size = [4, 4]', 'size = [4, 4', ""),
    ("value_missing", 'seed = 3', 'seed =', ""),
    ("integer_beyond_64_bits", 'seed = 3', 'seed = 18446744073709551616', ""),
    ("nested_without_end", 'seed = 3', 'seed = ' + 5000 * '[', ""),
    ("lattice_is_a_list", '[lattice]', '[[lattice]]', "table"),
    ("carriage_returns_alone", 'seed = 3\n', 'seed = 3\r', ""),
    ("date_for_a_number", 'seed = 3', 'seed = 2026-01-01', ""),
]


def listing(folder):
    return {str(p.relative_to(folder)): p.stat().st_mtime_ns for p in folder.rglob("*")}


def assert_refused(folder, study, contains, code=2, commands=("run", "check"), place=True):
    before = listing(folder)
    for command in commands:
        refused = larmor(command, study, cwd=folder)
        assert refused.returncode == code, refused.stderr + refused.stdout
        assert refused.stdout == ""
        assert refused.stderr.count("error:") == 1, refused.stderr
        assert "defect" not in refused.stderr
        if place:
            assert re.match(r"study\.toml:(\d+:\d+:)? error: ", refused.stderr), refused.stderr
            assert "help:" in refused.stderr
        assert contains in refused.stderr, refused.stderr
        assert listing(folder) == before


def test_the_study_that_all_are_made_from_is_good(tmp_path):
    (tmp_path / "study.toml").write_text(GOOD)
    assert larmor("check", "study.toml", cwd=tmp_path).returncode == 0
    assert larmor("run", "study.toml", cwd=tmp_path).returncode == 0


def test_there_are_a_hundred_of_them():
    assert len(CHANGED) >= 100
    assert len({name for name, *_ in CHANGED}) == len(CHANGED)


@pytest.mark.parametrize("name, line, replacement, contains", CHANGED, ids=[c[0] for c in CHANGED])
def test_malformed(tmp_path, name, line, replacement, contains):
    assert GOOD.count(line) >= 1
    text = GOOD.replace(line, replacement, 1)
    if name == "stage_is_a_number":
        text = "stage = 5\n" + text
    (tmp_path / "study.toml").write_text(text)
    # The commands `run` and `check` share the functions that read a study.
    assert_refused(tmp_path, "study.toml", contains, commands=("run", "check") if DEPTH else ("run",))


MATERIAL = GOOD.replace("seed = 3", 'seed = 3\nunits = "material"').replace(
    "J = 1.0", 'J = "5 meV"'
).replace("B = [0, 0, 0.5]", 'B = ["0 T", "0 T", "1 T"]').replace(
    "from = 2.0, to = 1.0", 'from = "300 K", to = "100 K"'
).replace("timestep = 0.05", 'timestep = "1 fs"')


def test_the_material_study_that_all_are_made_from_is_good(tmp_path):
    (tmp_path / "good.toml").write_text(MATERIAL)
    assert larmor("check", "good.toml", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize(
    "line, replacement, contains",
    [
        ('"5 meV"', "5", "meV"),
        ('"5 meV"', '"5 meW"', "meV"),
        ('"5 meV"', '"5 fs"', "energy"),
        ('"5 meV"', '"meV"', "J"),
        ('"5 meV"', '"5"', "unit"),
        ('"1 T"', "1", "T"),
        ('"1 T"', '"1 K"', "magnetic field"),
        ('"300 K"', "300", "K"),
        ('"1 fs"', '"1 T"', "time"),
        ('"1 fs"', '"-1 fs"', "timestep"),
        ('"1 T"', '"1"', 'element 3 of B: \'1\' lacks a unit'),
        ('"1 T"', '"1"', 'write for example "1 T"'),
        ('"1 T"', '"x"', 'write for example "4.5 T"'),
        ('"300 K"', '"300 s"', "units of temperature: K, mK, or of energy: eV, meV, "),
        ('"300 K"', "300", "or of frequency: THz, "),
    ],
)
def test_quantities_of_material_studies(tmp_path, line, replacement, contains):
    (tmp_path / "study.toml").write_text(MATERIAL.replace(line, replacement, 1))
    assert_refused(tmp_path, "study.toml", contains)


def test_files_that_are_no_studies(tmp_path):
    (tmp_path / "empty.toml").write_text("")
    (tmp_path / "comment.toml").write_text("# nothing\n")
    (tmp_path / "binary.toml").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "latin.toml").write_bytes(b'title = "\xe9"\n')
    (tmp_path / "folder.toml").mkdir()
    for name in ("empty", "comment", "binary", "latin", "folder", "missing"):
        assert_refused(tmp_path, f"{name}.toml", name, place=False)


@pytest.mark.parametrize(
    "rows, contains",
    [
        ("1 1 0.5 0.5 0.5\n", "jfile:1"),
        ("1 1 0.5 0.5 0.5 strong\n", "jfile:1"),
        ("1 1 0.5 0.5 0.5 nan\n", "jfile:1"),
        ("1 9 0.5 0.5 0.5 1.0\n", "jfile:1"),
        ("1 1 0.3 0.3 0.3 1.0\n", "jfile:1"),
        ("1 1 0.5 0.5 0.5 1.0\n1 1 0.5 0.5 0.5 2.0\n", "jfile:2"),
        ("", "jfile"),
    ],
)
def test_malformed_jfiles(tmp_path, rows, contains):
    (tmp_path / "jfile").write_text(rows)
    (tmp_path / "study.toml").write_text(
        'units = "material"\n[lattice]\ntype = "bcc"\nsize = [4, 4, 4]\nconstant = "2.87 Å"\n'
        '[[exchange]]\nfile = "jfile"\nsymmetry = "cubic"\n'
        '[[stage]]\nkind = "monte-carlo"\ntemperature = "300 K"\n'
    )
    assert_refused(tmp_path, "study.toml", contains, place=False)


@pytest.mark.parametrize(
    "text, contains",
    [
        ("", "atoms.xyz"),
        ("two\n\n", "atoms.xyz:1"),
        ("2\nProperties=species:S:1:pos:R:3\nFe 0 0 0\n", "atoms.xyz"),
        ("1\nProperties=species:S:1:pos:R:3\nFe 0 0 nan\n", "atoms.xyz:3"),
        ("2\nProperties=species:S:1:pos:R:3\nFe 0 0 0\nFe 0 0 0\n", "atoms.xyz:4"),
    ],
)
def test_malformed_positions(tmp_path, text, contains):
    (tmp_path / "atoms.xyz").write_text(text)
    (tmp_path / "study.toml").write_text(
        GOOD.replace('type = "square"\nsize = [4, 4]', 'file = "atoms.xyz"').replace(
            "periodic = true\n", ""
        )
    )
    assert_refused(tmp_path, "study.toml", contains, place=False)


def test_outputs_that_cannot_be_written(tmp_path):
    (tmp_path / "study.toml").write_text(GOOD)
    (tmp_path / "there.h5").write_text("my precious")
    (tmp_path / "folder.h5").mkdir()
    for output, code in (
        ("there.h5", 2),
        ("folder.h5", 2),
        ("out/", 2),
        (".", 2),
        ("none/x.h5", 2),
        ("study.toml/x.h5", 2),
        ("/dev/null", 2),
        ("/proc/x.h5", 3),
        (300 * "x" + ".h5", 2),
    ):
        before = listing(tmp_path)
        refused = larmor("run", "study.toml", "-o", output, cwd=tmp_path)
        assert refused.returncode == code, refused.stderr
        assert output.rstrip("/").split("/")[0] in refused.stderr
        assert refused.stdout == ""
        assert listing(tmp_path) == before
    assert (tmp_path / "there.h5").read_text() == "my precious"


def test_force_replaces_results_only(tmp_path):
    """A mistyped output must not overwrite the study or a table of couplings."""
    (tmp_path / "study.toml").write_text(GOOD)
    (tmp_path / "jfile").write_text("1 1 1 0 0 1.0\n")
    for precious in ("study.toml", "jfile"):
        before = listing(tmp_path)
        refused = larmor("run", "study.toml", "-o", precious, "--force", cwd=tmp_path)
        assert refused.returncode == 2 and precious in refused.stderr
        assert listing(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read and write everything")
def test_files_without_permission(tmp_path):
    (tmp_path / "study.toml").write_text(GOOD)
    (tmp_path / "study.toml").chmod(0)
    assert larmor("run", "study.toml", cwd=tmp_path).returncode == 3


def test_random_mutations_never_crash_and_never_write(tmp_path):
    """Characters are deleted, doubled or swapped. The study is then refused with a message, or is
    still valid."""
    chance = random.Random(5)
    for case in range(150 if DEPTH else 50):
        text = list(GOOD)
        for _ in range(chance.randint(1, 4)):
            place = chance.randrange(len(text) - 1)
            kind = chance.randrange(4)
            if kind == 0:
                del text[place]
            elif kind == 1:
                text[place] = chance.choice('[]{}="-0.,x\n')
            elif kind == 2:
                text[place], text[place + 1] = text[place + 1], text[place]
            else:
                text.insert(place, text[place])
        study = tmp_path / "study.toml"
        study.write_text("".join(text))
        before = listing(tmp_path)
        checked = larmor("check", "study.toml", cwd=tmp_path)
        assert checked.returncode in (0, 2, 3), f"case {case}: {checked.stderr}\n{''.join(text)}"
        assert listing(tmp_path) == before
        if checked.returncode == 2:
            assert checked.stderr.count("error:") == 1 and checked.stdout == ""
