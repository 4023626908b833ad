# SPDX-License-Identifier: LGPL-2.1-or-later
# Headers show types of these libraries; nothing has to link them.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)
pkg_check_modules(IASIM_HEADERS REQUIRED QUIET libxml-2.0 jansson sqlite3)

include(${CMAKE_CURRENT_LIST_DIR}/iasimTargets.cmake)
target_include_directories(iasim::iasim SYSTEM INTERFACE ${IASIM_HEADERS_INCLUDE_DIRS})
