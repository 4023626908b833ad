# SPDX-License-Identifier: LGPL-2.1-or-later
include(${CMAKE_CURRENT_LIST_DIR}/iasimTargets.cmake)

# iasim_plugin(mine mine.c ...): mine.so, for `iasim --plugin ./mine.so`. Nothing is linked: the functions of iasim that
# it calls are those of the program that loads it.
function(iasim_plugin name)
  add_library(${name} MODULE ${ARGN})
  target_include_directories(${name} PRIVATE $<TARGET_PROPERTY:iasim::iasim,INTERFACE_INCLUDE_DIRECTORIES>)
  set_target_properties(${name} PROPERTIES PREFIX "")
endfunction()
