"""Two states of a store made one (merge/match.py, place.py, tree.py): renames, archives, clashes of names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.document import blob_id
from gitmem.memory.name import twin_key
from gitmem.merge.match import Trio, match
from gitmem.merge.tree import Conflict, Locks, Tree, TreeMerge, merge_trees
from tests.merge.histories import changed
from tests.strategies import CHECK

Files = Mapping[str, str]

ONE = "---\nname: one\nmetadata:\n  id: 01ONE\n---\n\nBack up first.\n\nThen migrate.\n"
TWO = "---\nname: two\nmetadata:\n  id: 01TWO\n---\n\nThe port is 8443.\n"
PLAIN = "Back up first.\nThen migrate.\nThen look at the logs.\n"
OTHER = "Tea is in the kitchen.\nCoffee is not.\n"


class Case:
    """One merge: the trees by text, and the result both ways."""

    def __init__(
        self,
        base: Files,
        ours: Files,
        theirs: Files,
        modes: Mapping[str, int] | None = None,
        locks: Locks = ((), (), ()),
    ) -> None:
        self.texts: dict[str, bytes] = {}
        self.read: list[str] = []
        trees = [self._tree(files, modes or {}) for files in (base, ours, theirs)]
        self.merge = merge_trees(*trees, self._read, locks=locks)
        self.files = self._files(trees[1], self.merge)
        back = merge_trees(trees[0], trees[2], trees[1], self._read, locks=(locks[0], locks[2], locks[1]))
        assert self._files(trees[2], back) == self.files, "A into B is B into A"
        assert {_turned(each) for each in back.conflicts} == set(self.merge.conflicts)
        assert back.moved == self.merge.moved
        self.words = [(each.path, each.words) for each in self.merge.conflicts]

    def kept(self) -> str:
        """All text of the result and of the conflicts."""
        blobs = [blob for each in self.merge.conflicts for blob in (each.ours, each.theirs) if blob]
        return "\n".join([*self.files.values(), *(self.texts[blob].decode() for blob in blobs)])

    def _tree(self, files: Files, modes: Mapping[str, int]) -> Tree:
        self.texts |= {blob_id(text.encode()): text.encode() for text in files.values()}
        return {path: (modes.get(path, 0o100644), blob_id(text.encode())) for path, text in files.items()}

    def _read(self, blob: str) -> bytes:
        self.read.append(blob)
        return self.texts[blob]

    def _files(self, ours: Tree, merge: TreeMerge) -> dict[str, str]:
        files = {path: self.texts[blob].decode() for path, (_, blob) in ours.items() if path not in merge.changes}
        for path, entry in merge.changes.items():
            if entry is None:
                assert path in ours
                continue
            data = self.texts[entry.blob] if entry.data is None else entry.data
            assert blob_id(data) == entry.blob
            files[path] = data.decode()
        return files


def _turned(conflict: Conflict) -> Conflict:
    side = {"ours": "theirs", "theirs": "ours"}[conflict.kept]
    return Conflict(conflict.path, conflict.base, conflict.theirs, conflict.ours, conflict.words, side)


def test_each_side_changes_another_file_and_none_of_them_is_read_twice() -> None:
    """Promised as C1: only what changed is read."""
    rest = {f"{number}.md": f"memory {number}\n" for number in range(50)}
    case = Case(rest | {"a.md": ONE}, rest | {"a.md": ONE + "ours\n"}, rest | {"a.md": ONE, "b.md": TWO})
    assert case.files == rest | {"a.md": ONE + "ours\n", "b.md": TWO}
    assert case.words == []
    assert case.read == []


def test_an_edit_lands_under_the_new_name() -> None:
    """Promised as F57, with an id and without."""
    for text in (ONE, PLAIN):
        edit = text.replace("migrate", "move")
        case = Case({"a.md": text}, {"b.md": text}, {"a.md": edit})
        assert (case.files, case.words) == ({"b.md": edit}, [])


def test_a_rename_with_an_edit_meets_an_edit() -> None:
    """Promised as F57 and C2."""
    case = Case(
        {"a.md": ONE}, {"x/b.md": ONE.replace("Back up", "Always back up")}, {"a.md": ONE.replace("migrate", "move")}
    )
    assert case.files == {"x/b.md": ONE.replace("Back up", "Always back up").replace("migrate", "move")}
    assert case.words == []


def test_an_id_finds_a_memory_that_was_rewritten_and_renamed() -> None:
    """Promised as C2: by metadata.id before likeness."""
    anew = ONE.replace("\nBack up first.\n\nThen migrate.\n", "\nNothing of the old text.\n")
    assert match({"a.md": "1"}, {"b.md": "2"}, {"a.md": "1"}, {"1": ONE.encode(), "2": anew.encode()}.__getitem__) == [
        Trio("a.md", "b.md", "a.md")
    ]


def test_memories_of_different_ids_are_no_rename_of_each_other() -> None:
    """Promised as C2: templates are alike."""
    other = ONE.replace("01ONE", "01ELSE")
    case = Case({"a.md": ONE}, {"b.md": other}, {"a.md": ONE.replace("migrate", "move")})
    assert case.files == {"a.md": ONE.replace("migrate", "move"), "b.md": other}
    assert case.words == [("a.md", ("removed on one side, changed on the other; the change stands",))]


@pytest.mark.parametrize(
    "gone", [{}, {"archive/a.md": ONE.replace("  id", "  archived: 2026-11-30\n  id")}, {"archive/a.md": "x\n"}]
)
def test_an_edit_outlives_a_removal_and_an_archiving(gone: dict[str, str]) -> None:
    """Promised as F55: the edit survives, the conflict is recorded, with both texts."""
    edit = ONE.replace("migrate", "move")
    case = Case({"a.md": ONE}, gone, {"a.md": edit})
    assert case.files == {"a.md": edit}
    ((path, words),) = case.words
    assert path == "a.md"
    assert words[0].endswith("; the change stands")
    assert all(text in case.kept() for text in gone.values())


def test_a_removal_and_an_archiving_of_what_nobody_changed_are_done() -> None:
    """Promised as C2."""
    marked = ONE.replace("  id", "  archived: 2026-11-30\n  id")
    assert Case({"a.md": ONE, "b.md": TWO}, {"b.md": TWO}, {"a.md": ONE, "b.md": TWO}).files == {"b.md": TWO}
    case = Case({"a.md": ONE}, {"archive/a.md": marked}, {"a.md": ONE})
    assert (case.files, case.words) == ({"archive/a.md": marked}, [])


def test_a_rename_outlives_an_archiving() -> None:
    """Promised as F55: what one side still works with is not put away."""
    case = Case({"a.md": ONE}, {"archive/a.md": ONE}, {"b.md": ONE})
    assert case.files == {"b.md": ONE}
    assert case.words == [("b.md", ("archived on one side, changed on the other; the change stands",))]


def test_two_names_for_one_memory_become_one_and_the_other_is_told() -> None:
    """Promised as C2: git keeps both files."""
    case = Case({"a.md": ONE}, {"z.md": ONE}, {"b.md": ONE.replace("migrate", "move")})
    assert case.files == {"b.md": ONE.replace("migrate", "move")}
    assert case.words == [("b.md", ('both sides renamed it: "b.md" stands, "z.md" is gone',))]


def test_two_memories_made_under_one_name_are_both_kept() -> None:
    """Promised as C3."""
    case = Case({}, {"n.md": ONE}, {"n.md": TWO})
    assert sorted(case.files) == ["n-2.md", "n.md"]
    assert sorted(case.files.values()) == sorted([ONE, TWO])
    assert case.merge.moved == (("n.md", "n-2.md"),)
    assert case.words == []


def test_one_memory_made_on_both_sides_is_joined_by_its_id() -> None:
    """Promised as F38: two histories that never met."""
    case = Case({}, {"n.md": ONE}, {"m.md": ONE + "\nMore.\n"})
    assert list(case.files) == ["m.md"]
    assert "More." in case.files["m.md"]


def test_another_memory_in_the_place_of_an_edited_one_does_not_mix_with_it() -> None:
    """Promised as C3."""
    edit = ONE.replace("migrate", "move")
    case = Case({"a.md": ONE}, {"a.md": TWO}, {"a.md": edit})
    assert case.files == {"a.md": edit, "a-2.md": TWO}


@pytest.mark.parametrize(("one", "two"), [("API.md", "api.md"), ("caf\u00e9.md", "cafe\u0301.md")])
def test_names_that_one_system_takes_for_one_are_told_apart(one: str, two: str) -> None:
    """Promised as F20 and F21."""
    case = Case({}, {one: ONE}, {two: TWO})
    assert len({twin_key(path) for path in case.files}) == 2
    assert sorted(case.files.values()) == sorted([ONE, TWO])


def test_a_file_in_the_way_of_a_folder_gets_another_name() -> None:
    """Promised as C3."""
    case = Case({}, {"notes": "plain\n"}, {"notes/a.md": ONE})
    assert case.files == {"notes-2": "plain\n", "notes/a.md": ONE}


def test_other_files_are_taken_whole() -> None:
    """Promised as C2: the unchanged side gives way; both changed is a conflict with both texts."""
    case = Case({"x.csv": "a\n"}, {"x.csv": "b\n"}, {"x.csv": "a\n"})
    assert (case.files, case.words) == ({"x.csv": "b\n"}, [])
    case = Case({"x.csv": "a\n"}, {"x.csv": "b\n"}, {"x.csv": "c\n"})
    assert case.words == [("x.csv", ("the whole text",))]
    assert "b\n" in case.kept()
    assert "c\n" in case.kept()


def test_a_link_is_never_read_and_never_merged() -> None:
    """Promised as F98."""
    case = Case({"l.md": "a"}, {"l.md": "b"}, {"l.md": "c"}, {"l.md": 0o120000})
    assert case.words == [("l.md", ("the whole file (a link or another kind of file)",))]
    assert case.read == []


def test_a_mode_one_side_changed_stays() -> None:
    """Promised as C2."""
    old, new = blob_id(b"x\n"), blob_id(b"y\n")
    merged = merge_trees({"a": (0o100644, old)}, {"a": (0o100755, old)}, {"a": (0o100644, new)}, {}.__getitem__)
    entry = merged.changes["a"]
    assert entry is not None
    assert (entry.mode, entry.blob) == (0o100755, new)
    back = merge_trees({"a": (0o100644, old)}, {"a": (0o100644, old)}, {"a": (0o100755, old)}, {}.__getitem__)
    assert back.changes["a"] is not None


def test_the_list_of_memories_merges_by_entry_inside_a_store() -> None:
    """Promised as F52."""
    line = "- [{0}]({0}.md)\n"
    base = {"MEMORY.md": line.format("a")}
    case = Case(
        base, {"MEMORY.md": line.format("a") + line.format("b")}, {"MEMORY.md": line.format("a") + line.format("c")}
    )
    assert sorted(case.files["MEMORY.md"].splitlines()) == [line.format(name).strip() for name in "abc"]
    assert case.words == []


NAMES = [
    "a.md",
    "A.md",
    "b.md",
    "x/a.md",
    "archive/a.md",
    "archive/b.md",
    "a",
    "MEMORY.md",
    "n.txt",
    "journal/2026-11-30.md",
]
TEXTS = [ONE, TWO, PLAIN, OTHER, ONE.replace("01ONE", ""), "- [a](a.md)\n", "- 10:00 x\n", ""]
ADDED = [f"line {number}.\n" for number in range(6)]


@st.composite
def stores(draw: st.DrawFn) -> tuple[Files, Files, Files]:
    """Base, ours and theirs of a small store; two of its paths never stand in each other's way."""
    base = draw(st.dictionaries(st.sampled_from(NAMES), st.sampled_from(TEXTS), max_size=4))
    sides = []
    for _ in range(2):
        side = dict(base)
        for _ in range(draw(st.integers(0, 3))):
            what = draw(st.sampled_from("erdanr"))
            path = draw(st.sampled_from(sorted(side) or NAMES))
            if what in "er" and path in side:
                text = side.pop(path) if what == "r" else side[path]
                place = draw(st.sampled_from(NAMES)) if what == "r" else path
                paragraphs = draw(changed(text.split("\n\n"), ADDED)) if draw(st.booleans()) else [text]
                side[place] = "\n\n".join(paragraphs)
            elif what == "d":
                side.pop(path, None)
            else:
                side[draw(st.sampled_from(NAMES))] = draw(st.sampled_from(TEXTS)) + draw(st.sampled_from(["", *ADDED]))
        sides.append(side)
    return tuple(_possible(files) for files in (base, *sides))  # type: ignore[return-value]


