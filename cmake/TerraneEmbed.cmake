# terrane_embed(SYMBOL FILE...)   Put files into the program, as the table SYMBOL of program/file/embedded.h.
function(terrane_embed symbol)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
  add_custom_command(OUTPUT ${output} DEPENDS ${ARGN} ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DSYMBOL=${symbol} "-DFILES=${ARGN}" -P
    ${PROJECT_SOURCE_DIR}/cmake/EmbedFiles.cmake
    VERBATIM)
  add_library(${symbol} OBJECT ${output}) # separate, because only targets of this folder can use the command
  target_include_directories(${symbol} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_sources(terrane_program PRIVATE $<TARGET_OBJECTS:${symbol}>)
endfunction()
