#pragma once
// FunctionCode: one function of one robot, ready to run: machine code from a shared library, or its
// program, run instruction by instruction.
#include <memory>
#include <optional>
#include <string>

#include <limber/compile/compiled_robot.hpp>
#include <limber/compile/source.hpp>

#include "compile/shared_library.hpp"

namespace limber {

/// No function has more input arrays.
inline constexpr std::size_t most_inputs = 10;

/// Functions whose outputs have a sparse form.
bool has_matrices(RobotFunction function);
bool is_derivative(RobotFunction function);

/// One set of functions per kind of number. Matrices are in sparse form.
template <class T>
struct Kernels {
  KernelPointer<T> batch = nullptr;
  RolloutPointer<T> rollout = nullptr;  ///< only of `step`
};

struct FunctionCode {
  RobotFunction function = RobotFunction::kinematics;
  KernelNumbers numbers = KernelNumbers::only_double;
  FunctionShape shape, sparse_shape;
  std::optional<SharedLibrary> library;  ///< none: the programs are run
  Program program, sparse_program;
  /// For functions of one state that the interpreter computes faster; null: none.
  std::shared_ptr<const Model> model;
  Passive passive = Passive::left_out;
  KernelPointer<double> one = nullptr;  ///< one state at a time
  Kernels<double> in_double;
  Kernels<float> in_float;  ///< where they were asked for

  template <class T>
  const Kernels<T>& kernels() const {
    if constexpr (std::is_same_v<T, double>) return in_double;
    else return in_float;
  }
};

/// The batch function of a FunctionCode with whole matrices: runs it for some states at a time and
/// writes its results out.
template <class T>
void run_whole(const void* context, long count, long stride, const T* const* in, T* const* out);

/// The program that writes matrices in sparse form.
Program in_sparse_form(Program program, const FunctionShape& sparse_shape);

/// The source of a shared library for a robot with one function.
struct LibrarySource {
  std::vector<GeneratedFile> headers;
  std::vector<GeneratedFile> units;  ///< compiled each for itself: library.cpp and the stages
};
LibrarySource library_source(const TracedRobot& robot, KernelNumbers numbers);
/// The same for derivatives column by column, only for many states.
struct LanesGradient;
LibrarySource library_source(const TracedRobot& robot, const LanesGradient& gradient,
                             KernelNumbers numbers);

/// Takes the functions of a library. Throws Error where it lacks one.
void use_library(SharedLibrary library, FunctionCode& code);
/// Takes the program's own instructions.
void use_program(Program program, FunctionCode& code);

}  // namespace limber