def _possible(files: Files) -> Files:
    return {
        path: text
        for path, text in files.items()
        if not (path == "a" and any(each[:2].lower() == "a/" for each in files))
    }


@given(stores())
@CHECK
def test_every_text_of_either_side_is_in_the_result_or_in_a_conflict(trees: tuple[Files, Files, Files]) -> None:
    """Promised as C3, whatever happened on either side; the same whoever merges."""
    base, ours, theirs = trees
    case = Case(base, ours, theirs)
    old = {line.strip() for text in base.values() for line in text.split("\n")}
    kept = case.kept()
    for side in (ours, theirs):
        for text in side.values():
            new = {line.strip() for line in text.split("\n")} - old
            assert all(line in kept for line in new)
    new_paths = [path for path in case.files if path not in base]
    keys = [twin_key(path) for path in case.files]
    clean = all(len({twin_key(path) for path in tree}) == len(tree) for tree in trees)
    assert not clean or len(set(keys)) == len(keys)
    assert not any(f"{path}/" in other for path in new_paths for other in case.files if other.startswith(f"{path}/"))
    assert "<<<<<<<" not in kept


def test_an_edit_lands_in_the_memory_and_not_in_another_one_that_has_its_old_name() -> None:
    """Promised as C2: by metadata.id before the path; renamed, exchanged with another, put over another."""
    edit = ONE.replace("migrate", "move")
    for text, other in ((ONE, TWO), (ONE.replace("Back up", "Always back up"), PLAIN)):
        case = Case({"a.md": ONE}, {"b.md": text, "a.md": other}, {"a.md": edit})
        assert (case.files, case.words) == ({"b.md": text.replace("migrate", "move"), "a.md": other}, [])
        assert case.merge.moved == ()
    case = Case({"a.md": ONE, "b.md": TWO}, {"a.md": TWO, "b.md": ONE}, {"a.md": edit, "b.md": TWO + "or 80\n"})
    assert (case.files, case.words) == ({"a.md": TWO + "or 80\n", "b.md": edit}, [])
    case = Case({"a.md": ONE, "b.md": TWO}, {"b.md": ONE}, {"a.md": edit, "b.md": TWO})
    assert (case.files, case.words) == ({"b.md": edit}, [])


