/* contact_sheet.h - writes a contact sheet: small pictures of several views side by side. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_CONTACT_SHEET_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_CONTACT_SHEET_H

#include "program/viewer/request.h"

/** Draw views and write them as one PNG, in rows of up to four numbered pictures.
 *
 *  request  headless, without a view; its width and height are those of one small picture
 *  world    the function takes ownership
 *  views    values of --view
 *  file     an existing file is replaced if request->may_replace
 *  Errors   RESULT_USAGE a view is not valid; RESULT_MISSING no OpenGL; RESULT_FILE; RESULT_FAILED;
 *           RESULT_INTERRUPTED */
result contact_sheet_write(const fly_request *request, const fly_events *events, ter_world *world,
                           ter_generator *generator, const char *const *views, int count, const char *file);

#endif
