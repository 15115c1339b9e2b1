#pragma once
// All of the textbooks' other formulations. docs/reference.md says which is which.
#include <limber/reference/floating_base.hpp>
#include <limber/reference/forward_dynamics.hpp>
#include <limber/reference/handbook.hpp>
#include <limber/reference/mass_matrix.hpp>
#include <limber/reference/inverse_dynamics.hpp>
#include <limber/reference/mdh.hpp>
#include <limber/reference/stacked.hpp>
