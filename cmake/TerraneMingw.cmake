# What gcc of mingw-w64 needs besides the flags of other systems.
#
# Windows aligns stacks to 16 bytes, and gcc does not align them further for it (GCC bug 54412), but it moves spilled
# vectors of 32 and 64 bytes by instructions that fault on an address that is not aligned. The assembler turns these
# moves into those for any address, which are as fast on aligned data. No other instruction of AVX needs alignment.
add_compile_options($<$<COMPILE_LANGUAGE:C>:-Wa,-muse-unaligned-vector-move>)
add_compile_definitions(
  _WIN32_WINNT=0x0A00        # Windows 10
  __USE_MINGW_ANSI_STDIO=1   # formats of C17, and numbers that are rounded correctly
  _POSIX_C_SOURCE=200809L    # gmtime_r, strtok_r
  _FILE_OFFSET_BITS=64)
add_link_options(-static) # no DLL of the compiler has to lie beside the program
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
