"""git's configuration files, read as data: no program a configuration names is ever started.

A reader of our own because dulwich's costs a cold process 25 ms.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Config = dict[str, list[str]]  # "core.bare" or "remote.origin.url" -> values in order

ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}


def read_config(path: str) -> Config:
    """The values of one file, sections and keys in lower case; empty when it is not there or unreadable."""
    try:
        with open(path, "rb", buffering=0) as file:
            return parse_config(file.read().decode("utf-8-sig", "surrogateescape"))
    except OSError:
        return {}


def parse_config(text: str) -> Config:
    """The values of a configuration; a line that git would refuse is passed over."""
    config: Config = {}
    section = ""
    lines = iter(text.replace("\r\n", "\n").split("\n"))
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            section, line = _section(line)
        if not line or line[0] in "#;" or not section:
            continue
        key, equals, value = line.partition("=")
        if not equals:
            key = key.partition("#")[0].partition(";")[0]
        while _continues(value):
            value = value[:-1] + next(lines, "")
        config.setdefault(f"{section}.{key.strip().lower()}", []).append(_value(value) if equals else "true")
    return config


def _section(line: str) -> tuple[str, str]:
    """``[remote "origin"] x = 1`` -> (``remote.origin``, ``x = 1``)."""
    quoted, at, end = False, 1, -1
    while at < len(line):
        if line[at] == "\\" and quoted:
            at += 1
        elif line[at] == '"':
            quoted = not quoted
        elif line[at] == "]" and not quoted:
            end = at
            break
        at += 1
    if end < 0:
        return "", ""
    name, quote, sub = line[1:end].partition('"')
    name = name.strip().lower()
    if quote:
        sub = sub.rstrip().removesuffix('"').replace('\\"', '"').replace("\\\\", "\\")
        name = f"{name}.{sub}"
    return name, line[end + 1 :].strip()


def _continues(value: str) -> bool:
    return (len(value) - len(value.rstrip("\\"))) % 2 == 1


def _value(text: str) -> str:
    text = text.strip()
    if not any(mark in text for mark in '\\"#;'):
        return text
    out: list[str] = []
    quoted, keep, at = False, 0, 0
    while at < len(text):
        mark = text[at]
        if mark == "\\" and at + 1 < len(text):
            at += 1
            out.append(ESCAPES.get(text[at], text[at]))
            keep = len(out)
        elif mark == '"':
            quoted = not quoted
            keep = len(out)
        elif mark in "#;" and not quoted:
            break
        else:
            out.append(mark)
            if quoted or not mark.isspace():
                keep = len(out)
        at += 1
    return "".join(out[:keep])


def is_true(config: Config, key: str, default: bool) -> bool:
    """The last value of ``key`` as git reads a yes or no."""
    values = config.get(key)
    if not values:
        return default
    return values[-1].lower() in ("true", "yes", "on", "1")


def person_files(environ: Mapping[str, str]) -> list[str]:
    """The configuration files of the machine and the person, weakest first."""
    files = []
    if environ.get("GIT_CONFIG_NOSYSTEM", "") not in ("1", "true", "yes", "on"):
        files.append(environ.get("GIT_CONFIG_SYSTEM") or "/etc/gitconfig")
    if "GIT_CONFIG_GLOBAL" in environ:
        return [*files, environ["GIT_CONFIG_GLOBAL"]]
    home = environ.get("HOME") or environ.get("USERPROFILE", "")
    xdg = environ.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    if xdg:
        files.append(os.path.join(xdg, "git", "config"))
    if home:
        files.append(os.path.join(home, ".gitconfig"))
    return files
