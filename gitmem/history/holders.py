"""What still holds a memory's text after it was purged, each with the command that settles it.

A purge rewrites branches, tags and gitmem's own refs.  It never pushes, and never drops a person's stash, reflog or
work: those are listed here, and what only the owner of another machine can do.
"""

from __future__ import annotations

import os

from gitmem.dataclass import dataclass
from gitmem.errors import RepositoryDamaged
from gitmem.history.ownrefs import own_refs
from gitmem.history.pack import with_alternates
from gitmem.history.refs import final_ref
from gitmem.history.remote_state import load_known
from gitmem.history.rewrite_past import commits_of
from gitmem.history.rewrite_places import blob_of, pseudo_refs, reflogs, remote_urls, stored
from gitmem.history.rewrite_refs import OURS, THEIRS, Worktree, worktrees
from gitmem.history.rewrite_repeats import repeats
from gitmem.history.rewrite_trees import differences
from gitmem.store.gitdir import find_git_dir, head
from gitmem.store.paths import MACHINE_BRANCHES, OWN_REFS, git_in, join, typed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gitmem.history.repo import Repo
    from gitmem.history.rewrite_past import Choice, Past

STASH = "refs/stash"
REMOTES = "refs/remotes/"
HEADS, TAGS = "refs/heads/", "refs/tags/"
MACHINE, BEFORE = "machines/", "before/"  # how refs of a remote's begin here, below its name


@dataclass(frozen=True, slots=True)
class Holder:
    """One place that still holds the text.

    where:   the place; what: what it holds
    command: what to type, "" where only somebody else can do something
    """

    where: str
    what: str
    command: str


def holders(
    repo: Repo, past: Past, choice: Choice, commits: Mapping[str, str], refs: Mapping[str, str]
) -> list[Holder]:
    """Every place that still holds a version of the memory, in the order in which they are to be settled.

    commits: old id -> new id of every rewritten commit; {} where that is not known any more
    refs:    the refs before they were rewritten: name -> id
    """
    return _Search(repo, past, choice, commits, refs).run()


def together(earlier: Sequence[Holder], later: Sequence[Holder]) -> list[Holder]:
    """What holds either text, a place once; of two ways for the same the earlier purge's, which knew the old refs."""
    known = {(each.where, each.what): each for each in earlier}
    kept = [each for each in later if known.get((each.where, each.what), each) == each]
    told = {(each.where, each.command) for each in kept}
    return [*(each for each in earlier if (each.where, each.command) not in told), *kept]