def test_what_was_archived_stands_where_it_was_changed_though_another_memory_has_its_name() -> None:
    """Promised as F55; the newcomer is the one that gets another name."""
    marked, edit = ONE.replace("  id", "  archived: 2026-11-30\n  id"), ONE.replace("migrate", "move")
    case = Case({"a.md": ONE}, {"archive/a.md": marked, "a.md": TWO}, {"a.md": edit})
    assert case.files == {"a.md": edit, "a-2.md": TWO}
    assert case.words == [("a.md", ("archived on one side, changed on the other; the change stands",))]
    assert case.merge.moved == (("a.md", "a-2.md"),)
    case = Case({"a.md": ONE}, {"archive/a.md": marked, "a.md": TWO}, {"a.md": ONE})
    assert (case.files, case.words) == ({"archive/a.md": marked, "a.md": TWO}, [])


@pytest.mark.parametrize("gone", [{}, {"archive/a.md": ONE.replace("  id", "  archived: 2026-11-30\n  id")}])
def test_a_lock_that_the_other_side_did_not_know_of_holds(gone: dict[str, str]) -> None:
    """Promised as B7: by no command; a lock that both sides knew was the person's own to pass over."""
    case = Case({"a.md": ONE}, {"a.md": ONE}, gone, locks=((), ("a.md",), ()))
    assert case.files == {"a.md": ONE}
    assert [path for path, _ in case.words] == ["a.md"]
    assert case.words[0][1][0].endswith(" on one side, locked on the other, so it stays")
    for locks in (((), (), ("a.md",)), (("a.md",), ("a.md",), ("a.md",)), (("a.md",), ("a.md",), ())):
        case = Case({"a.md": ONE}, {"a.md": ONE}, gone, locks=locks)
        assert (case.files, case.words) == (gone, [])


