/* web_export.h - terrane export --preset web: a web map as files. */
#ifndef TERRANE_PROGRAM_CLI_WEB_EXPORT_H
#define TERRANE_PROGRAM_CLI_WEB_EXPORT_H

#include "program/cli/export_options.h"

/** Write the map that the options ask for. Errors RESULT_USAGE options that are missing or have no meaning for a map;
 * those of web_site_write */
result web_export(const export_options *options, const setup *setup);

#endif
