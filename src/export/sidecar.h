/* sidecar.h - the files beside a raw file: JSON with all that is needed to make it again and to read it, and an ENVI header. */
#ifndef TERRANE_EXPORT_SIDECAR_H
#define TERRANE_EXPORT_SIDECAR_H

#include "export/export.h"

/** Write FILE.json and FILE.hdr beside FILE; existing ones are replaced. Without JSON in this build only the header. */
outcome sidecar_write(const export_job *job, const ter_world *world, const export_report *report);

#endif
