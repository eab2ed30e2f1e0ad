# Belay's shell integration for fish. Your own configuration has run; this marks prompts and commands with OSC 633 so that
# the terminal knows where a command starts, how it ended and in which folder. Writes nothing to disk.
if status is-interactive; and set -q BELAY_NONCE
    set -g __belay_nonce $BELAY_NONCE
    set -e BELAY_NONCE

    function __belay_escape
        string sub -l 2000 -- (string join \n -- $argv | string collect) |
            string replace -a '\\' '\\\\' |
            string replace -a ';' '\\x3b' |
            string join '\\x0a' |
            string replace -ar '[[:cntrl:]]' ' '
    end

    function __belay_preexec --on-event fish_preexec
        set -l text ''
        # A leading blank says: do not remember this.
        if not string match -q ' *' -- $argv[1]
            set text (__belay_escape $argv[1])
        end
        printf '\e]633;E;%s;%s\a\e]633;C\a' "$text" $__belay_nonce
    end

    function __belay_postexec --on-event fish_postexec
        printf '\e]633;D;%s\a' $status
    end

    function __belay_prompt --on-event fish_prompt
        printf '\e]633;P;Cwd=%s;%s\a\e]633;A\a' (__belay_escape $PWD) $__belay_nonce
    end
end
