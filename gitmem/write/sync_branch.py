"""Which branch of a remote the checked-out branch goes with: a side branch is never sent onto the remote's main one.

Known from git's configuration and from the syncs before, so that it is said before anything is done.
"""

from __future__ import annotations

from gitmem.history.bases import meeting
from gitmem.history.refs import branches, read_ref
from gitmem.history.remote import upstream
from gitmem.history.transport import RemoteRefused
from gitmem.store.gitdir import GitDir, head
from gitmem.store.paths import git_in, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.errors import GitmemError
    from gitmem.history.remote import Remote
    from gitmem.history.remote_state import Known
    from gitmem.history.repo import Repo

SIDE = "branch"  # the kind of the refusal
NOT_DONE = "; nothing was done"  # how it ends


def own_branch(repo: Repo, remote: Remote, known: Known, branch: str) -> str:
    """The remote's branch that ``branch`` goes with, by the person's word or by its name.

    raises: RemoteRefused when another branch here goes with the remote, and nobody said that this one does too
    """
    said = upstream(repo.git, branch, remote.name)
    theirs = said or branch
    if theirs == branch and (said or read_ref(repo.git, f"refs/remotes/{remote.name}/{branch}")):
        return theirs  # it is there under its own name
    if known.went.get(theirs) == branch:
        return theirs
    others = [each for each in branches(repo.git) if each != branch]
    if said:  # `git switch -c try origin/main` says so too, and means no more than where it begins
        rivals = [each for each in others if each in (known.went.get(theirs), theirs)]
    else:
        rivals = [each for each in others if each in known.went.values() or upstream(repo.git, each, remote.name)]
    for each in sorted(rivals, key=lambda name: name != known.went.get(known.branch)):
        check_not_side(repo, remote, branch, each)
    return theirs


def is_new_there(repo: Repo, remote: Remote, known: Known, branch: str, other: str) -> bool:
    """Whether the person said that ``branch`` is a branch of its own on a remote that does not have it yet.

    other: the branch that the remote has, "" when it has several; where no other branch here goes with that one, it is
           ours under another name
    """
    if upstream(repo.git, branch, remote.name) != branch:
        return False
    mains = [known.went.get(other, other)] if other else known.went.values()
    return any(main != branch and read_ref(repo.git, f"refs/heads/{main}") for main in mains)


def check_not_side(repo: Repo, remote: Remote, branch: str, main: str) -> None:
    """raises: RemoteRefused when ``main`` is a branch here with the history of ``branch``, and another one"""
    tip = read_ref(repo.git, f"refs/heads/{main}") if main != branch else ""
    if not tip or not meeting(repo, tip, repo.head()[1]).bases:
        return
    again, key = f"gitmem sync {typed(remote.name)}", f"branch.{branch}"
    # not `git push -u`, which looks for no secret
    publish = git_in(repo.root, f"config {typed(f'{key}.remote')} {typed(remote.name)}")
    publish += " && " + git_in(repo.root, f"config {typed(f'{key}.merge')} {typed(f'refs/heads/{branch}')}")
    there = _checked_out(repo, main)
    instead = f"{again} --store {typed(there)}" if there else f"{git_in(repo.root, f'switch {typed(main)}')} && {again}"
    raise RemoteRefused(
        f"the branch {branch} is checked out, and it is {main} that goes with {remote.name}: a side branch is not sent "
        f"there unasked{NOT_DONE}",
        hint=f"{instead}   (to share {branch} as a branch of its own: {publish} && {again})",
        kind=SIDE,
    )


def is_of_linked_worktree(repo: Repo, error: GitmemError) -> bool:
    """Whether a sync failed by the branch of a linked worktree: the other worktrees sync as before."""
    return isinstance(error, RemoteRefused) and error.kind == SIDE and repo.git.path != repo.git.common


def _checked_out(repo: Repo, branch: str) -> str:
    """The folder of another worktree that has ``branch``, so that git lets no second one have it; "" for none."""
    from gitmem.history.rewrite_refs import worktrees  # only this refusal needs it

    for tree in worktrees(repo):
        is_other = bool(tree.root) and tree.git_dir != repo.git.path
        if is_other and head(GitDir(tree.git_dir, repo.git.common))[0] == f"refs/heads/{branch}":
            return tree.root
    return ""
