/* verify.h - verifies exported files: makes a file again from its sidecar and compares both. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_VERIFY_H
#define TERRANE_PROGRAM_EXPORT_WRITE_VERIFY_H

#include "program/core/events.h"
#include "program/core/result.h"

/** Verify a file against its sidecar.
 *
 *  options  options of the generator
 *  finding  becomes one line that describes the verified file
 *  Errors   RESULT_FILE there is no sidecar, or the file has another format; RESULT_FAILED the file differs;
 *           RESULT_INTERRUPTED
 */
result export_verify(const char *path, const ter_generator_options *options, const work_events *events,
                     char finding[512]);

#endif
