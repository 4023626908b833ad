# SPDX-License-Identifier: LGPL-2.1-or-later
# `cpack` in a build folder makes a Debian package for the release of Debian on which it was built.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME iasim)
set(CPACK_PACKAGE_CONTACT "The iasim developers <iasim@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
# The version names the release, as in 0.2.0-1~deb12: packages of two releases need other libraries. The newer one's is
# the later version.
cmake_host_system_information(RESULT release QUERY DISTRIB_INFO)
if(release_ID STREQUAL "debian")
  set(release_ID deb)
endif()
if(NOT release_VERSION_ID) # testing has none
  set(release_VERSION_ID ${release_VERSION_CODENAME})
endif()
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~${release_ID}${release_VERSION_ID}")
# Python writes __pycache__ beside the package for Python, of which dpkg knows nothing.
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_SOURCE_DIR}/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # what the libraries need, with the versions of this Debian
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}/..) # libiasim itself
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-cffi, python3-pandas")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config, parallel")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates task farms and task graphs on heterogeneous machines, on top of
SimGrid, where a transfer takes processor time from the hosts at both ends.")
include(CPack)
