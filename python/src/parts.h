/* parts.h - includes the C headers of the library and the program that this module uses. */
#ifndef TERRANE_PYTHON_PARTS_H
#define TERRANE_PYTHON_PARTS_H

#include "terrane/terrane.h"

#include <cmath> /* math.h, which the headers below include, has templates */

extern "C" {
#include "program/cli/options.h"
#include "program/cli/start_place.h"
#include "program/cli/world_file.h"
#include "program/cli/world_options.h"
#include "program/core/clock.h"
#include "program/core/fill.h"
#include "program/core/least_river.h"
#include "program/core/result.h"
#include "program/core/tasks.h"
#include "program/drainage/drained_area.h"
#include "program/drainage/routing.h"
#include "program/export/layers/any_water.h"
#include "program/export/layers/layer.h"
#include "program/features/rivers.h"
#include "program/guide/earth_place.h"
#include "program/guide/georeference.h"
#include "program/guide/guide_file.h"
#include "program/guide/guide_request.h"
#include "program/picture/picture.h"
#include "program/picture/map_rivers.h"
#include "program/picture/relief.h"
#include "program/surface/look.h"
}

#endif