NAMES = ["a.md", "b.md", "n/c.md", "archive/a.md", "archive/b.md", "archive/n/c.md", "d.md"]


def told(number: int, edit: str) -> str:
    return f"---\nname: m{number}\nmetadata:\n  id: 01ID{number}\n---\n\nWhat memory {number} says.\n\nIts end.{edit}\n"


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[Files, Files, Files]:
    """A store of memories with ids, and two sides on which they got other names, each other's too."""
    count = draw(st.integers(1, 4))
    base = {NAMES[number]: told(number, "") for number in range(min(count, 3))}
    sides = []
    for side, added in (("ours", 7), ("theirs", 8)):
        left = draw(st.lists(st.sampled_from(range(len(base))), unique=True))
        numbers = [*left, *([added] if draw(st.booleans()) else [])]
        names = draw(st.permutations(NAMES))
        edits = draw(st.lists(st.sampled_from(["", "", f" By {side}."]), min_size=8, max_size=8))
        stays = draw(st.booleans())
        paths = [NAMES[at] if stays and at < len(base) else name for at, name in zip(numbers, names, strict=False)]
        sides.append(
            {path: told(at, edits[place]) for place, (at, path) in enumerate(zip(numbers, paths, strict=True))}
        )
    return base, sides[0], sides[1]


@given(shuffled())
@CHECK
def test_no_memory_is_there_twice_whatever_became_of_the_names(trees: tuple[Files, Files, Files]) -> None:
    """Promised as C2 and C3: found by its id; every text of either side is in the result or in a conflict."""
    base, ours, theirs = trees
    case = Case(base, ours, theirs)
    ids = [text.split("id: ")[1].split("\n")[0] for text in case.files.values()]
    assert len(ids) == len(set(ids))
    kept = case.kept()
    for side, word in ((ours, "By ours."), (theirs, "By theirs.")):
        for text in side.values():
            if word in text:
                number = text.split("name: m")[1][0]
                assert any(part[0] == number and word in part for part in kept.split("name: m")[1:])
