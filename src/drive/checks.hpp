#pragma once
// Checks of settings; messages name the owner, the field, what was found and what is expected.
#include <string>

namespace limber {

[[noreturn]] void throw_setting(double found, const char* field, const std::string& where,
                                const std::string& expected);
void check_positive(double value, const char* field, const std::string& where);
void check_not_negative(double value, const char* field, const std::string& where);
/// lowest ≤ value ≤ highest, infinity excluded.
void check_range(double value, double lowest, double highest, const char* field,
                 const std::string& where);
/// 0 < value ≤ 1.
void check_share(double value, const char* field, const std::string& where);
/// > 0; infinity means none.
void check_limit(double value, const char* field, const std::string& where);

}  // namespace limber
