"""The remotes of a store: read from git's configuration as data, added and removed.

A URL is only ever a place.  Whatever could make git start a program of somebody's choice is refused: ``ext::`` and
other helpers, words that a program would take for an option.
"""

from __future__ import annotations

import os

from gitmem.dataclass import dataclass
from gitmem.errors import NotFound, Refused
from gitmem.history.config import read_config
from gitmem.history.remote_config import add_remote, remove_remote
from gitmem.store.paths import typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from gitmem.store.gitdir import GitDir

SCHEMES = ("file", "git", "http", "https", "ssh")
FORMS = "/a/path, host:path, ssh://host/path, https://host/path"
ADD = "gitmem remote add origin URL"
DEFAULT = "origin"


@dataclass(frozen=True, slots=True)
class Remote:
    """A named place to sync with.

    url, push_url: as configured; the same unless the person gave pushes a place of their own
    """

    name: str
    url: str
    push_url: str

    @property
    def shown(self) -> str:
        return shown_url(self.url)


def remotes(git: GitDir) -> list[Remote]:
    """Every remote that has a URL, by name."""
    config = read_config(os.path.join(git.common, "config"))
    found = []
    for key, values in config.items():
        if key.startswith("remote.") and key.endswith(".url") and values[0]:
            name = key[7:-4]
            found.append(Remote(name, values[0], config.get(f"remote.{name}.pushurl", values)[0]))
    return sorted(found, key=lambda each: each.name)


def find_remote(git: GitDir, name: str, branch: str) -> Remote:
    """The remote called ``name``; without one the branch's own, else origin, else the only one there is.

    raises: NotFound, saying how to add one; Refused when several are there and none is meant
    """
    every = {each.name: each for each in remotes(git)}
    if name:
        if name in every:
            return every[name]
        known = f"there are: {', '.join(every)}" if every else "there is none yet"
        hint = "gitmem remote list" if every else f"gitmem remote add {typed(name)} URL"
        raise NotFound(f'there is no remote called "{name}"; {known}', hint=hint)
    if not every:
        raise NotFound("this store has no remote to sync with", hint=f"{ADD}   (any git host, or a path)")
    own = read_config(os.path.join(git.common, "config")).get(f"branch.{branch}.remote", [""])[-1]
    chosen = next((each for each in (own, DEFAULT) if each in every), next(iter(every)) if len(every) == 1 else "")
    if not chosen:
        raise Refused(
            f"there are several remotes: {', '.join(every)}; say which", hint=f"gitmem sync {next(iter(every))}"
        )
    return every[chosen]


def upstream(git: GitDir, branch: str, remote: str) -> str:
    """The remote's branch that ``branch`` is configured to go with, "" when nobody said."""
    config = read_config(os.path.join(git.common, "config"))
    if config.get(f"branch.{branch}.remote", [""])[-1] != remote:
        return ""
    ref = config.get(f"branch.{branch}.merge", [""])[-1]
    return ref.removeprefix("refs/heads/") if ref.startswith("refs/heads/") else ""


def add(git: GitDir, name: str, url: str) -> Remote:
    """Configure a remote; the same one again is no error, and gets the refspecs it lacks.

    raises: Refused for a name or a URL git could not take, and when the name is another place's
    """
    check_name(name)
    check_url(url)
    there = next((each for each in remotes(git) if each.name == name), None)
    if there is not None and there.url != url:
        raise Refused(
            f"the remote {name} is {there.shown} already; nothing was changed",
            hint=f"gitmem remote remove {typed(name)}   (or give the new one another name)",
        )
    add_remote(git, name, url)
    return Remote(name, url, url)


def take_out(git: GitDir, name: str) -> Remote:
    """Remove a remote from the configuration; what was fetched from it stays.  Raises NotFound."""
    remote = find_remote(git, name, "")
    remove_remote(git, name)
    return remote


def check_name(name: str) -> None:
    """raises: Refused for a name that git would not take for a remote's"""
    fit = name and all(mark.isascii() and (mark.isalnum() or mark in "-_.") for mark in name)
    if not fit or name[0] in "-." or name.endswith((".", ".lock")) or ".." in name:
        raise Refused(f'"{name}" cannot be the name of a remote: letters, digits, - and _', hint=ADD)


def check_url(url: str) -> None:
    """raises: Refused for a URL that is no place, or that would make git start another program"""
    if not url.strip() or any(not mark.isprintable() for mark in url):
        raise Refused("the URL is empty or holds characters that are not seen", hint=f"one of: {FORMS}")
    kind = kind_of(url)
    if not kind:
        raise Refused(f"{shown_url(url)} is no place gitmem syncs with", hint=f"one of: {FORMS}")
    if kind == "path" and "@" in url and not set(url) & {"/", os.sep}:
        raise Refused(
            f"{shown_url(url)} names a host and a person, and no path there",
            hint=f"{url}:PATH   (or ./{url} for a folder of that name)",
        )
    host, path = _host_and_path(url, kind)
    if host.startswith("-") or path.startswith("-") or url.startswith("-"):
        raise Refused(
            f"{shown_url(url)} begins with a dash where a program would take it for an option",
            hint=f"./{url}   for a folder of that name" if url.startswith("-") else f"one of: {FORMS}",
        )


def kind_of(url: str) -> str:
    """``path``, ``ssh``, ``http`` or ``git``; "" for a form that is not supported, such as ``ext::``."""
    scheme, mark, _ = url.partition("://")
    if mark and scheme.isalnum():
        if scheme.lower() not in SCHEMES:
            return ""
        return {"file": "path", "https": "http"}.get(scheme.lower(), scheme.lower())
    first = url.partition("/")[0]
    if "::" in first:
        return ""
    is_drive = os.name == "nt" and first[1:2] == ":" and first[:1].isalpha()
    return "ssh" if ":" in first and not is_drive else "path"


def path_of(url: str) -> str:
    """The folder that a URL of the kind ``path`` names."""
    return _split(url).path if url.lower().startswith("file://") else url


def _host_and_path(url: str, kind: str) -> tuple[str, str]:
    if kind == "path":
        return "", path_of(url)
    if "://" in url:
        parts = _split(url)
        return parts.netloc.rpartition("@")[2] or parts.netloc, parts.path.lstrip("/")
    host, _, path = url.partition(":")
    return host.rpartition("@")[2] if not host.startswith("-") else host, path


def shown_url(url: str) -> str:
    """A URL for a sentence: without the password or token some people put into it."""
    if "://" not in url:
        return url
    try:
        parts = _split(url)
        user, at, host = parts.netloc.rpartition("@")
    except ValueError:
        return url.partition("://")[0] + "://..."
    if not at or (":" not in user and len(user) < 20):
        return url
    name = user.partition(":")[0] if ":" in user else "..."
    return parts._replace(netloc=f"{name}@{host}").geturl()


def _split(url: str) -> SplitResult:
    from urllib.parse import urlsplit  # 6 ms, which folders and most ssh places are spared

    return urlsplit(url)
