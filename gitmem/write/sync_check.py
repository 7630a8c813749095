"""What a sync must not guess: which branch, whose history.  Each is said with the command that settles it (C5)."""

from __future__ import annotations

import os

from gitmem.errors import GitmemError, RepositoryBusy, RepositoryDamaged
from gitmem.history.bases import is_ancestor, meeting
from gitmem.history.dirty import look
from gitmem.history.log import shallow
from gitmem.history.refs import branches, read_ref
from gitmem.history.transport import RemoteRefused
from gitmem.history.tree import tree_blob
from gitmem.history.unmerged import unmerged_paths
from gitmem.history.view import Moved, View
from gitmem.store.paths import CONFIG_FILE, GC_PID, REMOTES, git_in, held_deletions, inflight, purged, state, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gitmem.history.remote import Remote
    from gitmem.history.remote_state import Known
    from gitmem.history.repo import Repo
    from gitmem.history.transport import Seen
    from gitmem.memory.finding import Finding
    from gitmem.store.gitdir import GitDir

NOT_STORES = ("machine/", "dream/", "gitmem/")  # branches that hold no store of their own
HEADS = "refs/heads/"
SHORT = 10  # digits of a commit in a sentence
LEFT_OVER, TEMP = (GC_PID, os.path.basename(inflight(""))), "tmp-"  # in gitmem's folder, by a writer at work or dead
SHOWN = 5  # unmerged files that are named


class HeldBack(RepositoryBusy):
    """A file that is held back was changed on the other side too; nothing was merged."""


def before_ref(remote: str, branch: str) -> str:
    """Where the commit is kept that a remote's branch had before it was rewritten."""
    return f"{REMOTES}{remote}/before/{branch}"


def is_here(repo: Repo, name: str) -> bool:
    """Whether the commit can be read here."""
    try:
        repo.commit(name)
    except GitmemError:
        return False
    return True


def check_whole(repo: Repo) -> None:
    """raises: RepositoryDamaged for a shallow clone: what it lacks cannot be merged, nor be sent"""
    if shallow(repo):
        raise RepositoryDamaged(
            f"{repo.root} is a shallow clone: its older commits are not here, so nothing was synced",
            hint=git_in(repo.root, "fetch --unshallow"),
        )


def look_first(repo: Repo, environ: Mapping[str, str]) -> tuple[bool, list[Finding]]:
    """Whether there seems to be an edit to commit, and what is no memory although it looks like one.

    Looked at without the lock, since 100,000 files take a second or two.
    """
    try:
        found, skipped = look(View(repo, environ))
    except Moved:
        return True, []
    return bool(found), skipped


def is_holding(git_dir: str) -> bool:
    """Whether deletions are held back, as far as an earlier sync knew."""
    return os.path.exists(held_deletions(git_dir))


def has_left_over(git: GitDir) -> bool:
    """Whether a killed writer seems to have left something behind; ``recover`` looks closer, under the lock."""
    for folder in dict.fromkeys((state(git.path), state(git.common))):
        try:
            names = os.listdir(folder)
        except FileNotFoundError:
            continue
        if any(name in LEFT_OVER or name.startswith(TEMP) for name in names):
            return True
    return False


def check_merged(repo: Repo) -> None:
    """raises: RepositoryBusy for files that git holds as unmerged though no operation is under way: after a stash"""
    paths = unmerged_paths(repo.git.path)
    if paths:
        raise RepositoryBusy(f"{unfinished(paths)}, so nothing was synced", hint=unmerged_hint(repo.root, paths))


def unfinished(paths: Sequence[str]) -> str:
    return f"a merge is not finished: {unmerged_words(paths)}"


def unmerged_words(paths: Sequence[str]) -> str:
    """Which files a merge of git's left behind."""
    more = f" and {len(paths) - SHOWN} more" if paths[SHOWN:] else ""
    return f"{', '.join(paths[:SHOWN])}{more} {'is' if len(paths) == 1 else 'are'} unmerged in git's index"


def unmerged_hint(root: str, paths: Sequence[str]) -> str:
    """What settles each of ``paths`` where no operation of git is under way any more."""
    files = " ".join(map(typed, paths[:SHOWN]))
    more = f"   (then the other {len(paths) - SHOWN}: {git_in(root, 'status')})" if paths[SHOWN:] else ""
    return f"choose the text that stays, then: {git_in(root, f'add -- {files}')} && gitmem sync{more}"


def other_branch(seen: Seen, branch: str) -> str:
    """The branch of a remote that has none called ``branch``: what its HEAD names, else its only one; "" for none."""
    names = [
        ref.removeprefix(HEADS)
        for ref in seen.refs
        if ref.startswith(HEADS) and not ref.removeprefix(HEADS).startswith(NOT_STORES)
    ]
    named = seen.head.removeprefix(HEADS)
    if branch in names or not names:
        return branch if branch in names else ""
    return named if named in names else names[0] if len(names) == 1 else ""


def has_branches(seen: Seen) -> bool:
    """Whether a remote has any branch that may hold a store."""
    return any(ref.startswith(HEADS) and not ref.removeprefix(HEADS).startswith(NOT_STORES) for ref in seen.refs)


