/* contact_sheet.h - a contact sheet: small pictures of several views side by side. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CONTACT_SHEET_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CONTACT_SHEET_H

#include "program/viewer/request.h"

/** Draw views, as --view takes them, and write them as one PNG, rows of up to four, each with its number.
 *
 *  request  of every picture, whose size it has; without a view, headless
 *  world    is taken over
 *  file     replaced where request->may_replace
 *  Errors   RESULT_MISSING no OpenGL; RESULT_FILE; RESULT_FAILED; RESULT_INTERRUPTED */
result contact_sheet_write(const fly_request *request, const fly_events *events, ter_world *world,
                           ter_generator *generator, const char *const *views, int count, const char *file);

#endif
