# SPDX-License-Identifier: LGPL-2.1-or-later
# Headers show types of these libraries; nothing has to link them.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
pkg_check_modules(IASIM_HEADERS REQUIRED QUIET libxml-2.0 jansson sqlite3)

include(${CMAKE_CURRENT_LIST_DIR}/iasimTargets.cmake)
target_include_directories(iasim::iasim SYSTEM INTERFACE ${IASIM_HEADERS_INCLUDE_DIRS})

# iasim_plugin(mine mine.c ...): mine.so, for `iasim --plugin ./mine.so`. Nothing is linked: the functions of iasim that it
# calls are those of the program that loads it.
function(iasim_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:iasim::iasim,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()
