"""What a person reads who syncs: every sentence, exit code and JSON shape."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gitmem.history.remote_config import configure_merge_driver
from tests.cli.conftest import ROOT, Gm, Said

Git = object


class Two:
    """Two people with a home each, and a hub."""

    def __init__(self, top: Path) -> None:
        self.top, self.hub = top, top / "hub.git"
        for who in ("ada", "bo"):
            (top / who).mkdir()
            (top / who / ".gitconfig").write_text(f"[user]\n\tname = {who}\n\temail = {who}@example.org\n")
        self.git("ada", "init", "-q", "--bare", "--initial-branch=main", str(self.hub))

    def store(self, who: str) -> Path:
        return self.top / who / ".gitmem/memory"

    def environ(self, who: str) -> dict[str, str]:
        home = str(self.top / who)
        return {**os.environ, "HOME": home, "USERPROFILE": home, "PYTHONPATH": str(ROOT)}

    def git(self, who: str, *words: str, cwd: Path | None = None) -> str:
        done = subprocess.run(
            ["git", *words], cwd=cwd or self.top, env=self.environ(who), capture_output=True, text=True, check=False
        )
        return done.stdout

    def gm(self, who: str, *words: str) -> Said:
        done = subprocess.run(
            [sys.executable, "-m", "gitmem", *words], cwd=self.top, env=self.environ(who), capture_output=True,
            check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        said = Said(done.returncode, done.stdout.decode(), done.stderr.decode())
        assert "Traceback" not in said.out + said.err
        return said


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path)


@pytest.fixture
def synced(two: Two) -> Two:
    """Both have the store."""
    two.gm("ada", "remember", "the release goes out on Tuesdays", "--name", "release")
    two.gm("ada", "remote", "add", "origin", str(two.hub))
    two.gm("ada", "sync")
    two.gm("bo", "clone", str(two.hub))
    return two


def test_a_first_sync_and_a_clone_read_well(two: Two) -> None:
    two.gm("ada", "remember", "the release goes out on Tuesdays", "--name", "release")
    said = two.gm("ada", "sync")
    assert (said.code, said.err) == (
        1,
        "error: this store has no remote to sync with\n"
        "  hint: gitmem remote add origin URL   (any git host, or a path)\n",
    )
    said = two.gm("ada", "remote", "add", "origin", "hub.git")
    assert (said.code, said.out) == (0, f"added origin, {two.hub}\nnext: gitmem sync\n"), "the whole path is kept"
    said = two.gm("ada", "remote", "list")
    assert said.out == f"origin  {two.hub}  never synced\n"
    said = two.gm("ada", "sync")
    assert (said.code, said.out, said.err) == (0, f"synced with origin ({two.hub}): 2 commits sent\n", "")
    said = two.gm("ada", "sync")
    assert said.out == f"up to date with origin ({two.hub})\n"
    said = two.gm("bo", "clone", "hub.git")
    assert said.out == (
        "cloned ~/.gitmem/memory, branch main: 1 memory\n"
        "next: gitmem install claude-code   (and gitmem sync, whenever you like)\n"
    )
    assert "Tuesdays" in two.gm("bo", "show", "release").out
    said = two.gm("bo", "clone", "hub.git")
    assert said.code == 1
    assert "there is a store at" in said.err
    assert "hint: gitmem remote add origin" in said.err


def test_a_conflict_is_named_with_the_command_that_settles_it(synced: Two) -> None:
    """Fault F60: the exit code tells."""
    for who, day in (("ada", "Mondays"), ("bo", "Fridays")):
        path = synced.store(who) / "release.md"
        path.write_text(path.read_text().replace("Tuesdays", day))
    assert synced.gm("ada", "sync").code == 0
    said = synced.gm("bo", "sync")
    assert said.code == 4
    assert said.err == "your own edit of release.md was committed\n"
    first, line, ways, last = said.out.splitlines()
    assert first == f"synced with origin ({synced.hub}): 1 commit received, 2 commits sent"
    name = line.split()[1].rstrip(":")
    stands = "ada" if "Mondays" in (synced.store("bo") / "release.md").read_text() else "bo"
    other = "bo" if stands == "ada" else "ada"
    sides = f"the file has {stands}'s text (--ours); {other}'s is kept (--theirs)"
    assert line == f"conflict {name}: release.md: the description and the body differ; {sides}"
    resolve = f"gitmem conflict resolve {name}"
    assert ways == f"  look: gitmem conflict show {name}   settle: {resolve} --ours | --theirs | --both"
    assert last == "1 conflict is open, both texts kept; see them: gitmem conflict list"
    for state in ("up to date with", "there is no git repository at"):
        again = synced.gm("bo", "sync")
        assert (again.code, again.out.splitlines()[-1]) == (4, last), "said as long as it is open"
        assert again.out.startswith(state)
        assert synced.gm("bo", "sync", "--json").json["open_conflicts"] == 1
        if state == "up to date with":
            synced.hub.rename(synced.top / "away.git")
    (synced.top / "away.git").rename(synced.hub)
    elsewhere = synced.top / "elsewhere"
    (synced.store("bo")).rename(elsewhere)
    said = synced.gm("bo", "sync", "--store", str(elsewhere))
    assert said.out.splitlines()[-1] == f"{last} --store {elsewhere}", "the command works as it is typed"
    said = synced.gm("bo", "conflict", "show", name, "--store", str(elsewhere))
    assert f"{resolve} --store {elsewhere} --ours | --theirs | --both | --body-file FILE" in said.out
    elsewhere.rename(synced.store("bo"))
    assert synced.gm("ada", "sync").out.splitlines()[1] == line
    for who in ("ada", "bo"):
        (listed,) = synced.gm(who, "conflict", "list").out.splitlines()
        assert listed.startswith(f"{name}  release.md  {sides}, 20")
        assert listed.endswith("Z  (the description and the body differ)")
        asked = synced.gm(who, "conflict", "resolve", name)
        assert asked.code == 2
        assert f"--body-file FILE, one of them; {sides}\n" in asked.err
    status = synced.gm("ada", "status").out
    assert "1 conflict open, both texts kept; settle them: gitmem conflict list" in status
    assert synced.gm("ada", "conflict", "resolve", name, "--theirs").code == 0
    synced.gm("ada", "sync")
    said = synced.gm("bo", "sync")
    assert (said.code, said.out.splitlines()[1:]) == (0, ["1 conflict was settled there: release.md"])
    assert synced.gm("bo", "conflict", "list", "--json").json == {"conflicts": []}


def test_of_many_conflicts_the_first_ones_are_named_and_so_is_what_was_settled(synced: Two) -> None:
    names = [f"fact{number}" for number in range(7)]
    for name in names:
        synced.gm("ada", "remember", f"{name} is one", "--name", name)
    synced.gm("ada", "sync")
    synced.gm("bo", "sync")
    for who in ("ada", "bo"):
        for name in names:
            path = synced.store(who) / f"{name}.md"
            path.write_text(path.read_text().replace("is one", f"is {who}'s"))
    synced.gm("ada", "sync")
    lines = synced.gm("bo", "sync").out.splitlines()
    assert sum(line.startswith("conflict ") for line in lines) == 5
    assert lines[-2:] == ["and 2 more", "7 conflicts are open, both texts kept; see them: gitmem conflict list"]
    for name in names:
        synced.gm("bo", "conflict", "resolve", name, "--ours")
    shape = synced.gm("ada", "sync", "--json").json
    assert (shape["open_conflicts"], shape["settled"]) == (7, [])
    synced.gm("bo", "sync")
    shape = synced.gm("ada", "sync", "--json").json
    assert (shape["open_conflicts"], sorted(shape["settled"])) == (0, [f"{name}.md" for name in names])


def test_an_archiving_is_shown_as_what_it_is(synced: Two) -> None:
    """The lines that archiving puts into the head are no difference for a person to weigh."""
    synced.gm("ada", "archive", "release", "--reason", "no longer")
    synced.gm("bo", "edit", "release", "--body", "the release goes out daily")
    synced.gm("ada", "sync")
    said = synced.gm("bo", "sync")
    assert "the file has bo's text (--ours); ada archived it (--theirs)" in said.out
    said = synced.gm("bo", "conflict", "show", "release")
    head, _, rest = said.out.partition("\n--theirs: ada archived it, 20")
    assert rest.splitlines()[0].endswith(": no longer")
    assert "archive_" not in said.out
    assert "  as both started from\n" in rest
    assert "+the release goes out daily" in head
    texts = synced.gm("bo", "conflict", "show", "release", "--json").json["texts"]
    assert "archive_reason" in texts["theirs"], "a program gets the whole of it"
    done = synced.gm("bo", "conflict", "resolve", "release", "--theirs")
    assert done.out == "archive/release.md: archived, as was wanted\n"


def test_the_json_of_a_sync(synced: Two) -> None:
    synced.gm("ada", "remember", "one more", "--name", "more")
    shape = synced.gm("ada", "sync", "--json").json
    assert set(shape) == {
        "remote", "url", "branch", "state", "commit", "received", "sent", "waiting", "conflicts", "hand_edits",
        "held_back", "reached", "failing_since", "notes", "open_conflicts", "reason", "settled",
    }  # fmt: skip
    assert (shape["state"], shape["sent"], shape["received"], shape["remote"]) == ("synced", 1, 0, "origin")
    assert (shape["reason"], shape["failing_since"]) == ("", "")
    synced.hub.rename(synced.top / "away.git")
    shape = synced.gm("ada", "sync", "--json").json
    assert (shape["state"], shape["reason"]) == ("offline", f"there is no git repository at {synced.hub}")
    assert shape["failing_since"].startswith("20")
    assert synced.gm("ada", "sync", "--json").json["failing_since"] == shape["failing_since"]


def test_status_shows_every_machine_and_keeps_its_fields(synced: Two) -> None:
    """Promised as C7."""
    synced.gm("bo", "sync")
    synced.gm("ada", "sync")
    shape = synced.gm("ada", "status", "--json").json
    assert {"store", "branch", "head", "memories", "index", "skipped", "operation"} <= set(shape)
    assert [(each["name"], each["ahead"], each["behind"], each["trouble"]) for each in shape["remotes"]] == [
        ("origin", 0, 0, "")
    ]
    assert sorted(each["this"] for each in shape["machines"]) == [False, True]
    lines = synced.gm("ada", "status").out.splitlines()
    assert any(line.startswith(f"remote origin ({synced.hub}): last synced 20") for line in lines)
    assert sum(line.startswith("machine ") and "today, 0 ahead, 0 behind" in line for line in lines) == 2
    assert sum("(this one)" in line for line in lines) == 1


def test_status_of_a_store_that_is_alone_says_nothing_of_machines(two: Two) -> None:
    two.gm("ada", "remember", "alone", "--name", "alone")
    assert "machine" not in two.gm("ada", "status").out
    assert two.gm("ada", "status", "--json").json["remotes"] == []


def test_remotes_are_taken_out_again(synced: Two) -> None:
    said = synced.gm("ada", "remote", "remove", "origin")
    assert said.out == f"removed origin\nback again: gitmem remote add origin {synced.hub}\n"
    said = synced.gm("ada", "remote", "list")
    assert (said.code, said.out) == (0, "\n") or said.out == ""
    assert said.err.startswith("no remotes yet; add one: gitmem remote add origin URL")
    said = synced.gm("ada", "remote", "remove", "origin")
    assert (said.code, said.err.splitlines()[0]) == (
        1, 'error: there is no remote called "origin"; there is none yet',
    )  # fmt: skip


def test_a_second_remote_is_told_with_the_command_that_goes_there(synced: Two) -> None:
    second, third = str(synced.top / "second.git"), str(synced.top / "third.git")
    said = synced.gm("ada", "remote", "add", "second", second)
    assert said.out == f"added second, {second}\nnext: gitmem sync second\n"
    assert synced.gm("ada", "remote", "add", "origin", str(synced.hub)).out.endswith("\nnext: gitmem sync\n")
    synced.gm("ada", "remote", "remove", "origin")
    assert synced.gm("ada", "remote", "add", "third", third).out.endswith("\nnext: gitmem sync third\n"), (
        "none is meant"
    )
    lines = synced.gm("ada", "status").out.splitlines()
    assert f"remote second ({second}): never synced; type: gitmem sync second" in lines
    synced.gm("ada", "sync", "second")
    (line,) = [line for line in synced.gm("ada", "status").out.splitlines() if line.startswith("remote second")]
    start, _, rest = line.partition("; failing since 20")
    assert start == "remote second: never synced"
    assert rest.endswith(f"Z: there is no git repository at {second}; type: gitmem sync second")


def test_a_url_that_could_start_a_program_is_refused_in_a_sentence(two: Two) -> None:
    two.gm("ada", "remember", "x", "--name", "x")
    said = two.gm("ada", "remote", "add", "origin", f"ext::sh -c 'touch {two.top}/ran'")
    assert said.code == 1
    assert "is no place gitmem syncs with" in said.err
    two.git("ada", "config", "remote.evil.url", f"ext::touch {two.top}/ran", cwd=two.store("ada"))
    assert two.gm("ada", "sync", "evil").code == 1
    assert not (two.top / "ran").exists()


def test_a_failed_sync_says_what_and_what_next(synced: Two) -> None:
    synced.git("ada", "config", "remote.origin.url", f"{synced.top}/none.git", cwd=synced.store("ada"))
    said = synced.gm("ada", "sync")
    assert (said.code, said.err) == (
        1,
        f"error: there is no git repository at {synced.top}/none.git\n  hint: is the place right? gitmem remote list   "
        f"(to make a hub there, type git init --bare {synced.top}/none.git)\n",
    )
    assert "failing since" in synced.gm("ada", "status").out


def test_a_hub_that_was_reached_and_is_gone_is_away(synced: Two) -> None:
    """A disk that is not mounted: nobody is told to make a second hub at its mount point."""
    synced.hub.rename(synced.top / "away.git")
    said = synced.gm("ada", "sync")
    assert said.code == 0
    assert said.out.startswith(f"there is no git repository at {synced.hub}\nsaved here; 0 commits wait. Not reached ")
    assert "git init" not in said.out + said.err
    (line,) = [line for line in synced.gm("ada", "status").out.splitlines() if line.startswith("remote ")]
    assert line.startswith("remote origin: last synced 20")
    assert ", 0 ahead, 0 behind; failing since 20" in line
    assert line.count(str(synced.hub)) == 1


@pytest.mark.parametrize("same", [False, True])
def test_plain_git_pull_with_the_merge_driver_comes_to_what_sync_comes_to(synced: Two, same: bool) -> None:
    """Promised as C6: byte for byte."""
    driver = f"'{sys.executable}' -m gitmem merge-driver %O %A %B %P"
    attributes = synced.store("ada") / ".gitattributes"
    attributes.write_text(attributes.read_text() + "*.md merge=gitmem\n")
    synced.git("ada", "commit", "-qam", "driver", cwd=synced.store("ada"))
    synced.gm("ada", "sync")
    synced.gm("bo", "sync")
    configure_merge_driver(str(synced.store("bo")), driver)
    synced.gm("ada", "remember", "by ada", "--name", "one")
    synced.gm("bo", "remember", "by bo", "--name", "two")
    synced.gm("ada", "edit", "release", "--set", "tags=a")
    synced.gm("bo", "edit", "release", "--set", "tags=b" if same else "description=new")
    if same:
        for who, day in (("ada", "Mondays"), ("bo", "Fridays")):
            path = synced.store(who) / "release.md"
            path.write_text(path.read_text().replace("Tuesdays", day))
            synced.git(who, "commit", "-qam", day, cwd=synced.store(who))
    synced.gm("ada", "sync")
    plain = synced.top / "plain"
    subprocess.run(["cp", "-r", str(synced.store("bo")), str(plain)], check=True)
    synced.git("bo", "pull", "-q", "--no-rebase", "--no-edit", cwd=plain)
    assert synced.gm("bo", "sync").code == (4 if same else 0)
    for name in ("MEMORY.md", "release.md", "one.md", "two.md"):
        assert (plain / name).read_bytes() == (synced.store("bo") / name).read_bytes()
        assert b"<<<<<<<" not in (plain / name).read_bytes()
    refs = [
        synced.git("bo", "for-each-ref", "--format=%(refname)", "refs/gitmem/conflicts", cwd=each)
        for each in (plain, synced.store("bo"))
    ]
    assert refs[0] == refs[1]
    assert bool(refs[0]) == same
    assert bool(synced.git("bo", "ls-files", "-u", cwd=plain)) == same


def test_the_merge_driver_is_no_word_of_the_help(two: Two) -> None:
    assert "merge-driver" not in two.gm("ada", "--help").out


def test_json_of_an_error_is_on_stdout(two: Two) -> None:
    two.gm("ada", "remember", "x", "--name", "x")
    said = two.gm("ada", "sync", "--json")
    assert said.code == 1
    assert json.loads(said.out)["error"]["code"] == "not-found"


def test_a_clone_of_nothing_yet_makes_a_store_that_sync_sends(two: Two, gm: Gm) -> None:
    said = two.gm("ada", "clone", str(two.hub))
    assert said.code == 0
    assert f"{two.hub} is empty: a new store was made, which `gitmem sync` sends there" in said.err
    assert two.gm("ada", "sync").code == 0
    assert two.gm("bo", "clone", str(two.hub)).out.startswith("cloned ~/.gitmem/memory, branch main: 0 memories")


def test_a_remote_of_another_name_and_a_path_that_was_forgotten(synced: Two) -> None:
    said = synced.gm("ada", "remote", "remove", "nope")
    assert said.err == ('error: there is no remote called "nope"; there are: origin\n  hint: gitmem remote list\n')
    said = synced.gm("ada", "remote", "add", "t", "git@example.org")
    assert said.err == (
        "error: git@example.org names a host and a person, and no path there\n"
        "  hint: git@example.org:PATH   (or ./git@example.org for a folder of that name)\n"
    )


def test_status_tells_of_a_merge_that_is_not_finished_and_of_a_side_branch(synced: Two) -> None:
    """What a sync would refuse stands in the status, with the command that settles it."""
    store, path = synced.store("ada"), synced.store("ada") / "release.md"
    text = path.read_text()
    for day, words in (("Mondays", ["stash", "-q"]), ("Fridays", ["commit", "-qam", "mine"])):
        path.write_text(text.replace("Tuesdays", day))
        synced.git("ada", *words, cwd=store)
    synced.git("ada", "stash", "pop", "-q", cwd=store)
    said = synced.gm("ada", "status")
    line = (
        "a merge is not finished: release.md is unmerged in git's index, so nothing is synced; choose the text that "
        f"stays, then: git -C {store} add -- release.md && gitmem sync"
    )
    assert line in said.out.splitlines()
    assert synced.gm("ada", "status", "--json").json["unmerged"] == ["release.md"]
    synced.git("ada", "reset", "-q", "--hard", cwd=store)
    synced.git("ada", "pull", "-q", "--no-rebase", cwd=store)
    synced.git("ada", "switch", "-q", "-c", "try", cwd=store)
    said = synced.gm("ada", "status")
    assert "; the branch try is checked out, and it is main that goes with origin: a side branch " in said.out
    assert f"type: git -C {store} switch main && gitmem sync origin   (to share try as a branch of its own" in said.out
    synced.git("ada", "switch", "-q", "main", cwd=store)
    path.write_text(text.replace("Tuesdays", "Sundays"))
    synced.gm("ada", "sync")
    for who, day in (("bo", "Saturdays"),):
        other = synced.store(who) / "release.md"
        other.write_text(other.read_text().replace("Tuesdays", day))
        synced.git(who, "commit", "-qam", day, cwd=synced.store(who))
        synced.git(who, "pull", "-q", "--no-rebase", cwd=synced.store(who))
    said = synced.gm("bo", "status")
    assert "a merge is under way, and release.md is unmerged in git's index, so nothing is written; " in said.out
    assert said.out.count("add -- release.md && ") == 1
    assert "merge --abort" in said.out


@pytest.fixture
def driven(synced: Two) -> Two:
    """Both have changed one sentence; ada's is on the hub, bo's is committed, and bo's git merges by meaning."""
    driver = f"'{sys.executable}' -m gitmem merge-driver %O %A %B %P"
    configure_merge_driver(str(synced.store("bo")), driver)
    (synced.store("bo") / ".git/info/attributes").write_text("*.md merge=gitmem\n")
    for who, day in (("bo", "Fridays"), ("ada", "Wednesdays")):  # what stands is told by the texts: ada's
        path = synced.store(who) / "release.md"
        path.write_text(path.read_text().replace("Tuesdays", day))
        synced.git(who, "commit", "-qam", day, cwd=synced.store(who))
    synced.gm("ada", "sync")
    return synced


