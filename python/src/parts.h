/* parts.h - the headers in C that this module uses. */
#ifndef TERRANE_PYTHON_PARTS_H
#define TERRANE_PYTHON_PARTS_H

#include "terrane.h"

extern "C" {
#include "cli/options.h"
#include "cli/world_file.h"
#include "cli/world_options.h"
#include "export/layer.h"
#include "picture/look.h"
#include "picture/picture.h"
#include "picture/relief.h"
#include "program/clock.h"
#include "program/outcome.h"
#include "program/tasks.h"
}

#endif
