#pragma once
// Everything an ordinary program needs: load a robot, build one, find its variables by name,
// compute its kinematics, inverse kinematics and dynamics. Simulations: simulator.hpp. Closed
// mechanisms: the headers of constraint/. Water: those of fluid/.
#include <limber/control/inverse_kinematics.hpp>
#include <limber/dynamics/actuation.hpp>
#include <limber/dynamics/centroidal.hpp>
#include <limber/dynamics/coriolis.hpp>
#include <limber/dynamics/derivatives.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/linearization.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/dynamics/momentum_observer.hpp>
#include <limber/dynamics/operational_space.hpp>
#include <limber/dynamics/regressor.hpp>
#include <limber/dynamics/star_dynamics.hpp>
#include <limber/dynamics/tree_factor.hpp>
#include <limber/io/load.hpp>
#include <limber/io/write.hpp>
#include <limber/model/compare.hpp>
#include <limber/model/equality.hpp>
#include <limber/model/generate.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/mount.hpp>
#include <limber/model/rolling_sphere.hpp>
#include <limber/model/variables.hpp>
