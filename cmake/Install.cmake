# cmake --install: a tree that works wherever it is put.
#
#   bin/                             the programs
#   lib/ttl-jit/                     their shared library
#   lib/ttl-jit/python/ttl_jit/      the Python package, with the plugin of pytest; ttl, ttnn
#                                    and the other names of TT-Lang are in its folder
#                                    `packages`, which ttl_jit.activate() puts on the path
#   share/ttl-jit/examples/          kernels to start from

set(libraries ${CMAKE_INSTALL_LIBDIR}/ttl-jit)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR must be relative to the prefix, found ${CMAKE_INSTALL_LIBDIR}")
endif()
set(package ${libraries}/python/ttl_jit)
set(programs ttl-jit ttl-opt ttl-translate ttl-lsp-server)

# Programs find the library, and the extension its library, by their own place.
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "$ORIGIN/../${libraries}")
set_target_properties(ttjit-session PROPERTIES INSTALL_RPATH "")
set_target_properties(_ttjit PROPERTIES INSTALL_RPATH "$ORIGIN/../../..")

install(TARGETS ${programs} RUNTIME)
install(PROGRAMS ${CMAKE_BINARY_DIR}/bin/ttlang-sim ${CMAKE_BINARY_DIR}/bin/tt-lang-sim
  ${CMAKE_BINARY_DIR}/bin/ttl-diff TYPE BIN)
install(TARGETS ttjit-session LIBRARY DESTINATION ${libraries})
install(TARGETS _ttjit LIBRARY DESTINATION ${package}/packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/python/ttl_jit/ DESTINATION ${package}
  PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/python/ttl ${CMAKE_SOURCE_DIR}/frontend/python/ttnn
  ${CMAKE_SOURCE_DIR}/frontend/python/_ttl_dropin
  DESTINATION ${package}/packages PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/tools/ttl-jit/_ttl_run.py DESTINATION ${package}/packages)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/ DESTINATION share/ttl-jit/examples
  PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
