#pragma once
// Everything a program that simulates needs: systems and integrators, drives, controllers,
// scenarios and reports.
#include <limber/control/follow.hpp>
#include <limber/control/joint_controller.hpp>
#include <limber/control/joint_trajectory.hpp>
#include <limber/control/open_loop.hpp>
#include <limber/control/prescribed.hpp>
#include <limber/control/task_controller.hpp>
#include <limber/drive/drive_demand.hpp>
#include <limber/drive/elastic_drive.hpp>
#include <limber/drive/joint_friction.hpp>
#include <limber/drive/linear_actuator.hpp>
#include <limber/drive/motor_drive.hpp>
#include <limber/limber.hpp>
#include <limber/analysis/analysis.hpp>
#include <limber/report/recording_files.hpp>
#include <limber/scenario/run.hpp>
#include <limber/sim/external_force.hpp>
#include <limber/sim/force_plugin.hpp>
#include <limber/sim/frame_force.hpp>
#include <limber/sim/joint_limits.hpp>
#include <limber/sim/recording.hpp>
#include <limber/sim/team_run.hpp>
#include <limber/sim/grasp.hpp>
#include <limber/sim/simulation.hpp>
#include <limber/sim/value_event.hpp>
