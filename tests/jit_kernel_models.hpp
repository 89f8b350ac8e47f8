#pragma once
// Models for tests of JIT kernels. They have every bond class, several atoms per cell, and on-site
// terms of each atom.

namespace larmor::testing_support {

struct NamedModel {
  const char* name;
  const char* text;
};

inline constexpr NamedModel jit_kernel_models[] = {
    {"iron",
     "[lattice]\ntype='bcc'\nsize=[8,4,4]\n[[exchange]]\nshell=1\nJ=1\n[[exchange]]\nshell=2\nJ=0."
     "5\n"
     "[[exchange]]\nshell=3\nJ=0.25\n[[exchange]]\nshell=4\nJ=-0.125\n"},
    {"twice primes", "[lattice]\ntype='sc'\nsize=[74,22,14]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"odd", "[lattice]\ntype='sc'\nsize=[3,5,6]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"DMI, anisotropy and field",
     "[lattice]\ntype='square'\nsize=[16,12]\n[[exchange]]\nshell=1\nJ=1\n"
     "[[dmi]]\nshell=1\nstrength=0.4\ndirection='interface'\n[[anisotropy]]\nK=0.3\naxis=[0,0,1]\n["
     "field]\nB=[0,0.1,0.4]"
     "\n"},
    {"chain", "[lattice]\ntype='chain'\nsize=[20]\n[[exchange]]\nshell=1\nJ=1\n"},
    {"pyrochlore", "[lattice]\ntype='pyrochlore'\nsize=[2,4,4]\n[[exchange]]\nshell=1\nJ=-1\n"},
    {"Kitaev on the honeycomb lattice",
     "[lattice]\ntype='honeycomb'\nsize=[6,8]\nmoment=[1,1.4]\n[[exchange]]\nshell=1\nJ=-0.3\n"
     "[[kitaev]]\nshell=1\nK=0.8\nGamma=0.2\nGamma_prime=-0.1\n[[dmi]]\nshell=2\nstrength=0.15\n"
     "direction='bond'\n[field]\nB=[0.1,0.2,0.3]\n"},
    {"DMI and sixth order on kagome",
     "[lattice]\ntype='kagome'\nsize=[8,4]\n[[exchange]]\nshell=1\nJ=1\n[[dmi]]\nshell=1\n"
     "strength=0.3\ndirection='interface'\n[[anisotropy]]\nK=0.2\nK4=-0.3\nK6=0.4\n"
     "axis=[1,2,0.5]\n"},
    {"asymmetric tensors of three atoms",
     "[lattice]\ncell=[[1,0,0],[0,1.1,0],[0,0,1.3]]\n"
     "basis=[[0,0,0],[0.5,0.4,0.1],[0.2,0.6,0.5]]\nspecies=['A','B','C']\nmoment=[1,0.6,2.1]\n"
     "size=[4,6,2]\n[[exchange]]\nshell=1\nJ=1\n"
     "[[exchange-tensor]]\natoms=[0,1]\noffset=[[0,0,0],[-1,0,0]]\n"
     "A=[[0.2,0.1,-0.4],[-0.3,0.4,0.6],[0.05,-0.2,0.5]]\n"
     "[[exchange-tensor]]\natoms=[2,2]\noffset=[[1,0,0]]\n"
     "A=[[0.3,0.2,0],[0,-0.4,0.1],[-0.15,0,0.2]]\n"
     "[[dmi]]\natoms=[1,2]\noffset=[[0,0,0],[0,-1,0]]\nD=[0.1,-0.2,0.3]\n"
     "[[anisotropy]]\nK=0.4\nK4=0.2\nK6=-0.3\naxis=[1,1,0.3]\nspecies='A'\n"
     "[[anisotropy]]\nK=-0.6\naxis=[0,1,0]\nspecies='B'\n[[cubic-anisotropy]]\nK4=0.5\nspecies='C'"
     "\n"
     "[field]\nB=[0.1,0,0.2]\n[[local-field]]\nB=[0,0.3,0.1]\nspecies='C'\n"}};

}  // namespace larmor::testing_support
