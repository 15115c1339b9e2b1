#pragma once
// How the numbers of a joint's positions, as plain functions of time, belong to its velocities.
#include <span>
#include <string>
#include <vector>

#include <limber/model/joint_space.hpp>

namespace limber {

/// Names and units of freedom k (index into v), for messages: "elbow" and "rad".
std::string freedom_name(const Model& model, std::size_t k);
std::string freedom_unit(const Model& model, std::size_t k);

/// Where a number of positions is a function of time: value, rate and acceleration.
struct Coordinate {
  double value = 0, rate = 0, acceleration = 0;
};

/// q, v and a of one joint from the motion c of its position variables; quaternions in c need not
/// be unit, what they mean is their direction. q, v, a are the robot's.
void motion_from_coordinates(const JointPlace& joint, std::span<const Coordinate> c,
                             std::span<double> q, std::span<double> v, std::span<double> a);

/// The other way: c of one joint, with unit quaternions.
void coordinates_from_motion(const JointPlace& joint, std::span<const double> q,
                             std::span<const double> v, std::span<const double> a,
                             std::span<Coordinate> c);

/// Throws Error for joints whose positions are not plain functions of time: custom joints that
/// integrate their positions themselves.
void expect_coordinates(const Model& model, const char* what);

/// Throws Error unless `values` has `count` finite entries. `field`: what they are, for the
/// message.
void expect_numbers(const Model& model, std::string_view field, std::span<const double> values,
                    int count);

/// One number for each of `count` from a list that is empty (all `otherwise`), has one entry for
/// all, or one each. Throws Error naming the field.
std::vector<double> one_each(std::string_view field, const std::vector<double>& values,
                             std::size_t count, double otherwise);

}  // namespace limber
