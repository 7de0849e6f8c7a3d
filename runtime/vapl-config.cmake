# SPDX-License-Identifier: MIT
# find_package(vapl): the libraries vapl::vapl and vapl::static, and vapl_INCLUDE_DIR. All is found from where
# this file lies, so that an installed tree may be moved.
get_filename_component(_vapl_libdir "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
find_path(vapl_INCLUDE_DIR vapl.h NO_DEFAULT_PATH
          PATHS "${_vapl_libdir}/../include" "${_vapl_libdir}/../../include")
if(NOT vapl_INCLUDE_DIR)
  set(vapl_FOUND FALSE)
  set(vapl_NOT_FOUND_MESSAGE "vapl.h is not in an include folder beside ${_vapl_libdir}")
  return()
endif()

if(NOT TARGET vapl::vapl)
  add_library(vapl::vapl SHARED IMPORTED)
  set_target_properties(vapl::vapl PROPERTIES
    IMPORTED_LOCATION "${_vapl_libdir}/libvapl.so.0"
    IMPORTED_SONAME "libvapl.so.0"
    INTERFACE_INCLUDE_DIRECTORIES "${vapl_INCLUDE_DIR}")
  find_package(Threads REQUIRED)
  add_library(vapl::static STATIC IMPORTED)
  set_target_properties(vapl::static PROPERTIES
    IMPORTED_LOCATION "${_vapl_libdir}/libvapl.a"
    INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS};Threads::Threads;m"
    INTERFACE_INCLUDE_DIRECTORIES "${vapl_INCLUDE_DIR}")
endif()