def test_a_rebase_names_whose_text_is_kept_and_that_the_commit_goes(driven: Two) -> None:
    """git swaps the sides of a rebase: "theirs" is the person's own commit."""
    store = driven.store("bo")
    done = subprocess.run(
        ["git", "pull", "--rebase"], cwd=store, env=driven.environ("bo"), capture_output=True, text=True, check=False
    )
    assert "then: git add and git rebase --continue; later: gitmem conflict show" in done.stderr
    assert "release.md stays as it is below your commit, whose text is in the conflict alone; git drops" in done.stderr
    sides = "the file has ada's text (--ours); bo's is kept (--theirs)"
    assert sides in driven.gm("bo", "conflict", "list").out
    driven.git("bo", "add", "release.md", cwd=store)
    driven.git("bo", "-c", "core.editor=true", "rebase", "--continue", cwd=store)
    assert sides in driven.gm("bo", "conflict", "list").out
    assert driven.gm("bo", "conflict", "resolve", "release", "--theirs").code == 0
    assert "Fridays" in (store / "release.md").read_text()


@pytest.mark.parametrize("way", ["merge", "rebase"])
def test_a_conflict_goes_with_the_merge_that_was_given_up(driven: Two, way: str) -> None:
    """Whose text the file has is never said wrong, and nothing is settled of a merge that never was."""
    store = driven.store("bo")
    driven.git("bo", "pull", "-q", f"--rebase={'true' if way == 'rebase' else 'false'}", cwd=store)
    shown = driven.gm("bo", "conflict", "show", "release").out
    assert "the file has ada's text (--ours); bo's is kept (--theirs)" in shown
    assert "changed since" not in shown
    assert driven.gm("bo", "conflict", "resolve", "release", "--theirs").code == 1
    driven.git("bo", way, "--abort", cwd=store)
    said = driven.gm("bo", "conflict", "resolve", "release", "--theirs")
    assert said.code == 1
    assert "went with the merge it arose in, which was given up" in said.err
    assert driven.git("bo", "for-each-ref", "refs/gitmem/conflicts", "refs/gitmem/merging", cwd=store) == ""
    driven.git("bo", "pull", "-q", f"--rebase={'true' if way == 'rebase' else 'false'}", cwd=store)
    driven.git("bo", way, "--abort", cwd=store)
    (store / "release.md").write_text((store / "release.md").read_text().replace("Fridays", "Sundays"))
    assert driven.gm("bo", "sync").code == 4
    (name,) = driven.git("bo", "for-each-ref", "--format=%(refname)", "refs/gitmem/conflicts", cwd=driven.hub).split()
    assert "Sundays" in driven.gm("bo", "conflict", "show", name).out
    (listed,) = driven.gm("bo", "conflict", "list").out.splitlines()
    assert "the file has ada's text (--ours); bo's is kept (--theirs)" in listed


def test_a_merge_that_was_made_keeps_its_conflict(driven: Two) -> None:
    store = driven.store("bo")
    driven.git("bo", "pull", "-q", "--no-rebase", cwd=store)
    driven.git("bo", "commit", "-qam", "merged", cwd=store)
    assert "1 conflict open" in driven.gm("bo", "status").out
    assert driven.gm("bo", "sync").code == driven.gm("ada", "sync").code == 4
    for who in ("ada", "bo"):
        assert "the file has ada's text (--ours); bo's is kept" in driven.gm(who, "conflict", "list").out
    assert driven.git("bo", "for-each-ref", "refs/gitmem/merging", cwd=store) == "", "the mark has done its work"
