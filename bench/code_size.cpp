#include "code_size.hpp"

#include <elf.h>

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <limber/error.hpp>

#include "markers.hpp"

namespace limber::bench {

namespace {

/// `count` values of a type that stand in a file at `offset`.
template <class T>
std::vector<T> read_array(const std::string& file, std::size_t offset, std::size_t count) {
  std::vector<T> values(count);
  if (offset + count * sizeof(T) > file.size()) throw Error("a library ends too early");
  std::memcpy(values.data(), file.data() + offset, count * sizeof(T));
  return values;
}

}  // namespace

CodeSize code_size(const std::string& library) {
  const std::string file = read_text(library);
  const auto header = read_array<Elf64_Ehdr>(file, 0, 1).front();
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    throw Error({library, 0, ""},
                "is no 64-bit ELF library; expected one that compile() has built");
  const auto sections = read_array<Elf64_Shdr>(file, header.e_shoff, header.e_shnum);
  CodeSize size;
  for (const Elf64_Shdr& table : sections) {
    if (table.sh_type != SHT_SYMTAB) continue;
    const std::size_t names = sections.at(table.sh_link).sh_offset;
    for (const auto& symbol :
         read_array<Elf64_Sym>(file, table.sh_offset, table.sh_size / sizeof(Elf64_Sym))) {
      const std::string_view name(file.data() + names + symbol.st_name);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !name.starts_with("_ZN5robot")) continue;
      // everything for many states is in the namespace lanes, or called ..._batch
      const bool many = name.starts_with("_ZN5robot5lanes") || name.find("_batch") != name.npos;
      (many ? size.lanes : size.one) += symbol.st_size;
    }
  }
  return size;
}

}  // namespace limber::bench
