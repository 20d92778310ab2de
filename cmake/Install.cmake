# cmake --install makes this tree, which works in any folder.
#
#   bin/                             the programs
#   lib/ttl-jit/python/ttl_jit/      the Python package, with the plugin of pytest; ttl, ttnn
#                                    and the other names of TT-Lang are in its folder
#                                    `packages`, which ttl_jit.activate() puts on the path;
#                                    the shared libraries are in its folder `lib`
#   share/ttl-jit/examples/          kernels to start from
#
# tools/packages makes wheels and Debian packages of this tree. The component `python` is what a
# wheel has.

set(libraries ${CMAKE_INSTALL_LIBDIR}/ttl-jit)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR must be relative to the prefix, found ${CMAKE_INSTALL_LIBDIR}")
endif()
set(package ${libraries}/python/ttl_jit)
set(programs ttl-jit ttl-opt ttl-translate ttl-lsp-server)
set(extensions _ttjit _ttjit_compiler _ttjit_models _ttl_command)
set(shared ttjit-device ttjit-session ttjit-clang ttjit-device-kernels ttjit-emission ttjit-modules ttjit-schedule)

# Programs find the shared libraries relative to their own folder: in this tree, or in Debian's folder
# of Python packages. So do the extensions. A shared library finds others in its own folder.
set_target_properties(${programs} PROPERTIES
  INSTALL_RPATH "$ORIGIN/../${package}/lib:$ORIGIN/../lib/python3/dist-packages/ttl_jit/lib:$ORIGIN/../lib")
set_target_properties(${shared} PROPERTIES INSTALL_RPATH "$ORIGIN")
set_target_properties(${extensions} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")

install(TARGETS ${programs} RUNTIME)
# A wheel has this program, too.
install(TARGETS ttl-lsp-server RUNTIME DESTINATION ${package}/bin COMPONENT python EXCLUDE_FROM_ALL)
list(TRANSFORM TTJIT_SIMULATOR_NAMES PREPEND ${CMAKE_BINARY_DIR}/bin/ OUTPUT_VARIABLE links)
install(PROGRAMS ${links} ${CMAKE_BINARY_DIR}/bin/ttl-diff ${CMAKE_BINARY_DIR}/bin/ttc TYPE BIN)
install(TARGETS ${shared} LIBRARY DESTINATION ${package}/lib COMPONENT python)
if(TARGET ttjit-mpi) # not in a wheel: it is for one version of MPI
  install(TARGETS ttjit-mpi LIBRARY DESTINATION ${package}/lib)
endif()
install(TARGETS ${extensions} LIBRARY DESTINATION ${package}/packages COMPONENT python)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/python/ttl_jit/ DESTINATION ${package}
  COMPONENT python PATTERN __pycache__ EXCLUDE)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/frontend/python/ttl ${CMAKE_SOURCE_DIR}/frontend/python/ttnn
  ${CMAKE_SOURCE_DIR}/frontend/python/d2m_jit ${CMAKE_SOURCE_DIR}/frontend/python/_ttl_dropin
  DESTINATION ${package}/packages COMPONENT python PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/tools/ttl-jit/_ttl_run.py
  ${CMAKE_SOURCE_DIR}/frontend/python/_ttl_load.py DESTINATION ${package}/packages
  COMPONENT python)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/examples/ DESTINATION share/ttl-jit/examples
  COMPONENT python PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/README.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
