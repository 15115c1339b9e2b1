#pragma once
// Programs of the model compiler, run with Eigen vectors.
#include <limber/compile/program.hpp>

#include "support/near.hpp"

namespace limber::test {

/// The output arrays for given input arrays.
inline std::vector<Eigen::VectorXd> run(const Program& program,
                                        const std::vector<Eigen::VectorXd>& inputs) {
  std::vector<std::span<const double>> read;
  for (std::size_t i = 0; i < program.shape.inputs.size(); ++i) {
    EXPECT_EQ(program.shape.inputs[i].size, inputs.at(i).size()) << program.shape.inputs[i].name;
    read.push_back(in(inputs[i]));
  }
  EXPECT_EQ(program.shape.inputs.size(), inputs.size());
  std::vector<Eigen::VectorXd> outputs;
  for (const ArrayShape& array : program.shape.outputs)
    outputs.push_back(Eigen::VectorXd::Constant(array.size, NAN));
  std::vector<std::span<double>> written;
  for (Eigen::VectorXd& x : outputs)
    written.emplace_back(x.data(), static_cast<std::size_t>(x.size()));
  evaluate(program, read, written);
  return outputs;
}

/// An output array that holds a matrix row by row.
inline Eigen::MatrixXd as_matrix(const Eigen::VectorXd& rows, Eigen::Index columns) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (columns == 0) return Eigen::MatrixXd(0, 0);
  return Eigen::Map<const RowMajor>(rows.data(), rows.size() / columns, columns);
}

}  // namespace limber::test
