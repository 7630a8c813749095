"""Whose name stands in a commit."""

from __future__ import annotations

import os

from gitmem.history.commit import Identity
from gitmem.history.config import Config, person_files, read_config
from gitmem.store.gitdir import GitDir, head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MODEL_EMAIL = "model@gitmem.invalid"  # .invalid can never be anybody's address (RFC 2606)


def gitmem_identity() -> Identity:
    """gitmem's own, for a machine on which nobody told git a name; never a guess such as root@host."""
    return Identity("gitmem", "gitmem@localhost.invalid")


def model_identity(agent: str) -> Identity:
    """The author of what a model wrote."""
    return Identity(agent, MODEL_EMAIL) if Identity(agent, "").name else Identity("model", MODEL_EMAIL)


def person(git: GitDir | None, environ: Mapping[str, str], role: str = "AUTHOR") -> Identity | None:
    """The person's identity as git would find it; None when git was never told one.

    role: AUTHOR or COMMITTER, as in the variables GIT_AUTHOR_NAME and GIT_COMMITTER_EMAIL
    """
    return _as(role, person_config(git, environ), environ)


def people(git: GitDir | None, environ: Mapping[str, str]) -> tuple[Identity, Identity]:
    """The person as author and as committer; gitmem's own identity where git was told none."""
    config = person_config(git, environ)
    author, committer = (_as(role, config, environ) or gitmem_identity() for role in ("AUTHOR", "COMMITTER"))
    return author, committer


def person_config(git: GitDir | None, environ: Mapping[str, str]) -> Config:
    """What git's configuration says in all its files, as data, the nearest last."""
    config: Config = {}
    files = person_files(environ)
    if git is not None:
        files.append(os.path.join(git.common, "config"))
        files.append(os.path.join(git.path, "config.worktree"))
    for file in files:
        found = read_config(file)
        config.update(found)
        if any(key.startswith(("include.", "includeif.")) for key in found):
            config.update(_with_includes(file, git))
    config.update(_from_environment(environ))
    return config


def _as(role: str, config: Config, environ: Mapping[str, str]) -> Identity | None:
    low = role.lower()
    name = environ.get(f"GIT_{role}_NAME") or _last(config, f"{low}.name") or _last(config, "user.name")
    email = (
        environ.get(f"GIT_{role}_EMAIL")
        or _last(config, f"{low}.email")
        or _last(config, "user.email")
        or environ.get("EMAIL", "")
    )
    identity = Identity(name, email)
    return identity if identity.name and identity.email else None


def _last(config: Config, key: str) -> str:
    values = config.get(key)
    return values[-1] if values else ""


def _with_includes(path: str, git: GitDir | None) -> Config:
    """Names of a file that includes others, read by dulwich; ``includeIf`` by folder and branch."""
    from dulwich.config import ConfigFile, _match_gitdir_pattern, match_glob_pattern

    folder = os.path.realpath(git.path).encode("utf-8", "surrogateescape") if git is not None else b""
    branch = head(git)[0].removeprefix("refs/heads/") if git is not None else ""

    def in_folder(pattern: str, ignorecase: bool = False) -> bool:
        if pattern.startswith("~/"):
            pattern = os.path.expanduser(pattern)
        elif pattern.startswith("./"):
            pattern = os.path.join(os.path.dirname(os.path.realpath(path)), pattern[2:])
        elif not os.path.isabs(pattern):
            pattern = "**/" + pattern
        pattern += "**" if pattern.endswith("/") else ""
        return bool(folder) and _match_gitdir_pattern(folder, pattern.encode(), ignorecase=ignorecase)

    def on_branch(pattern: str) -> bool:
        return bool(branch) and match_glob_pattern(branch, pattern + "**" if pattern.endswith("/") else pattern)

    matchers = {
        "gitdir:": in_folder,
        "gitdir/i:": lambda pattern: in_folder(pattern, ignorecase=True),
        "onbranch:": on_branch,
    }
    found: Config = {}
    try:
        config = ConfigFile.from_path(path, condition_matchers=matchers)
    except (OSError, ValueError):
        return found
    for section in ("user", "author", "committer"):
        for key in ("name", "email"):
            try:
                found[f"{section}.{key}"] = [config.get((section.encode(),), key.encode()).decode("utf-8", "replace")]
            except KeyError:
                continue
    return found


def _from_environment(environ: Mapping[str, str]) -> Config:
    """``git -c user.name=Ada`` reaches the programs it starts in these variables."""
    found: Config = {}
    count = environ.get("GIT_CONFIG_COUNT", "")
    for number in range(int(count) if count.isdigit() and len(count) < 5 else 0):
        key, value = environ.get(f"GIT_CONFIG_KEY_{number}"), environ.get(f"GIT_CONFIG_VALUE_{number}")
        if key and value is not None:
            found[key.lower()] = [value]
    return found
