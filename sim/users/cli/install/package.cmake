# SPDX-License-Identifier: LGPL-2.1-or-later
# `cpack` in a build folder makes a Debian package for the release of Debian on which it was built.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME iasim)
set(CPACK_PACKAGE_CONTACT "The iasim developers <iasim@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON) # what the libraries need, with the versions of this Debian
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_CURRENT_BINARY_DIR}/..) # libiasim itself
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-matplotlib, python3-cffi, python3-pandas")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "gcc, pkg-config, parallel")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${PROJECT_DESCRIPTION}
 Simulates task farms and task graphs on heterogeneous machines, on top of
 SimGrid, where a transfer takes processor time from the hosts at both ends.")
include(CPack)
