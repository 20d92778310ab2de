//===- OpenMpi.cpp - joins the processes of mpirun ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//===--------------------------------------------------------------------------===//

#include "hw/link/OpenMpi.h"

#include "hw/link/Ranks.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <dlfcn.h>

namespace ttjit::hw {

int numMpiProcesses() {
  const char *size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size ? std::max(std::atoi(size), 1) : 1;
}

// Returns the path of the library: it is in the folder of the library with this function.
static std::string libraryPath() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<void *>(&joinMpi), &info))
    return {};
  std::string path = info.dli_fname;
  size_t slash = path.rfind('/');
  return (slash == std::string::npos ? "" : path.substr(0, slash + 1)) + "libttjit-mpi.so";
}

std::string joinMpi() {
  if (numMpiProcesses() == 1 || ranksOfProcess().link)
    return {};
  // Let ranks that wait inside MPI, as they do at the start, give up the processor: there may be
  // more ranks than processors.
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", /*overwrite=*/0);
  // RTLD_GLOBAL: MPI's own plugins look for the symbols of its library.
  void *library = dlopen(libraryPath().c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library)
    return std::string("mpirun has started several processes, but this build has no library for "
                       "MPI: install libopenmpi-dev and openmpi-bin, run cmake again, and build "
                       "(") +
           dlerror() + ")";
  auto *make = reinterpret_cast<Link *(*)()>(dlsym(library, "ttjit_make_mpi_link"));
  if (!make)
    return libraryPath() + " is of another version: build again";
  ranksOfProcess().link = make();
  return {};
}

void leaveMpi() { delete std::exchange(ranksOfProcess().link, nullptr); }

} // namespace ttjit::hw
