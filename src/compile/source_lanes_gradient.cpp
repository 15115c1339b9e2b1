// C++ lanes of derivatives column by column: the tables of a robot for column_lanes.hpp, and a
// function that calls the program of gradient.hpp and then the loop over the columns.
#include <fmt/format.h>

#include "compile/lanes_gradient.hpp"
#include "compile/source_text.hpp"
#include "index.hpp"

namespace limber {

namespace {

std::string lanes_table(const char* name, const std::vector<int>& values) {
  std::string text = fmt::format("  static constexpr int {}_of[] = {{", name);
  for (std::size_t i = 0; i < values.size(); ++i)
    text += fmt::format("{}{},", i % 20 == 0 ? "\n      " : " ", values[i]);
  return text + "};\n";
}
/// A table over the variables, as a function of one.
std::string over_variables(const char* name, const std::vector<int>& values) {
  return lanes_table(name, values) +
         fmt::format("  static constexpr int {0}(int k) {{ return {0}_of[k]; }}\n", name);
}
/// A matrix of places, as a function of row and column.
std::string over_matrix(const char* name, const std::vector<int>& values) {
  return lanes_table(name, values) +
         fmt::format("  static constexpr int {0}(int j, int k) {{ return {0}_of[j * nv + k]; }}\n",
                     name);
}

/// Runs of rows each of which carries the next one alone, and the rows that others begin at.
struct Runs {
  std::vector<int> end, branch;  ///< see column_lanes.hpp
  int branches = 0;

  Runs(const GradientParts& g, const GradientTree& tree)
      : end(g.rows.size()), branch(end.size(), -1) {
    const int nv = static_cast<int>(end.size());
    auto carrier = [&](int j) { return g.rows[at_index(j)].carrier; };
    auto leave = [&](int j) {
      if (j >= 0 && branch[at_index(j)] < 0) branch[at_index(j)] = branches++;
    };
    if (tree.units > 0) leave(tree.units - 1);
    for (int j = 0; j < nv; ++j)
      if (carrier(j) != j - 1) leave(carrier(j));
    for (int j = nv; j-- > 0;) {
      const bool goes_on = j + 1 < nv && carrier(j + 1) == j && branch[at_index(j)] < 0;
      end[at_index(j)] = goes_on ? end[at_index(j + 1)] : j + 1;
    }
  }
};

}  // namespace

std::string gradient_tables(const GradientParts& g, const FunctionShape& sparse_shape) {
  const GradientTree tree(g);
  const int nv = static_cast<int>(g.rows.size());
  std::vector<int> end, carrier, first, last, tree_end(at_index(nv)), own;
  for (int j = 0; j < nv; ++j) {
    const GradientParts::Row& row = g.rows[at_index(j)];
    end.push_back(row.columns_end), carrier.push_back(row.carrier);
    first.push_back(row.first), last.push_back(row.end);
    tree_end[at_index(j)] = g.rows[at_index(tree.tree[at_index(j)])].columns_end;
  }
  for (const auto& side : g.columns)
    for (const GradientParts::Column& column : side)
      for (int j = 0; j < tree.width; ++j)
        own.push_back(at_index(j) < column.own.size() ? column.own[at_index(j)] : -1);
  const Runs runs(g, tree);
  const std::vector<ArrayShape>& out = sparse_shape.outputs;
  return fmt::format(
             "struct gradient_tables {{\n  static constexpr int nv = {}, longest = {}, width = {}, "
             "units = {}, branches = {};\n  static constexpr bool own_beyond = {};\n",
             nv, tree.longest, tree.width, tree.units, runs.branches, tree.own_from(tree.units)) +
         over_variables("end", end) + over_variables("carrier", carrier) +
         over_variables("depth", tree.depth) + over_variables("first", first) +
         over_variables("last", last) + over_variables("run_end", runs.end) +
         over_variables("branch", runs.branch) + over_variables("tree", tree.tree) +
         over_variables("tree_end", tree_end) + lanes_table("own", own) +
         "  static constexpr int own(int side, int k, int j) {\n"
         "    return own_of[(side * nv + k) * width + j - first(k)];\n  }\n" +
         over_matrix("entry", out[out.size() - 2].entries) +
         over_matrix("upper", out.back().entries) + "};\n\n";
}

std::string gradient_kernel(const LanesGradient& g) {
  const Program& parts = g.parts.program;
  const bool forward = g.whole.name == name(RobotFunction::forward_dynamics_derivatives);
  std::string results;
  for (std::size_t k = forward ? 1 : 0; k < g.whole.shape.outputs.size(); ++k)
    results += ", " + g.whole.shape.outputs[k].name;
  return gradient_tables(g.parts, g.whole.shape) +
         fmt::format(
             "template <class V>\n[[gnu::noinline]] void {0}(long stride, {1}) {{\n"
             "  alignas(V) typename V::Number parts[{2} * V::lanes];\n"
             "  {3}<V>(stride, {4});\n"
             "  limber::{5}_gradient<V, gradient_tables>(parts, stride{6});\n}}\n\n",
             g.whole.name, parameter_list(g.whole, "typename V::Number"),
             parts.shape.outputs.back().size, parts.name, argument_list(parts),
             forward ? "forward" : "inverse", results);
}

}  // namespace limber
