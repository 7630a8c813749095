"""What this machine last saw on each remote: a small file that no ``git fetch`` changes.

Remote-tracking refs will not do: a person's own fetch moves them, and then nobody could tell that a remote was
rewritten, or which rollback points were deleted on purpose.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping

from gitmem.dataclass import asdict, dataclass, field
from gitmem.store.paths import state, synced


@dataclass(slots=True)
class Known:
    """One remote as the last sync left it.

    url:     where it was; another place is another remote, of which nothing is known
    branch:  its branch
    tip:     the commit that branch had; the store's branch has had it since
    tips:    the same for each of its branches that was ever synced; went: the branch here that went with it
    refs:    gitmem's refs there
    reached: UTC unix seconds of the last sync that went through
    beaten:  of the last heartbeat that was sent
    plain:   the host takes branches and no other refs
    """

    url: str
    branch: str = ""
    tip: str = ""
    refs: dict[str, str] = field(default_factory=dict)
    reached: int = 0
    beaten: int = 0
    plain: bool = False
    tips: dict[str, str] = field(default_factory=dict)
    went: dict[str, str] = field(default_factory=dict)


def load_known(git_dir: str, name: str, url: str = "") -> Known:
    """What is known of the remote ``name``; nothing when it was another place then, or the file is damaged.

    url: where it is now, "" for wherever it was
    """
    found = _load(git_dir).get(name)
    if not isinstance(found, dict) or (url and found.get("url") != url):
        return Known(url)
    numbers = {key: value for key in ("reached", "beaten") if isinstance(value := found.get(key), int)}
    words = {key: value for key in ("url", "branch", "tip") if isinstance(value := found.get(key), str)}
    refs, tips, went = (_words(found.get(key)) for key in ("refs", "tips", "went"))
    branch, tip = words.get("branch", ""), words.get("tip", "")
    if branch:
        tips.setdefault(branch, tip)
    return Known(
        words.get("url", url), branch, tip, refs, plain=bool(found.get("plain")), tips=tips, went=went, **numbers
    )


def save_known(git_dir: str, name: str, known: Known | None) -> None:
    """Remember it; None forgets the remote."""
    every = _load(git_dir)
    if known is None:
        every.pop(name, None)
    else:
        every[name] = asdict(known)
    path = synced(git_dir)
    os.makedirs(state(git_dir), exist_ok=True)
    temp = f"{path}.{os.getpid():x}"
    with open(temp, "w", encoding="utf-8", newline="\n") as file:
        json.dump(every, file, indent=1, sort_keys=True)
    os.replace(temp, path)


def follow_rewrite(git_dir: str, commits: Mapping[str, str]) -> None:
    """Note that the history here was rewritten: what a remote had after the last sync is now the commit made of it.

    commits: old id -> new id; a machine that makes the same rewrite comes to the same ids
    """
    for name in _load(git_dir):
        known = load_known(git_dir, name)
        was = [known.tip, *known.tips.values()]
        known.tip = commits.get(known.tip, known.tip)
        known.tips = {branch: commits.get(tip, tip) for branch, tip in known.tips.items()}
        if was != [known.tip, *known.tips.values()]:
            save_known(git_dir, name, known)


def _words(said: object) -> dict[str, str]:
    return {str(key): str(value) for key, value in said.items()} if isinstance(said, dict) else {}


def _load(git_dir: str) -> dict[str, object]:
    try:
        with open(synced(git_dir), encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
