/* test_interrupt.c - a command that does not react to a signal is ended within a second. Its temporary files are
 * removed and the program that it has started is killed. It is not ended while its files get their names. A second
 * signal ends it at once. */
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "program/cli/interrupt.h"
#include "program/core/abandon.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"
#include "program_under_test.h"

/** Begin a file, and another one whose unfinished part, kept.r32.part, is to stay for a later run. */
static void begin_files(void)
{
    output_file file, kept;
    if (output_file_open(&file, "deaf.r32", 0, false).kind != RESULT_DONE ||
        output_file_open_kept(&kept, "kept.r32", 0, false).kind != RESULT_DONE ||
        output_file_write(&file, "begun", 5).kind != RESULT_DONE)
        _exit(1);
}

static void sleep_s(double s)
{
    struct timespec left = {(time_t)s, (long)((s - (double)(time_t)s) * 1e9)};
    while (nanosleep(&left, &left) != 0)
        continue;
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/** Call `run` as a command in a child process. Returns when the child reports through the pipe that it is at work. The
 * pipe stays open until the child and the processes that it has started have ended. */
static pid_t begin(void (*run)(int ready), int *pipe_end)
{
    int ends[2];
    char word;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        interrupt_watch("test");
        dup2(open("said", O_WRONLY | O_CREAT | O_TRUNC, 0600), STDERR_FILENO);
        run(ends[1]);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &word, 1), 1);
    close(ends[1]);
    *pipe_end = ends[0];
    return child;
}

static void report_ready(int ready)
{
    if (write(ready, "!", 1) != 1)
        _exit(1);
}

static void run_unresponsive(int ready)
{
    begin_files();
    report_ready(ready);
    sleep_s(30.0);
}

static void run_naming(int ready)
{
    begin_files();
    abandon_block();
    report_ready(ready);
    sleep_s(1.5);
    close(open("named", O_WRONLY | O_CREAT | O_TRUNC, 0600)); /* the process must reach this line */
    abandon_unblock();
    sleep_s(30.0);
}

static void run_with_program(int ready)
{
    const pid_t program = fork();
    if (program == 0) {
        signal(SIGINT, SIG_IGN);
        sleep_s(30.0);
        _exit(0);
    }
    abandon_program(program);
    report_ready(ready);
    sleep_s(30.0);
}

/** Wait until a process and its children have ended. Returns its exit status. */
static int end_of(pid_t child, int pipe_end)
{
    int status;
    char word;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(read(pipe_end, &word, 1), 0);
    close(pipe_end);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void assert_only_kept(void)
{
    assert_int_equal(system("ls | grep -q deaf"), 1 << 8);
    assert_int_equal(access("kept.r32.part", F_OK), 0);
    unlink("kept.r32.part");
}

static void test_deaf(void **state)
{
    (void)state;
    int pipe_end;
    const pid_t child = begin(run_unresponsive, &pipe_end);
    assert_int_equal(system("ls | grep -q deaf.r32.part-"), 0);
    const double begun_s = now_s();
    kill(child, SIGTERM);
    assert_int_equal(end_of(child, pipe_end), RESULT_INTERRUPTED);
    const double took_s = now_s() - begun_s;
    assert_true(took_s > 0.5 && took_s < 1.5); /* the process had time to end by itself */
    assert_only_kept();
    assert_int_equal(system("grep -qx 'terrane test: interrupted' said"), 0);
}

static void test_second_signal(void **state)
{
    (void)state;
    int pipe_end;
    const pid_t child = begin(run_unresponsive, &pipe_end);
    const double begun_s = now_s();
    kill(child, SIGINT);
    sleep_s(0.1);
    kill(child, SIGINT);
    assert_int_equal(end_of(child, pipe_end), RESULT_INTERRUPTED);
    assert_true(now_s() - begun_s < 0.7);
    assert_only_kept();
}

static void test_names_change(void **state)
{
    (void)state;
    int pipe_end;
    const pid_t child = begin(run_naming, &pipe_end);
    kill(child, SIGINT);
    sleep_s(0.1);
    kill(child, SIGINT);
    assert_int_equal(end_of(child, pipe_end), RESULT_INTERRUPTED);
    assert_int_equal(access("named", F_OK), 0);
    assert_only_kept();
}

static void test_program(void **state)
{
    (void)state;
    int pipe_end;
    const pid_t child = begin(run_with_program, &pipe_end);
    const double begun_s = now_s();
    kill(child, SIGINT);
    assert_int_equal(end_of(child, pipe_end), RESULT_INTERRUPTED);
    assert_true(now_s() - begun_s < 5.0); /* without a signal the program runs for 30 s */
}

/** When a file has got its name, abandon_all removes neither it nor another file under its temporary name. */
static void test_forgotten(void **state)
{
    output_file file;
    (void)state;
    assert_done(output_file_open(&file, "whole", 0, false));
    char temporary[TEMPORARY_PATH];
    strcpy(temporary, file.temporary);
    assert_done(output_file_commit(&file));
    close(open(temporary, O_WRONLY | O_CREAT, 0600)); /* another file under the temporary name */
    assert_true(abandon_all());
    assert_int_equal(access(temporary, F_OK), 0);
    assert_int_equal(access("whole", F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deaf), cmocka_unit_test(test_second_signal),
                                       cmocka_unit_test(test_names_change), cmocka_unit_test(test_program),
                                       cmocka_unit_test(test_forgotten)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
