#pragma once
// Everything an ordinary program needs: load a robot, build one, compute its dynamics.
#include <limber/dynamics/actuation.hpp>
#include <limber/dynamics/energy.hpp>
#include <limber/dynamics/forward_dynamics.hpp>
#include <limber/dynamics/hybrid_dynamics.hpp>
#include <limber/dynamics/inverse_dynamics.hpp>
#include <limber/dynamics/jacobian.hpp>
#include <limber/dynamics/kinematics.hpp>
#include <limber/dynamics/mass_matrix.hpp>
#include <limber/io/load.hpp>
#include <limber/model/generate.hpp>
#include <limber/model/joint_space.hpp>
#include <limber/model/rolling_sphere.hpp>