class _Search:
    def __init__(
        self, repo: Repo, past: Past, choice: Choice, commits: Mapping[str, str], refs: Mapping[str, str]
    ) -> None:
        self.repo, self.past, self.choice, self.commits, self.rewritten = repo, past, choice, commits, refs
        self.blobs = choice.blobs
        self.refs = {ref: name for ref, name in own_refs(repo.git, "refs/").items() if final_ref(repo.git, ref) == ref}
        self.trees = worktrees(repo)
        self.logs = {tree.git_dir: reflogs(tree.git_dir) for tree in self.trees}
        self.remotes = remote_urls(repo.config)
        self.copies = {
            version for version in past.brought
            if version[1] in self.blobs and version[1] not in choice.forget.get(version[0], ())
        }  # fmt: skip
        self._look()

    def _look(self) -> None:
        """See every commit that anything here names; what is not there any more holds nothing."""
        names = {*self.refs.values(), *self.rewritten.values()}
        for logs in self.logs.values():
            names.update(name for lines in logs.values() for line in lines for name in line)
        for tree in self.trees:
            names.update(name for _, found in pseudo_refs(tree.git_dir) for name in found)
        seen: list[str] = []
        for name in names:
            try:
                seen += commits_of(self.repo, [name])
            except RepositoryDamaged:
                continue
        new = set(self.commits.values())
        self.past.see([name for name in seen if name not in new])
        brought = self.past.brought
        held = [version for version in brought if version[1] in self.blobs and version not in self.copies]
        self.bad = self.past.reached_by(name for version in held for name in brought[version]) - new

    def holds(self, name: str) -> bool:
        """Whether the object ``name`` leads to a version of the memory."""
        try:
            kind, raw = self.repo.objects.read_any(name)
        except RepositoryDamaged:
            return False
        if kind == "tag":
            return self.holds(raw[7:47].decode("latin-1"))
        if kind == "tree":
            return any(new in self.blobs for _, _, new in differences(self.repo.objects, "", name))
        return name in self.bad if kind == "commit" else bytes.fromhex(name) in self.blobs

    def run(self) -> list[Holder]:
        return [
            *self._copies(), *self._repeats(), *self._own_refs(), *self._worktrees(), *self._stash(),
            *self._remotes(), *self._reflogs(), *self._objects(), *self._elsewhere(),
        ]  # fmt: skip

    def _git(self, words: str, root: str = "") -> str:
        return git_in(root or self.repo.root, words)

    def _copies(self) -> Iterator[Holder]:
        """Other memories that have, or had, the same text to the letter."""
        for path in sorted({path.decode("utf-8", "surrogateescape") for path, _ in self.copies}):
            yield Holder(path, "has, or once had, the same text to the letter", f"gitmem purge {typed(path)}")

    def _repeats(self) -> Iterator[Holder]:
        """Refused texts and messages with words of it; a message's old commit is then settled as all others are."""
        ours = {ref: name for ref, name in self.refs.items() if ref.startswith(OURS) and not ref.startswith(THEIRS)}
        yield from (Holder(*row) for row in repeats(self.repo, self.choice, ours))

    def _own_refs(self) -> Iterator[Holder]:
        """Refs that a purge does not rewrite, but for those of remotes and the stash."""
        for ref in self._left():
            if ref.startswith(OURS) and not ref.startswith(THEIRS) and commits_of(self.repo, [self.refs[ref]]):
                yield Holder(ref, "came while history was rewritten", self._again().removeprefix(" && "))
            else:
                yield Holder(ref, "a ref that purge does not rewrite", self._git(f"update-ref -d {typed(ref)}"))

    def _left(self) -> list[str]:
        remotes = tuple(f"{place}{name}/" for name, _ in self.remotes for place in (REMOTES, THEIRS))
        return [
            ref for ref, name in self.refs.items()
            if not ref.startswith(remotes) and ref != STASH and self.holds(name)
        ]  # fmt: skip

    def _worktrees(self) -> Iterator[Holder]:
        for tree in self.trees:
            for ref, names in pseudo_refs(tree.git_dir):
                if any(self.holds(name) for name in names):
                    place = os.path.join(tree.git_dir, ref)
                    if ref == "HEAD":
                        yield self._detached(tree, names[0])
                    else:
                        yield Holder(place, "names a commit of the old history", f"rm {typed(place)}")
            if tree.root and tree.git_dir != self.repo.git.path:
                yield from self._files(tree)

    def _detached(self, tree: Worktree, name: str) -> Holder:
        new = self.commits.get(name, "")
        branch = self.repo.head()[0].removeprefix(HEADS)
        command = f"switch --detach {new or typed(branch)}"
        return Holder(tree.root or tree.git_dir, "HEAD is detached at a commit of the old history",
                      self._git(command, tree.root))  # fmt: skip

    def _files(self, tree: Worktree) -> Iterator[Holder]:
        """The files and the index of another working tree."""
        try:
            with open(os.path.join(tree.git_dir, "index"), "rb") as file:
                index = file.read()
        except OSError:
            index = b""
        paths = []
        for path, blobs in self.choice.forget.items():
            name = path.decode("utf-8", "surrogateescape")
            if any(blob in index for blob in blobs) or blob_of(join(tree.root, name)) in blobs:
                paths.append(name)
        if paths:
            named = " ".join(typed(path) for path in sorted(paths))
            staged = any(blob in index for blob in self.blobs)
            command = self._git(f"rm -f --ignore-unmatch -- {named}", tree.root)
            if not staged:
                command = " ".join(["rm", *(typed(join(tree.root, path)) for path in sorted(paths))])
            yield Holder(tree.root, f"this working tree still has {', '.join(sorted(paths))}", command)
        lists = list(self._stale_lists(tree, index))
        if lists:
            named = " ".join(map(typed, lists))
            yield Holder(
                tree.root,
                f"its {', '.join(lists)} still has the memory's line",
                self._git(f"checkout HEAD -- {named}", tree.root),
            )

    def _stale_lists(self, tree: Worktree, index: bytes) -> Iterator[str]:
        """Lists of memories that another working tree has as the old commit had them, and its new commit has not."""
        git = find_git_dir(tree.root)
        ref, now = head(git) if git is not None else ("", "")
        old = self.rewritten.get(ref, "")
        if not old or old == now or old not in self.past.trees:
            return
        for path, before, _ in differences(self.repo.objects, self.past.trees[old], self.repo.commit(now).tree):
            if path not in self.choice.forget and before is not None and before in index:
                yield path.decode("utf-8", "surrogateescape")

    def _stash(self) -> Iterator[Holder]:
        entries = [new for _, new in reversed(self.logs[self.repo.git.common].get(STASH, []))]
        if not entries and STASH in self.refs:
            entries = [self.refs[STASH]]
        for number, name in reversed(list(enumerate(entries))):  # from below: the numbers above stay right
            if self.holds(name):
                place = f"stash@{{{number}}}"
                what = "work put aside on top of the old history; apply it first if you need it"
                yield Holder(place, what, self._git(f"stash drop {typed(place)}"))

    def _remotes(self) -> Iterator[Holder]:
        for name, url in self.remotes:
            prefix, own = f"{REMOTES}{name}/", f"{THEIRS}{name}/"
            known = {ref: at for ref, at in self.refs.items() if ref.startswith((prefix, own))}
            where = f"remote {name}" + (f" ({url})" if url else "")
            for ref, at in known.items():
                if self.holds(at) and ref.startswith(prefix):
                    what = f"branch {ref.removeprefix(prefix)} there, and our copy {ref}"
                    yield Holder(where, what, self._push(name, ref.removeprefix(prefix), at))
                elif self.holds(at):
                    yield self._own_ref(name, where, ref.removeprefix(own), ref)
            for ref, old in self.rewritten.items():
                if ref.startswith(TAGS) and self.refs.get(ref, old) != old:
                    what = f"tag {ref.removeprefix(TAGS)} there, if it was pushed"
                    yield Holder(where, what, self._git(f"push --force {typed(name)} {typed(ref)}"))
            if not known:
                what = "nothing was fetched from it, so what it holds is not known here"
                yield Holder(where, what, self._git(f"fetch {typed(name)}") + self._again())

    def _own_ref(self, remote: str, where: str, there: str, copy: str) -> Holder:
        """A ref of gitmem's on a remote, as it was fetched last; a machine that needs its own makes it anew."""
        drop = self._git(f"update-ref -d {typed(copy)}")
        if there.startswith(BEFORE):
            return Holder(where, f"our copy {copy} of what its branch was", drop)
        ref = OWN_REFS + there
        if there.startswith(MACHINE) and load_known(self.repo.git.common, remote).plain:
            ref = MACHINE_BRANCHES + there.removeprefix(MACHINE)
        push = self._git(f"push {typed(remote)} --delete {typed(ref)}")
        return Holder(where, f"{there} there, and our copy {copy}", f"{drop} && {push}")

    def _push(self, remote: str, branch: str, tip: str) -> str:
        """How to give the remote its own branch without the memory: nothing it has may be lost by that.

        tip: its branch's commit as it was fetched last
        """
        heads = sorted(
            (ref for ref, old in self.rewritten.items() if ref.startswith(HEADS) and self._reaches(old, tip)),
            key=lambda ref: (ref != HEADS + branch, ref),
        )
        if heads:
            name = heads[0].removeprefix(HEADS)
            words = branch if name == branch else f"{name}:{branch}"
            return self._git(f"push --force-with-lease {typed(remote)} {typed(words)}")
        return self._git(f"branch {typed(f'{remote}-{branch}')} {typed(f'{remote}/{branch}')}") + self._again()

    def _reaches(self, name: str, wanted: str) -> bool:
        """Whether the commit ``wanted`` is ``name`` or lies below it."""
        seen, todo = {name}, [name]
        while todo:
            at = todo.pop()
            if at == wanted:
                return True
            new = [parent for parent in self.past.parents.get(at, ()) if parent not in seen]
            seen.update(new)
            todo += new
        return False

    def _again(self) -> str:
        return f" && gitmem purge {typed(self.choice.paths[0])}" if self.choice.paths else ""

    def _reflogs(self) -> Iterator[Holder]:
        gone = {STASH, *self._left()}  # a ref's reflog goes with it
        for tree in self.trees:
            for ref, lines in self.logs[tree.git_dir].items():
                if ref in gone:
                    continue
                count = sum(1 for line in lines if any(self.holds(name) for name in line))
                if count:
                    root = tree.root if ref == "HEAD" else ""
                    what = f"{count} {'line' if count == 1 else 'lines'} of its reflog"
                    yield Holder(
                        ref if not root or root == self.repo.root else f"{ref} of {root}",
                        what,
                        self._git(f"reflog expire --expire=now {typed(ref)}", root),
                    )

    def _objects(self) -> Iterator[Holder]:
        """The objects themselves, which git keeps until it collects what nothing names."""
        folders = with_alternates(self.repo.objects.folder)
        for folder in folders:
            count, kept = stored(folder, self.blobs)
            for pack in kept:
                yield Holder(f"{pack}.pack", "a pack that git was told to keep", f"rm {typed(pack + '.keep')}")
            if not count:
                continue
            what = f"{count} {'object' if count == 1 else 'objects'} with its text, until git collects them"
            if folder == folders[0]:
                yield Holder(folder, what, self._git("gc --prune=now"))
            else:
                what = f"{count} objects with its text, borrowed from there; purge it in that repository too"
                yield Holder(folder, what, git_in(os.path.dirname(folder), "gc --prune=now"))

    def _elsewhere(self) -> Iterator[Holder]:
        if self.remotes:
            yield Holder(
                "other clones, forks, backups and the hosting service's caches",
                "out of reach from here: the next sync of a machine tells it how to follow; every other owner has to "
                "remove it, and a service's support its caches",
                "",
            )
