/* forecast.h - estimates how long the current work will still take, from the rate of its progress. */
#ifndef TERRANE_PROGRAM_CLI_FORECAST_H
#define TERRANE_PROGRAM_CLI_FORECAST_H

/** Follow the progress of long work. After 2.5 seconds, print one note with the remaining time, if that is more than
 * five seconds. A share that is smaller than before begins new work.
 *
 *  label  name of the work, for the note
 *  share  share of the work that is done, 0..1
 */
void forecast_follow(const char *label, double share);

#endif
