//===- BuildIds.cpp - the builds of the libraries that compile kernels --------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "jit/BuildIds.h"

#include "hw/device/HostThreads.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/Alignment.h"

#include <elf.h>
#include <link.h>

using namespace llvm;
using namespace ttjit;

namespace {
// A search for the file that holds an address.
struct Search {
  uintptr_t address;
  std::string buildId;
};
} // namespace

static bool holds(const dl_phdr_info &file, uintptr_t address) {
  for (const ElfW(Phdr) &segment : ArrayRef(file.dlpi_phdr, file.dlpi_phnum)) {
    uintptr_t begin = file.dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_LOAD && address >= begin && address < begin + segment.p_memsz)
      return true;
  }
  return false;
}

// Returns the build id in the notes of an ELF file; empty if there is none.
static std::string findBuildId(StringRef notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof(note));
    size_t name = sizeof(note), content = name + alignTo<4>(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == StringRef("GNU", 4))
      return toHex(notes.substr(content, note.n_descsz), /*LowerCase=*/true);
    notes = notes.drop_front(std::min(notes.size(), content + alignTo<4>(note.n_descsz)));
  }
  return "";
}

static int searchFile(dl_phdr_info *file, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!holds(*file, search.address))
    return 0;
  for (const ElfW(Phdr) &segment : ArrayRef(file->dlpi_phdr, file->dlpi_phnum))
    if (segment.p_type == PT_NOTE && search.buildId.empty())
      search.buildId = findBuildId(StringRef(
          reinterpret_cast<const char *>(file->dlpi_addr + segment.p_vaddr), segment.p_memsz));
  return 1;
}

static std::string buildIdOf(uintptr_t address) {
  Search search{address, ""};
  dl_iterate_phdr(searchFile, &search);
  return search.buildId;
}

static std::string findBuildIds() {
  bool (*ofLLVM)(const Module &, raw_ostream *, bool *) = verifyModule;
  llvm::LogicalResult (*ofMLIR)(mlir::Operation *, bool) = mlir::verify;
  std::string result = "ttl-jit " TTJIT_VERSION " LLVM " LLVM_VERSION_STRING;
  for (uintptr_t function :
       {reinterpret_cast<uintptr_t>(&searchFile), reinterpret_cast<uintptr_t>(&hw::numHostThreads),
        reinterpret_cast<uintptr_t>(ofLLVM), reinterpret_cast<uintptr_t>(ofMLIR)}) {
    std::string id = buildIdOf(function);
    if (id.empty())
      return "";
    result += " " + id;
  }
  return result;
}

const std::string &ttjit::jit::buildIds() {
  static const std::string ids = findBuildIds();
  return ids;
}
