# The target uninstall, and the package that cpack makes: a .deb whose dependencies apt installs.
add_custom_target(uninstall
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt -P
  ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake
  VERBATIM)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR "Terrane")
set(CPACK_PACKAGE_CONTACT "the founders of Terrane <maintainers@terrane.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "endless terrain on the GPU and on the CPU")
set(CPACK_PACKAGE_DESCRIPTION "Makes heights of a land without end, exports them for game engines and for
geographic information systems, and flies over them. Contains the program,
the library with its headers, manual pages and example worlds.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "ffmpeg")
if(TERRANE_HAVE_FLY)
  set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libegl1, libgl1-mesa-dri") # drivers of the viewer
endif()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
include(CPack)
