/* feature_job.c - the names of features. */
#include "program/features/feature_job.h"

const char *const feature_names[FEATURES + 1] = {"rivers", "lakes", "coast", "catchments", "contours", "peaks", NULL};
