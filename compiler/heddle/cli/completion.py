"""``heddle completion SHELL``: a script that lets a shell complete commands, options and files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

SHELLS = ("bash", "zsh", "fish")


def completion_script(shell: str, commands: Mapping[str, Sequence[str]]) -> str:
    """The text for ``shell``; ``commands`` are the words behind each."""
    match shell:
        case "bash" | "zsh":
            return _bash(commands, zsh=shell == "zsh")
        case "fish":
            return _fish(commands)
        case _:
            raise ValueError(shell)


def _bash(commands: Mapping[str, Sequence[str]], *, zsh: bool) -> str:
    cases = "\n".join(f"        {name}) words='{' '.join(words)}' ;;" for name, words in commands.items())
    first = "autoload -U +X bashcompinit && bashcompinit\n" if zsh else ""
    return f"""{first}# source <(heddle completion {"zsh" if zsh else "bash"})
_heddle() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words=''
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W '{" ".join(commands)} help --version' -- "$current"))
        return
    fi
    case "${{COMP_WORDS[1]}}" in
{cases}
        help) words='{" ".join(commands)}' ;;
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    case "$current" in
        -*) ;;
        *) COMPREPLY+=($(compgen -f -- "$current")) ;;
    esac
}}
complete -o filenames -F _heddle heddle ./heddle
"""


def _fish(commands: Mapping[str, Sequence[str]]) -> str:
    lines = ["# heddle completion fish | source"]
    lines.append(f"complete -c heddle -n __fish_use_subcommand -f -a '{' '.join(commands)} help'")
    for name, words in commands.items():
        seen = f"'__fish_seen_subcommand_from {name}'"
        lines += [f"complete -c heddle -n {seen} -l {word[2:]}" for word in words if word.startswith("--")]
        plain = [word for word in words if not word.startswith("--")]
        if plain:
            lines.append(f"complete -c heddle -n {seen} -a '{' '.join(plain)}'")
    return "\n".join(lines) + "\n"
