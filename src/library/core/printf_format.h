/* printf_format.h - marks a function whose arguments are those of printf, so that compilers check them. */
#ifndef TERRANE_CORE_PRINTF_FORMAT_H
#define TERRANE_CORE_PRINTF_FORMAT_H

/** format: number of the argument that is the format; first: number of the first argument that it describes. On Windows
 * gcc would otherwise expect the formats of Microsoft's older C library, but the project uses those of C17. */
#if defined(_WIN32) && defined(__GNUC__) && !defined(__clang__)
#define TER_PRINTF(format, first) __attribute__((__format__(gnu_printf, format, first)))
#elif defined(__GNUC__)
#define TER_PRINTF(format, first) __attribute__((__format__(printf, format, first)))
#else
#define TER_PRINTF(format, first)
#endif

#endif
