/* ffmpeg_copy.c - stands for ffmpeg in tests: copies its standard input into the file that its last argument names,
 * after "file:". With the environment variable DEAF it never reads. */
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int argc, char **argv)
{
    static char bytes[1 << 16];
    size_t count;
    if (getenv("DEAF"))
        Sleep(INFINITE);
    if (strncmp(argv[argc - 1], "file:", 5) != 0)
        return 1;
    _setmode(0, _O_BINARY);
    FILE *file = fopen(argv[argc - 1] + 5, "wb");
    while (file && (count = fread(bytes, 1, sizeof bytes, stdin)) > 0)
        fwrite(bytes, 1, count, file);
    return file && fclose(file) == 0 ? 0 : 1;
}
