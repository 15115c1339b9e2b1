#include "dynamics/inverse_rows.ipp"

#include <algorithm>

#include "dynamics/matrix_functions.hpp"
#include "model/checks.hpp"
#include "model/memory.hpp"
#include "scalars.hpp"
#include "index.hpp"

namespace limber {

namespace {

/// Length of strips: whole blocks of lanes, an odd number of them, since strips that begin a power
/// of two apart get into each other's way in the cache.
int strip_stride(int n, int lanes) {
  return lanes == 1 ? n : (padded(n, lanes) / lanes | 1) * lanes;
}

/// The body of each lane: padding counts on, so that neighbours stay neighbours.
template <class T>
void place_lanes(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  mw.units = m.tree_nv >= 6 && m.form[1] == JointForm::free ? 6 : 0;
  mw.lead = padded(mw.units, mw.lanes) - mw.units;
  mw.column_stride = strip_stride(mw.lead + m.tree_nv, mw.lanes);
  mw.lane_body.assign(at_index(mw.lead), 1);
  mw.lane_body.insert(mw.lane_body.end(), m.column_body.begin(), m.column_body.end());
  while (static_cast<int>(mw.lane_body.size()) < mw.column_stride + mw.lanes)
    mw.lane_body.push_back(mw.lane_body.back() + 1);
}

template <class T>
typename BasicMatrixWorkspace<T>::BlockBodies block_bodies(const int* body, int lanes) {
  using Bodies = typename BasicMatrixWorkspace<T>::BlockBodies;
  bool same = true, neighbours = true;
  for (int l = 1; l < lanes; ++l) {
    same = same && body[l] == body[0];
    neighbours = neighbours && body[l] == body[0] + l;
  }
  return same ? Bodies::same : neighbours ? Bodies::neighbours : Bodies::scattered;
}

/// The blocks of columns with their rows.
template <class T>
void plan_blocks(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  auto carries = [&](int j, int k) {
    const int body = m.column_body[j];
    return j <= k && k < m.columns_end[body];
  };
  auto place = [&] { return static_cast<int>(mw.block_rows.size()); };
  auto body = [&](int k) { return m.column_body[k]; };
  for (int first = -mw.lead; first < m.tree_nv; first += mw.lanes) {
    const int begin = std::max(first, 0), end = std::min(first + mw.lanes, m.tree_nv);
    mw.blocks.push_back({first, block_bodies<T>(mw.lane_body.data() + mw.lead + first, mw.lanes),
                         place(), place(), place(), place()});
    auto& block = mw.blocks.back();
    for (int row = 0; row < m.tree_nv; ++row) {
      typename BasicMatrixWorkspace<T>::BlockRow entry{row, 0, 0};
      for (int k = begin; k < end; ++k) {
        if (carries(row, k)) entry.carried |= 1 << (k - first);
        if (k != row && carries(k, row)) entry.carrying |= 1 << (k - first);
      }
      if (entry.carried != 0 || entry.carrying != 0) mw.block_rows.push_back(entry);
      if (body(row) < body(begin)) block.own = place();
      if (body(row) <= body(end - 1)) block.outer = place();
    }
    block.end = place();
  }
}

/// Who takes part in the inward solve of each block of eight columns. Row t of ∂tau/∂q may be
/// nonzero in the columns of the variables on its path and below it, and stays so in the inward
/// solve.
template <class T>
void plan_solve(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const auto nv = at_index(m.nv);
  const auto blocks = at_index(mw.row_stride / mw.lanes);
  const TreePattern pattern(m.dof_parent);
  std::vector<std::vector<std::pair<int, int>>> below(nv);  // variable, entry of L
  std::vector<std::vector<bool>> active(nv, std::vector<bool>(blocks, false));
  auto relate = [&](std::size_t row, std::size_t column) {
    active[row][(column + at_index(mw.lead)) / at_index(mw.lanes)] = true;
  };
  for (std::size_t k = 0; k < nv; ++k)
    for (int e = pattern.start[k]; e < pattern.end[k]; ++e) {
      const auto t = at_index(pattern.path[e]);
      relate(k, t);
      relate(t, k);
      if (t != k) below[t].emplace_back(static_cast<int>(k), e);
    }
  for (std::size_t b = 0; b < blocks; ++b) {
    mw.block_start.push_back(static_cast<int>(mw.solve_rows.size()));
    for (std::size_t t = nv; t-- > 0;) {
      if (!active[t][b]) continue;
      const int start = static_cast<int>(mw.below.size());
      for (const auto& [variable, entry] : below[t]) {
        if (!active[at_index(variable)][b]) continue;
        mw.below.push_back(variable);
        mw.below_entry.push_back(entry);
      }
      mw.solve_rows.push_back({static_cast<int>(t), start, static_cast<int>(mw.below.size())});
    }
  }
  mw.block_start.push_back(static_cast<int>(mw.solve_rows.size()));
}

/// Runs of columns, with places for what they leave to each other.
template <class T>
void plan_runs(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const auto nv = at_index(m.nv);
  std::vector<int> place(nv, -1);  // of the columns at which runs end because others begin there
  int branches = 0;
  auto leave = [&](int column) {
    int& own = place[at_index(column)];
    if (own < 0) own = branch_numbers * branches++;
  };
  if (mw.units > 0) leave(mw.units - 1);
  for (int k = 0; k < m.nv; ++k) {
    const int parent = m.column_parent[k];
    if (parent >= 0 && parent != k - 1) leave(parent);
  }
  for (int first = 0, end = 0; first < m.nv; first = end) {
    end = first + 1;
    while (end < m.nv && m.column_parent[end] == end - 1 && place[at_index(end) - 1] < 0) ++end;
    const int parent = m.column_parent[first];
    mw.runs.push_back(
        {first, end, parent < 0 ? -1 : place[at_index(parent)], place[at_index(end) - 1]});
  }
  mw.branches.assign(at_index(branch_numbers * branches), T(0));
}

/// Makes one piece of two neighbours that end the tree, hang from one place and are equally long.
template <class T>
void pair_pieces(int lanes, std::vector<Piece<T>>& pieces) {
  auto length = [](const Piece<T>& piece) { return piece.end - piece.first; };
  std::vector<Piece<T>> all;
  for (const Piece<T>& piece : pieces) {
    Piece<T>* const before = all.empty() ? nullptr : &all.back();
    if (before && before->chains == 1 && before->to < 0 && piece.to < 0 && piece.from >= 0 &&
        before->from == piece.from && length(*before) == length(piece) &&
        2 * length(piece) <= lanes) {
      before->end = before->carried_end = piece.end;
      before->chains = 2;
    } else {
      all.push_back(piece);
    }
  }
  pieces = all;
}

/// Pieces of at most as many columns as there are lanes.
template <class T>
void plan_pieces(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  auto parent = [&](int k) { return m.column_parent[k]; };
  std::vector<int> place(at_index(m.nv), -1);  // of columns that others begin at
  int places = 0, tree = 0;
  auto leave = [&](int column) {
    int& own = place[at_index(column)];
    if (own < 0) own = places++;
  };
  auto place_of = [&](int column) { return place[at_index(column)]; };
  if (mw.units > 0) leave(mw.units - 1);
  for (int k = 0; k < m.nv; ++k)
    if (parent(k) >= 0 && parent(k) != k - 1) leave(parent(k));
  for (int first = 0, end = 0; first < m.nv; first = end) {
    end = first + 1;
    while (end < m.nv && end - first < mw.lanes && parent(end) == end - 1 && place_of(end - 1) < 0)
      ++end;
    if (end < m.nv && parent(end) == end - 1) leave(end - 1);
    auto columns_end = [&](int k) {
      const int body = m.column_body[k];
      return m.columns_end[body];
    };
    if (parent(first) < 0) tree = first;
    mw.pieces.push_back({first, end, columns_end(end - 1), tree, columns_end(tree),
                         block_bodies<T>(mw.lane_body.data() + mw.lead + first, mw.lanes),
                         parent(first) < 0 ? -1 : place_of(parent(first)), place_of(end - 1), 1});
  }
  pair_pieces<T>(mw.lanes, mw.pieces);
  auto numbers = [](int n) { return AlignedVector<T>(at_index(n), T(0)); };
  mw.reductions = numbers(6 * piece_size * places);
  mw.accelerations = numbers(6 * mw.row_stride * places);
  mw.responses = numbers(12 * piece_size * static_cast<int>(mw.pieces.size()));
}

/// Places for the solve by articulated bodies.
template <class T>
void plan_articulated(const BasicModel<T>& m, BasicMatrixWorkspace<T>& mw) {
  const int length = 3 * mw.row_stride, outside = m.nv * length;
  mw.eliminations.assign(at_index(elimination::count * m.nv), T(0));
  plan_runs(m, mw);
  for (const auto& block : mw.blocks) {
    const auto first = mw.sources.size(), nv = at_index(m.nv);
    mw.sources.resize(first + 2 * nv, outside);
    for (int i = block.inner; i < block.end; ++i) {
      const int row = mw.block_rows[at_index(i)].row;
      const auto place = first + at_index(row);
      mw.sources[place] = row * length;
      if (i < block.outer) mw.sources[place + nv] = row * length;
    }
  }
}

}  // namespace

template <class T>
BasicMatrixWorkspace<T>::BasicMatrixWorkspace(const BasicModel<T>& m,
                                              InstructionSet instruction_set)
    : model(m.identity) {
  registers = register_bytes(chosen_instruction_set("MatrixWorkspace", instruction_set));
  lanes = lanes_in<T>(registers);
  check_built("MatrixWorkspace", m);
  // three matrices, with some padding
  const auto numbers = [](int n) { return 3.0 * (n + 16) * (n + 16); };
  const double rows_of_tree = m.has_mimic() ? numbers(m.tree_nv) : 0;
  expect_memory("the matrix workspace", m.name, m.nv, std::max(numbers(m.nv), rows_of_tree),
                sizeof(T) * (numbers(m.nv) + rows_of_tree));
  auto strips = [](int stride, int count) {
    return AlignedVector<T>(at_index(stride * count), T(0));
  };
  const int n = m.bodies();
  body_stride = strip_stride(n - 1 + lanes, lanes);  // the world comes first
  place_lanes(m, *this);
  inertia = strips(body_stride, 10);
  bodies = strips(body_stride, body_strip::count + 1);
  columns = strips(column_stride, column_strip::count + 1);
  for (int i = 1; i < n; ++i) put(Strips<T>{inertia.data(), body_stride, 1}, 0, i, m.inertia[i]);
  for (int k = 0; k < m.tree_nv; ++k)
    if (is_simple(m, m.column_body[k])) *column_strips(*this).at(column_strip::simple, k) = T(1);

  row_stride = padded(lead + m.nv, lanes);
  rows = strips(3 * row_stride, m.nv + 1);  // the last one stays zero
  if (m.has_mimic()) {
    tree_row_stride = padded(lead + m.tree_nv, lanes);
    tree_rows = strips(3 * tree_row_stride, m.tree_nv + 1);
  }

  plan_blocks(m, *this);
  plan_solve(m, *this);
  if (!m.has_mimic()) {
    plan_articulated(m, *this);
    plan_pieces(m, *this);
  }
}

#define LIMBER_MATRIX_WORKSPACE(T) template struct BasicMatrixWorkspace<T>;
LIMBER_FOR_EACH_REAL(LIMBER_MATRIX_WORKSPACE)

}  // namespace limber