def check_same_branch(repo: Repo, remote: Remote, branch: str, other: str, tip: str, head: str) -> None:
    """raises: RemoteRefused when the remote's branch has another name and shares no history with ours"""
    if not other:
        raise RemoteRefused(
            f"{remote.name} has no branch {branch}, and several others; nothing was synced",
            hint=f"{git_in(repo.root, f'branch -m {typed(branch)} NAME')}   (see: "
            f"{git_in(repo.root, f'ls-remote --heads {typed(remote.name)}')})",
        )
    if head and not meeting(repo, head, tip).bases:
        _check_beside_code(repo, remote, branch, tip)
        check_store(repo, remote, other, tip, head)
        raise RemoteRefused(
            f"{remote.name} has no branch {branch}; its branch is {other}, which shares no history with this store; "
            "nothing was synced",
            hint=f"{git_in(repo.root, f'branch -m {typed(branch)} {typed(other)}')} && "
            f"gitmem sync {typed(remote.name)}   (to join the two)",
        )


def _check_beside_code(repo: Repo, remote: Remote, branch: str, tip: str) -> None:
    """raises: RemoteRefused for a project's own store that its repository's remote does not have yet"""
    names = [each for each in branches(repo.git) if meeting(repo, read_ref(repo.git, f"{HEADS}{each}"), tip).bases]
    if names:
        push = git_in(repo.root, f"push -u {typed(remote.name)} {typed(branch)}")
        raise RemoteRefused(
            f"{remote.name} has no branch {branch} yet, only those of {names[0]}, which shares no history with this "
            "store; nothing was synced",
            hint=f"to put the store there as a branch of its own: {push} && gitmem sync {typed(remote.name)}",
        )


def check_not_rewritten(repo: Repo, remote: Remote, known: Known, tip: str, head: str) -> None:
    """raises: RemoteRefused when the remote's branch, or ours, no longer has what both had after the last sync"""
    if not known.tip or not tip or not head or meeting(repo, head, tip).bases in ([tip], [head]):
        return  # what is here lies on the way to what is there, or the other way round: nothing is lost
    from gitmem.history.purge_record import purges  # hardly ever needed

    if is_ancestor(repo, known.tip, head) and purges(repo, tip, head):
        return  # that is why; here the text is gone too, and what else was there is in what is here
    old, new, theirs = known.tip[:SHORT], tip[:SHORT], f"{remote.name}/{known.branch}"
    if not is_ancestor(repo, known.tip, tip):
        kept, both = before_ref(remote.name, known.branch), f"gitmem sync {typed(remote.name)} --rejoin"
        follow = git_in(repo.root, f"rebase --onto {typed(theirs)} {old}")
        raise RemoteRefused(
            f"{theirs} was rewritten: it had {old} and now has {new}, which does not contain it. Nothing was merged or "
            f"sent; both are kept, as refs/remotes/{theirs} and {kept}",
            hint=f"to have both: {both}   (to follow the rewrite: {follow} && gitmem sync {typed(remote.name)})",
            kind="rewritten",
        )
    if not is_ancestor(repo, known.tip, head):
        force = git_in(repo.root, f"push --force-with-lease {typed(remote.name)} HEAD:{typed(known.branch)}")
        raise RemoteRefused(
            f"the history here was rewritten (a reset or a purge): it no longer has {old}, which {theirs} still has. "
            "Nothing was merged or sent",
            hint=f"to have it again: gitmem sync {typed(remote.name)} --rejoin   (to make {remote.name} as it is here: "
            f"{force} && gitmem sync {typed(remote.name)})",
            kind="rewritten",
        )


def check_not_purged(repo: Repo, remote: Remote, branch: str, tip: str, head: str) -> None:
    """raises: RemoteRefused when either side would bring back what was purged on the other"""
    if not tip or is_ancestor(repo, tip, head):
        return  # nothing comes from there, and nothing was rewritten there
    from gitmem.history.pushed import sent  # most syncs are spared these
    from gitmem.history.rewrite_refs import load_purged
    from gitmem.write.sync_purged import check_not_purged_there

    check_not_purged_there(repo, remote, branch, tip, head)
    known = load_purged(repo.git.common)
    if not known:
        return
    found = sorted({known[each.blob] for each in sent(repo, tip, [head] if head else []) if each.blob in known})
    if not found:
        return
    lease = f"--force-with-lease={typed(branch)}:{tip}"  # from what was looked at just now, and from nothing newer
    force = git_in(repo.root, f"push {lease} {typed(remote.name)} HEAD:{typed(branch)}")
    forget = typed(purged(repo.git.common))
    raise RemoteRefused(
        f"{remote.name}/{branch} still has what was purged here: {', '.join(found)}. Merging would bring it back, so "
        "nothing was merged or sent",
        hint=f"to make {remote.name} as it is here: {force} && gitmem sync {typed(remote.name)}   (what others wrote "
        "there since comes back when their machines sync; to take the purged text back instead: "
        f"rm {forget} && gitmem sync {typed(remote.name)} --rejoin)",
        kind="purged",
    )


def check_store(repo: Repo, remote: Remote, branch: str, tip: str, head: str) -> None:
    """raises: RemoteRefused for a foreign history that is no store, such as a project's code"""
    if head and not meeting(repo, head, tip).bases and tree_blob(repo, tip, CONFIG_FILE) is None:
        raise RemoteRefused(
            f"{remote.name}/{branch} is no store of memories (it has no {CONFIG_FILE}) and shares no history with "
            "this one; nothing was merged or sent",
            hint="is it the right place? gitmem remote list   "
            f"(to take it out: gitmem remote remove {typed(remote.name)})",
        )
