#pragma once
// How many answers sliding contacts have. With a slip s that is given, friction goes with the
// normal force, and the accelerations along the normals are
//
//   w = N λ + r ≥ 0,  λ ≥ 0,  λᵀ w = 0,   N_ij = n_i M⁻¹ (n_j − μ_j s_j)
//
// N is not symmetric. Where its symmetric part is not definite friction can push bodies into each
// other faster than the normal force takes them apart (Painlevé's rod): then there may be no
// solution, or several. All of them are looked for. (Where contacts depend on each other, forces
// with the same w are one answer: how contacts that slide in different directions share a load is
// not determined, and what they do to the motion along the surface is not either.)
#include <vector>

#include <limber/contact/exact_contact.hpp>

namespace limber {

/// What sliding_answers() found, and its scratch.
struct SlidingAnswers {
  ContactStatus status = ContactStatus::unique;
  /// Different w that obey the law; −1: not counted, as there can be only one, or as
  /// there are more than `most_counted` sliding contacts.
  int count = -1;
  int contact = -1;  ///< one of the contacts in question; −1: none
  /// Of one island. With more of them whose N is not definite the status is `not_unique`.
  static constexpr int most_counted = 10;

  // scratch
  std::vector<int> sliding;
  std::vector<double> Q, rows, force_rows, N, r, G, lambda, answers;
};

/// Whether the problem has a solution in it.
enum class Solved : std::uint8_t { no, yes };
/// For accelerations in `problem` (contact/contact_problem.hpp). Contacts with a slip that is given
/// are counted; those of the others that carry keep their velocity, as if they were joints.
/// Allocates only where islands are larger than ever before.
void sliding_answers(const ContactProblem& problem, Solved solved, SlidingAnswers& out);

}  // namespace limber
