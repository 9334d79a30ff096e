/* descriptors.c - opens /dev/null in place of closed descriptors. Standard input is opened for writing and standard
 * output for reading, so that using them fails. */
#include "program/core/descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

bool descriptors_reserve(void)
{
    static const int modes[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_WRONLY};
    for (int n = STDIN_FILENO; n <= STDERR_FILENO; n++)
        if (fcntl(n, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", modes[n]) != n) /* the lowest free number is n */
            return false;
    return true;
}
