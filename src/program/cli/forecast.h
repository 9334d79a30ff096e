/* forecast.h - how long work takes that is under way, measured by what of it has been done. */
#ifndef TERRANE_PROGRAM_CLI_FORECAST_H
#define TERRANE_PROGRAM_CLI_FORECAST_H

/** Called with the progress of long work: once some seconds of it tell, a note says how long the rest takes, where that
 * is more than five seconds. Work of another name whose share is smaller than before begins anew.
 *
 *  share  0..1 of what `label` names that is done
 */
void forecast_follow(const char *label, double share);

#endif
