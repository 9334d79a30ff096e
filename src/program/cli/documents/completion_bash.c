/* completion_bash.c - prints the completion for bash: a function that chooses the completions by the command and by the
 * word before the cursor. */
#include "program/cli/documents/documents.h"
#include "program/cli/documents/option_words.h"

/** Print the case "command:--option)" and the call that completes the option's value. */
static void print_value(FILE *to, const usage *u, const option *o)
{
    static const char *const functions[] = {[COMPLETION_FREE] = ":",
                                            [COMPLETION_WORDS] = "_terrane_words",
                                            [COMPLETION_LIST] = "_terrane_list",
                                            [COMPLETION_WORLDS] = "_terrane_worlds",
                                            [COMPLETION_FILES] = "_terrane_files -f",
                                            [COMPLETION_FOLDERS] = "_terrane_files -d"};
    char name[72];
    const completion by = completion_of(o);
    if (by == COMPLETION_NONE)
        return;
    option_spell(o, name);
    fprintf(to, "    %s:%s) %s", u->name, name, functions[by]);
    if (by == COMPLETION_WORDS || by == COMPLETION_LIST || by == COMPLETION_WORLDS) {
        fputs(" '", to);
        print_words(to, o->choices);
        fputc('\'', to);
    }
    fputs(" ;;\n", to);
}

static void print_values(const usage_reader *reader, const usage *u, const option_group *groups, size_t count,
                         void *user, const setup *setup)
{
    FILE *to = reader->context;
    (void)user, (void)setup;
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++)
            print_value(to, u, &groups[g].options[n]);
}

static void print_names(const usage_reader *reader, const usage *u, const option_group *groups, size_t count,
                        void *user, const setup *setup)
{
    FILE *to = reader->context;
    (void)user, (void)setup;
    fprintf(to, "    %s) _terrane_words '", u->name);
    for (size_t g = 0; g < count; g++)
        for (size_t n = 0; n < groups[g].count; n++) {
            char name[72];
            option_spell(&groups[g].options[n], name);
            fprintf(to, "%s ", name);
        }
    fputs("' ;;\n", to);
}

static void print_commands(FILE *to)
{
    for (size_t n = 0; n < n_commands; n++)
        fprintf(to, "%s ", commands[n].name);
}

void completion_bash(FILE *to)
{
    const usage_reader values = {print_values, to}, names = {print_names, to};
    fputs("# completion of terrane's commands and options for bash, made of their tables\n"
          "_terrane_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
          "_terrane_files() {\n    compopt -o filenames 2>/dev/null\n    mapfile -t COMPREPLY < <(compgen \"$1\" -- "
          "\"$cur\")\n}\n"
          "_terrane_worlds() {\n    local names\n    _terrane_files -f\n"
          "    mapfile -t names < <(compgen -W \"$1\" -- \"$cur\")\n    COMPREPLY+=(\"${names[@]}\")\n}\n"
          "_terrane_list() { # words with commas between them: the last one is completed\n    local before=\n"
          "    [[ $cur == *,* ]] && before=${cur%,*},\n    compopt -o nospace 2>/dev/null\n"
          "    mapfile -t COMPREPLY < <(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\")\n}\n"
          "_terrane() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}\n"
          "    COMPREPLY=()\n"
          "    [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD - 2]} # --name=value are three words\n"
          "    [[ $cur == = ]] && cur=\n"
          "    if ((COMP_CWORD == 1)); then\n        _terrane_words '",
          to);
    print_commands(to);
    fputs("help --help --version'\n        return\n    fi\n    case $command:$prev in\n    help:*) _terrane_words '",
          to);
    print_commands(to);
    fputs("' ;;\n", to);
    read_usages(&values);
    fputs("    *)\n        if [[ $cur != -* ]]; then\n            _terrane_files -f\n            return\n        fi\n"
          "        case $command in\n",
          to);
    read_usages(&names);
    fputs("        esac ;;\n    esac\n}\ncomplete -F _terrane terrane\n", to);
}
