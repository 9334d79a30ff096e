/* coordinate_system.c - asks GDAL about coordinate systems. */
#include "program/export/formats/coordinate_system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef TER_HAVE_GDAL

#include <cpl_conv.h>
#include <cpl_error.h>
#include <ogr_srs_api.h>

static const int LEAST = 1024, GREATEST = 32766; /* GeoTIFF has room for these numbers; EPSG gives no others */

/** Silence GDAL's own messages. */
static void be_quiet(CPLErr class, CPLErrorNum number, const char *message)
{
    (void)class, (void)number, (void)message;
}

/** Open a system by its number; NULL if PROJ does not know it. */
static OGRSpatialReferenceH open_system(int epsg)
{
    CPLPushErrorHandler(be_quiet);
    OGRSpatialReferenceH system = OSRNewSpatialReference(NULL);
    if (system && OSRImportFromEPSG(system, epsg) != OGRERR_NONE) {
        OSRDestroySpatialReference(system);
        system = NULL;
    }
    CPLPopErrorHandler();
    return system;
}

/** Whether one axis points to the east and the other one to the north, in any order. */
static bool has_usual_axes(OGRSpatialReferenceH system)
{
    bool has_east = false, has_north = false;
    for (int n = 0; n < 2; n++) {
        OGRAxisOrientation way = OAO_Other;
        OSRGetAxis(system, "PROJCS", n, &way);
        has_east |= way == OAO_East;
        has_north |= way == OAO_North;
    }
    return has_east && has_north;
}

/** Read the number of "EPSG:25832"; 0 if the text is something else. */
static int number_of(const char *text)
{
    char *end;
    const long number = strncasecmp(text, "EPSG:", 5) == 0 ? strtol(text + 5, &end, 10) : 0;
    return number >= LEAST && number <= GREATEST && text[5] >= '0' && text[5] <= '9' && *end == '\0' ? (int)number : 0;
}

static result check(const char *quoted, OGRSpatialReferenceH system)
{
    if (!system)
        return result_of(RESULT_USAGE, "--crs is %s, which PROJ does not know", quoted);
    if (!OSRIsProjected(system))
        return result_of(RESULT_USAGE,
                         "--crs is %s, which is no projected coordinate system with lengths: expected one such as "
                         "EPSG:326ZZ, with ZZ the UTM zone from 01 to 60",
                         quoted);
    if (!has_usual_axes(system))
        return result_of(RESULT_USAGE, "--crs is %s, whose axes do not point to the east and to the north", quoted);
    return result_done();
}

result coordinate_system_find(const char *text, int *epsg, double *metres)
{
    char quoted[RESULT_QUOTE];
    result_quote(text, quoted);
    *epsg = number_of(text);
    if (*epsg == 0)
        return result_of(RESULT_USAGE, "--crs is %s, expected EPSG:N with N from %d to %d, as EPSG:25832", quoted,
                         LEAST, GREATEST);
    OGRSpatialReferenceH system = open_system(*epsg);
    const result res = check(quoted, system);
    if (res.kind == RESULT_DONE)
        *metres = OSRGetLinearUnits(system, NULL);
    if (system)
        OSRDestroySpatialReference(system);
    return res;
}

const char *coordinate_system_describe(int epsg, char text[COORDINATE_SYSTEM_TEXT])
{
    static const char *const options[] = {"FORMAT=WKT1_ESRI", NULL};
    OGRSpatialReferenceH system = epsg > 0 ? open_system(epsg) : NULL; /* for a system PROJ opens its database */
    char *wkt = NULL;
    text[0] = '\0';
    if (system && OSRExportToWktEx(system, &wkt, options) == OGRERR_NONE && strlen(wkt) < COORDINATE_SYSTEM_TEXT)
        snprintf(text, COORDINATE_SYSTEM_TEXT, "%s", wkt);
    CPLFree(wkt);
    if (system)
        OSRDestroySpatialReference(system);
    return text;
}

#else

result coordinate_system_find(const char *text, int *epsg, double *metres)
{
    char quoted[RESULT_QUOTE];
    *epsg = 0;
    *metres = 1.0;
    return result_of(RESULT_USAGE,
                     "--crs is %s, but this build cannot look up coordinate systems (GDAL was missing: libgdal-dev)",
                     result_quote(text, quoted));
}

const char *coordinate_system_describe(int epsg, char text[COORDINATE_SYSTEM_TEXT])
{
    (void)epsg;
    text[0] = '\0';
    return text;
}

#endif
