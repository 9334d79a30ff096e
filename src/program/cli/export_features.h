/* export_features.h - terrane export --features: vector features instead of samples. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_FEATURES_H
#define TERRANE_PROGRAM_CLI_EXPORT_FEATURES_H

#include "program/cli/export_options.h"

/** Whether the options ask for a format of features. Errors RESULT_USAGE such a format without --features, or the other
 * way round */
result export_features_check_format(const export_options *e);

/** Write the features that the options ask for. Errors RESULT_USAGE; as features_export */
result export_features(export_options *e, const setup *s);

#endif
