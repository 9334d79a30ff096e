/* sidecar_crs.c - writes and reads the member "crs" of a sidecar. */
#include "program/export/sidecar/sidecar_crs.h"

#include <math.h>
#include <stdio.h>

void sidecar_add_crs(cJSON *root, const earth_crs *crs)
{
    char name[32];
    if (crs->epsg == 0)
        return;
    snprintf(name, sizeof name, "EPSG:%d", crs->epsg);
    cJSON *object = cJSON_AddObjectToObject(root, "crs");
    cJSON_AddStringToObject(object, "name", name);
    cJSON_AddNumberToObject(object, "epsg", crs->epsg);
    cJSON_AddNumberToObject(object, "east", crs->east);
    cJSON_AddNumberToObject(object, "north", crs->north);
    cJSON_AddNumberToObject(object, "unit_m", crs->metres);
}

bool sidecar_read_crs(const cJSON *root, earth_crs *crs)
{
    const cJSON *object = cJSON_GetObjectItemCaseSensitive(root, "crs");
    const double epsg = json_number(object, "epsg", (double)NAN);
    if (!object)
        return true;
    if (!(epsg >= 1.0 && epsg <= UINT16_MAX && epsg == floor(epsg)))
        return false;
    *crs = (earth_crs){(int)epsg, json_number(object, "east", (double)NAN), json_number(object, "north", (double)NAN),
                       json_number(object, "unit_m", (double)NAN)};
    return isfinite(crs->east) && isfinite(crs->north) && crs->metres > 0.0 && isfinite(crs->metres);
}
