#include "study/books.hpp"

#include <array>

#include <limber/error.hpp>

namespace limber::app::study {

namespace {

constexpr double sixth = 1.0 / 6.0;

// the last row is the sum of bias forces, mass matrix, decomposition (n³/6 + n²/2 − 2n/3
// multiplications, n³/6 − n/6 additions) and back-substitution (n², n² − n) of [McM] §B.2, table 28
// and §2.4, with n subtractions of the bias
constexpr std::array<BookFormula, 13> formulas{{
    {"rda_inverse_dynamics",
     Task::inverse_dynamics,
     "Featherstone",
     "[RDA] table 8-6",
     {0, 0, 130, -68},
     {0, 0, 101, -56},
     {}},
    {"mcm_inverse_dynamics",
     Task::inverse_dynamics,
     "McMillan",
     "[McM] table 26",
     {0, 0, 94, -105},
     {0, 0, 82, -92},
     {}},
    {"bpm_inverse_dynamics",
     Task::inverse_dynamics,
     "Balafoutis, Patel, Misra",
     "[McM] §B.2",
     {0, 0, 93, -69},
     {0, 0, 81, -66},
     {}},
    {"mcm_bias_forces",
     Task::bias_forces,
     "McMillan",
     "[McM] §B.2",
     {0, 0, 94, -114},
     {0, 0, 81, -105},
     {}},
    {"rda_mass_matrix",
     Task::mass_matrix,
     "Featherstone",
     "[RDA] table 8-6",
     {0, 10, 31, -41},
     {0, 6, 40, -46},
     {}},
    {"mcm_mass_matrix",
     Task::mass_matrix,
     "McMillan",
     "[McM] table 28",
     {0, 10, 9, -25},
     {0, 6, 34, -50},
     {}},
    {"lilly_orin_mass_matrix",
     Task::mass_matrix,
     "Lilly, Orin",
     "[McM] §B.3",
     {0, 0, 0, 555},
     {0, 0, 0, 470},
     6},
    {"balafoutis_patel_mass_matrix",
     Task::mass_matrix,
     "Balafoutis, Patel",
     "[McM] §B.3",
     {0, 0, 0, 420},
     {0, 0, 0, 339},
     6},
    {"rda_by_mass_matrix",
     Task::forward_dynamics,
     "Featherstone, composite",
     "[RDA] table 8-6",
     {sixth, 11.5, 160 + 2 * sixth, -109},
     {sixth, 7, 138 + 5 * sixth, -102},
     {}},
    {"rda_articulated_bodies",
     Task::forward_dynamics,
     "Featherstone, articulated",
     "[RDA] table 8-6",
     {0, 0, 300, -267},
     {0, 0, 279, -259},
     {}},
    {"mcm_articulated_bodies",
     Task::forward_dynamics,
     "McMillan, articulated",
     "[McM] table 30",
     {0, 0, 224, -254},
     {0, 0, 205, -241},
     {}},
    {"brandl_articulated_bodies",
     Task::forward_dynamics,
     "Brandl, Johanni, Otter",
     "[McM] §B.4",
     {0, 0, 250, -222},
     {0, 0, 220, -198},
     {}},
    {"mcm_by_mass_matrix",
     Task::forward_dynamics,
     "McMillan, composite",
     "[McM] added up",
     {sixth, 11.5, 102 + 2 * sixth, -139},
     {sixth, 7, 115 - sixth, -155},
     {}},
}};

}  // namespace

std::span<const BookFormula> all_book_formulas() { return formulas; }

const BookFormula& book_formula(std::string_view key) {
  for (const BookFormula& formula : formulas)
    if (formula.key == key) return formula;
  throw Error("no published count has the key '" + std::string(key) + "'");
}

}  // namespace limber::app::study
