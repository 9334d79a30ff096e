/* verify.h - a file made again from its sidecar and compared with it. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_VERIFY_H
#define TERRANE_PROGRAM_EXPORT_WRITE_VERIFY_H

#include "program/core/events.h"
#include "program/core/result.h"

/** Compare a file with what its sidecar says should be in it. `said` becomes one line about what was found.
 *  Errors OUTCOME_FILE no sidecar, or the file is not of that kind; OUTCOME_FAILED it differs */
outcome export_verify(const char *path, const ter_generator_options *how, const export_events *events, char said[512]);

#endif
