/* export_features.h - terrane export --features: vector features instead of samples. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_FEATURES_H
#define TERRANE_PROGRAM_CLI_EXPORT_FEATURES_H

#include "program/cli/export_options.h"

/** Refuse --min-area, and formats and file endings of vector features, without --features. Errors RESULT_USAGE */
result export_features_check_format(const export_options *e);

/** Write the features that the options ask for. Errors RESULT_USAGE options that are missing or that are for samples;
 * those of setup_world and features_export */
result export_features(export_options *e, const setup *s);

#endif
