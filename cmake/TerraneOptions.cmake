# terrane_option(NAME "what it gives")   Make the cache option TERRANE_NAME: AUTO, ON or OFF.
# terrane_found(NAME condition "what is missing")   Set TERRANE_HAVE_NAME. If the condition is false, ON is an error,
#   and AUTO and OFF add the option to the report.
# terrane_report()   Print one line that lists what this build leaves out.
set(TERRANE_LEFT_OUT "" CACHE INTERNAL "")

function(terrane_option name what)
  set(TERRANE_${name} AUTO CACHE STRING "${what} (AUTO, ON, OFF)")
  set_property(CACHE TERRANE_${name} PROPERTY STRINGS AUTO ON OFF)
  if(NOT TERRANE_${name} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "TERRANE_${name} is '${TERRANE_${name}}', expected AUTO, ON or OFF")
  endif()
  set(TERRANE_WHAT_${name} "${what}" CACHE INTERNAL "")
endfunction()

function(terrane_found name condition missing)
  set(have OFF)
  if(TERRANE_${name} STREQUAL "OFF")
    set(missing "TERRANE_${name} is OFF")
  elseif(${condition})
    set(have ON)
  elseif(TERRANE_${name} STREQUAL "ON")
    message(FATAL_ERROR "TERRANE_${name} is ON, but ${missing}")
  endif()
  set(TERRANE_HAVE_${name} ${have} PARENT_SCOPE)
  if(NOT have)
    set(TERRANE_LEFT_OUT "${TERRANE_LEFT_OUT}${TERRANE_WHAT_${name}} (${missing}), " CACHE INTERNAL "")
  endif()
endfunction()

function(terrane_report)
  if(TERRANE_LEFT_OUT)
    string(REGEX REPLACE ", $" "" left_out "${TERRANE_LEFT_OUT}")
    message(STATUS "terrane: left out of this build: ${left_out}")
  else()
    message(STATUS "terrane: nothing is left out of this build")
  endif()
endfunction()
