"""What a project is recognised by, as text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.store.project import Known, Project, normal_remote, parse_project, read_places, stands_in
from gitmem.store.trust import escaped, unescaped

SAME = [
    "https://github.com/acme/billing.git",
    "https://ada:s3cret@github.com/acme/billing",
    "ssh://git@github.com:22/acme/billing.git",
    "git@github.com:acme/billing.git",
    "git+ssh://git@GitHub.com/acme/billing/",
]


@pytest.mark.parametrize("url", SAME)
def test_one_repository_has_one_address(url: str) -> None:
    """Promised as D2: another way to the same remote is the same project."""
    assert normal_remote(url) == "github.com/acme/billing"


@pytest.mark.parametrize("url", SAME)
def test_no_password_is_kept(url: str) -> None:
    assert "s3cret" not in normal_remote(url)
    assert "@" not in normal_remote(url)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("/srv/git/billing.git", "/srv/git/billing"),
        ("file:///srv/git/billing.git/", "/srv/git/billing"),
        ("C:\\repos\\billing", "C:/repos/billing"),
        ("../hub.git", ""),
        ("", ""),
        ("https://host:8443/a/b.git", "host:8443/a/b"),
    ],
)
def test_paths_and_odd_addresses(url: str, address: str) -> None:
    assert normal_remote(url) == address


WORD = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), min_size=1, max_size=30).map(
    lambda text: " ".join(text.split()).strip("/- ") or "a"
)


@given(
    name=WORD,
    part=WORD,
    roots=st.lists(st.from_regex("[0-9a-f]{40}", fullmatch=True), max_size=3),
    remotes=st.lists(WORD, max_size=3),
)
def test_a_record_reads_back(name: str, part: str, roots: list[str], remotes: list[str]) -> None:
    project = Project("x-1", name, part)
    project.roots, project.remotes = list(dict.fromkeys(roots)), list(dict.fromkeys(remotes))
    again = parse_project("x-1", project.text())
    assert (again.name, again.part, again.roots, again.remotes) == (name, part, project.roots, project.remotes)


def test_a_record_of_a_strangers_hand_costs_itself_only() -> None:
    """Promised as L1: no aliases, no tags, nothing is built of what it says."""
    text = "name: !!python/object:os.system x\nroots: &a\n  - *a\n- stray\nbogus\nremotes:\n  - github.com/a/b\n"
    project = parse_project("p", text)
    assert project.remotes == ["github.com/a/b"]


def test_a_part_holds_what_is_below_it() -> None:
    assert stands_in("", "any/where")
    assert stands_in("services/api", "services/api/src")
    assert not stands_in("services/api", "services/apix")


@given(st.text())
def test_any_path_is_one_word_of_a_line(text: str) -> None:
    word = escaped(text)
    assert unescaped(word) == text
    assert not set(word) & set(" \n\r\t")


def test_a_place_reads_back_whatever_its_letters(tmp_path: Path) -> None:
    known = Known("/s tore", "/项 目/.git", True, "1.2/3.4", {"a-1": "ser vices/api", "b-2": ""})
    (tmp_path / "places").write_text(known.line() + "\nnonsense\n", encoding="utf-8")
    (again,) = read_places(str(tmp_path))
    assert (again.store, again.key, again.parts) == (known.store, known.key, known.parts)
