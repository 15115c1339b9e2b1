#pragma once
// The text of a program in some language: the body of a function, one statement per instruction.
#include <functional>
#include <string>
#include <vector>

#include <limber/compile/program.hpp>

namespace limber {

/// How a language writes what programs are made of.
struct Dialect {
  std::string number;      ///< type of a value
  std::string real = "T";  ///< type of one number
  std::string condition;   ///< type of a comparison's result
  std::string indent = "  ";
  /// Reads or names element `element` of input array `name`.
  std::function<std::string(const std::string& name, int element)> input;
  /// The statement that writes a value.
  std::function<std::string(const std::string& name, int element, const std::string& value)> output;
  std::function<std::string(double)> constant;
  std::string fused = "fma";  ///< name of the function a b + c
  std::string root = "sqrt";
  std::string floor = "floor";
  std::string element = "at";     ///< at(table, index, size of the table)
  std::string sincos = "sincos";  ///< sincos(x, s, c): writes s and c (see by_address)
  bool by_address = false;        ///< sincos takes &s, &c
  /// Statements that make `sines` and `cosines` of several angles at once; empty: each angle for
  /// itself, where it is first needed.
  std::function<std::string(const std::vector<std::string>& angles)> sincos_together;
  std::string choose;  ///< name of select(condition, a, b); empty: condition ? a : b
};

/// Statements, each on a line.
std::string statements(const Program& program, const Dialect& dialect);

}  // namespace limber
