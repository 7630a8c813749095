"""Two versions of one memory made one (merge/memory.py): what is kept, and what is a conflict."""

from __future__ import annotations

import pytest

from gitmem.limits import MAX_MEMORY_BYTES
from gitmem.memory.document import read_memory
from gitmem.memory.field import known
from gitmem.merge.memory import merge_memory
from gitmem.merge.merged import Merged
from tests.merge.cases import BASE, both_ways, edited

NEWER = (b"T10:00:00Z", b"T12:00:00Z")
NEWEST = (b"T10:00:00Z", b"T13:30:00+01:00")


def test_edits_in_different_fields_and_sections_merge_as_they_were_written() -> None:
    """Promised as C2: comments, quotes and order stay."""
    ours = edited(
        NEWER,
        (b"description: the steps", b'description: "the steps: in order"  # quoted'),
        (b"Back up", b"Always back up"),
    )
    theirs = edited(NEWEST, (b"trust: verified", b"trust: disputed\n  pinned: true"), (b"- two\n", b"- two\n- three\n"))
    wanted = edited(
        NEWEST,
        (b"description: the steps", b'description: "the steps: in order"  # quoted'),
        (b"Back up", b"Always back up"),
        (b"trust: verified", b"trust: disputed\n  pinned: true"),
        (b"- two\n", b"- two\n- three\n"),
    )
    assert both_ways(BASE, ours, theirs) == Merged(wanted)


def test_a_tag_that_one_side_removed_does_not_come_back() -> None:
    """Promised as F54."""
    merged = both_ways(BASE, edited((b"[a, b, c]", b"[a, c]")), edited((b"[a, b, c]", b"[a, b, c, d]")))
    assert merged == Merged(edited((b"[a, b, c]", b"[a, c, d]")))


def test_items_on_lines_of_their_own_keep_their_comments() -> None:
    """Promised as C2: sets by element, and A9: no word of a person is lost."""
    base = edited((b"tags: [a, b, c]\n", b"tags:\n  - a\n  # why b\n  - b  # here\n  - c\n"))
    ours = edited((b"  - a\n", b""), of=base)
    theirs = edited((b"  - c\n", b"  - c\n  # and d\n  - d # new\n"), of=base)
    wanted = edited((b"tags: [a, b, c]\n", b"tags:\n  # why b\n  - b  # here\n  - c\n  # and d\n  - d # new\n"))
    assert both_ways(base, ours, theirs) == Merged(wanted)


@pytest.mark.parametrize("style", [b"tags: a, b", b"tags: [a, b]", b"tags:\n  - a\n  - b"])
@pytest.mark.parametrize("other", [b"tags: a, b, d", b"tags: [a, b, d]", b"tags:\n- a\n- b\n- d"])
def test_sets_merge_in_whatever_style_they_are_written(style: bytes, other: bytes) -> None:
    """Promised as C2."""
    base = edited((b"tags: [a, b, c]", style))
    ours = edited((style, style.replace(b"a", b"x", 2).replace(b"txgs", b"tags")), of=base)
    merged = both_ways(base, ours, edited((style, other), of=base))
    assert set(known(read_memory("", merged.data)).tags) == {"x", "b", "d"}
    assert merged.conflicts == ()


def test_the_newest_time_stands_and_is_no_conflict() -> None:
    """Promised as C2; the clock of the zone counts, not the text."""
    assert both_ways(BASE, edited(NEWER), edited(NEWEST)).data == edited(NEWEST)
    modified = (b"  trust: verified", b"  trust: verified\n  modified: 2026-12-01T00:00:00.000Z")
    later = (b"  trust: verified", b"  trust: verified\n  modified: 2026-12-01T00:00:00.500Z")
    assert both_ways(BASE, edited(modified), edited(later)).conflicts == ()


def test_counters_add_what_each_side_counted() -> None:
    """Promised as C2; a word that is no number is a conflict."""
    base = edited((b"updated:", b"access_count: 10\nupdated:"))
    merged = both_ways(
        base, edited((b"count: 10", b"count: 12"), of=base), edited((b"count: 10", b"count: 15"), of=base)
    )
    assert merged == Merged(edited((b"count: 10", b"count: 17"), of=base))
    for name in (b"hits", b"useCount", b"use-count"):
        counted = [edited((b"updated:", name + b": " + number + b"\nupdated:")) for number in (b"1", b"2", b"4")]
        assert both_ways(*counted).data == edited((b"updated:", name + b": 5\nupdated:"))
    amount = [edited((b"updated:", b"discount: " + number + b"\nupdated:")) for number in (b"1", b"2", b"4")]
    assert both_ways(*amount).conflicts == ("field discount",)
    odd = both_ways(
        base, edited((b"count: 10", b"count: 12"), of=base), edited((b"count: 10", b"count: many"), of=base)
    )
    assert odd.conflicts == ("field access_count",)


def test_a_field_that_both_changed_keeps_the_newer_sides_text_and_is_told() -> None:
    """Promised as C3."""
    ours = edited((b"the steps", b"our steps"), (b"type: project ", b"type: user "))
    theirs = edited(
        NEWER, (b"the steps", b"their steps"), (b"type: project ", b"type: feedback "), (b"Then", b"And then")
    )
    merged = merge_memory(BASE, ours, theirs)
    assert merged.data == theirs
    assert merged.conflicts == ("field description", "field metadata.type")
    assert merged.kept == "theirs"
    assert both_ways(BASE, ours, theirs) == merged


def test_a_field_removed_on_one_side_and_changed_on_the_other_is_told() -> None:
    """Promised as C3."""
    ours = edited(NEWER, (b"description: the steps\n", b""))
    merged = both_ways(BASE, ours, edited((b"the steps", b"their steps")))
    assert merged.data == ours
    assert merged.conflicts == ("field description (changed on one side, removed on the other)",)


def test_the_same_side_stands_in_every_part_that_cannot_merge() -> None:
    """Promised as C3: one side's text, not a mixture of both."""
    ours = edited(NEWER, (b"the steps", b"our steps"), (b"Back up", b"We back up"))
    theirs = edited((b"the steps", b"their steps"), (b"Back up", b"They back up"), (b"text", b"more text"))
    merged = both_ways(BASE, ours, theirs)
    assert merged.data == edited((b"text", b"more text"), of=ours)
    assert merged.conflicts == ("field description", 'section "# Deploy"')


def test_an_unknown_field_merges_like_any_other() -> None:
    """Promised as C2 and A9."""
    ours = edited((b"updated:", b"custom: |\n  two\n\n  lines\nupdated:"))
    theirs = edited((b"  trust: verified\n", b"  trust: verified\n  deep:\n    x: 1\n    y: [NO, 1.10]\n"))
    merged = both_ways(BASE, ours, theirs)
    assert merged == Merged(
        edited((b"  trust: verified\n", b"  trust: verified\n  deep:\n    x: 1\n    y: [NO, 1.10]\n"), of=ours)
    )


def test_a_field_moved_by_one_side_does_not_stand_twice() -> None:
    """Promised as F13: a text merge adds a moved line again."""
    ours = edited((b"description: the steps\n", b""), (b"metadata:", b"description: the steps\nmetadata:"))
    theirs = edited((b"the steps", b"the right steps"))
    merged = both_ways(BASE, ours, theirs)
    assert merged == Merged(edited((b"the steps", b"the right steps"), of=ours))
    assert not read_memory("", merged.data).findings


def test_a_head_with_a_field_no_yaml_reads_merges_by_field() -> None:
    """Promised as F01: the merge reads as the store reads."""
    ours = edited((b"the steps", b"Deploy: use blue slot"))
    merged = both_ways(BASE, ours, edited((b"[a, b, c]", b"[a, b]"), NEWER))
    assert merged == Merged(edited((b"[a, b, c]", b"[a, b]"), NEWER, of=ours))


def test_a_repaired_head_is_never_stacked_on_the_broken_one() -> None:
    """Promised as F11."""
    broken = edited((b"trust: verified\n---\n", b"trust: verified\n"))
    theirs = edited((b"- two\n", b"- two\n- three\n"), of=broken)
    merged = both_ways(broken, BASE, theirs)
    assert merged.data in (BASE, theirs)
    assert merged.conflicts == ("the whole text",)


def test_a_head_only_one_side_has_is_taken() -> None:
    """Promised as C2."""
    body = b"\nBack up first.\n"
    head = b"---\nname: x\n---\n"
    assert both_ways(body, head + body, body + b"\nMore.\n") == Merged(head + body + b"\nMore.\n")
    both = both_ways(body, b"---\nname: x\n---\n" + body, b"---\nname: x\ntype: user\n---\n" + body)
    assert both == Merged(b"---\nname: x\ntype: user\n---\n" + body)


def test_paragraphs_both_put_in_at_one_place_are_both_kept_and_equal_ones_once() -> None:
    """Promised as C2: the older side's first."""
    ours = edited((b"Then migrate.\n", b"Then migrate.\n\nSame.\n\nOurs.\n"))
    theirs = edited(NEWER, (b"Then migrate.\n", b"Then migrate.\n\nSame.\n\nTheirs.\n"))
    wanted = edited(NEWER, (b"Then migrate.\n", b"Then migrate.\n\nSame.\n\nOurs.\n\nTheirs.\n"))
    assert both_ways(BASE, ours, theirs) == Merged(wanted)


def test_neighbouring_paragraphs_and_list_items_merge_apart() -> None:
    """Promised as C2: a text merge calls neighbours a conflict."""
    ours = edited((b"Back up first.", b"Back up twice."), (b"- one", b"- one, or more"))
    theirs = edited((b"Then migrate.", b"Then migrate slowly."), (b"- two\n", b"- two\n- three\n"))
    wanted = edited(
        (b"Back up first.", b"Back up twice."),
        (b"- one", b"- one, or more"),
        (b"Then migrate.", b"Then migrate slowly."),
        (b"- two\n", b"- two\n- three\n"),
    )
    assert both_ways(BASE, ours, theirs) == Merged(wanted)


def test_one_paragraph_changed_and_removed_is_a_conflict() -> None:
    """Promised as C3."""
    merged = both_ways(
        BASE, edited(NEWER, (b"Then migrate.\n\n", b"")), edited((b"Then migrate.", b"Then migrate it."))
    )
    assert merged == Merged(edited(NEWER, (b"Then migrate.\n\n", b"")), ('section "# Deploy"',), merged.kept)


def test_sections_both_added_are_both_kept_and_one_address_once() -> None:
    """Promised as C2."""
    ours = BASE + b"\n## New\n\nours\n\n## Ours\n\nx\n"
    theirs = BASE + b"\n## New\n\ntheirs\n\n## Theirs\n\ny\n"
    text = both_ways(BASE, ours, theirs).data.decode()
    assert text.count("## New") == 1
    assert all(text.count(word) == 1 for word in ("\nours\n", "\ntheirs\n", "## Ours", "## Theirs"))


def test_a_renamed_heading_takes_the_other_sides_edit() -> None:
    """Promised as C2."""
    merged = both_ways(BASE, edited((b"## Order", b"## The right order")), edited((b"- two", b"- two, slowly")))
    assert merged == Merged(edited((b"## Order", b"## The right order"), (b"- two", b"- two, slowly")))
    above = both_ways(BASE, edited((b"# Deploy\n", b"# Release\n")), edited((b"- two", b"- two, slowly")))
    assert above == Merged(edited((b"# Deploy\n", b"# Release\n"), (b"- two", b"- two, slowly")))


def test_a_moved_section_takes_the_other_sides_edit() -> None:
    """Promised as C2."""
    order, other = b"## Order\n\n- one\n- two\n", b"## Other\n\ntext\n"
    ours = edited((order + b"\n" + other, other + b"\n" + order))
    merged = both_ways(BASE, ours, edited((b"- two", b"- two, slowly")))
    assert merged == Merged(edited((b"- two", b"- two, slowly"), of=ours))


def test_a_section_removed_on_one_side_and_changed_or_added_to_on_the_other_is_a_conflict() -> None:
    """Promised as C3."""
    ours = edited(NEWER, (b"## Order\n\n- one\n- two\n\n", b""))
    for change in ((b"- two\n", b"- three\n"), (b"- two\n", b"- two\n\n### Detail\n\nnew\n")):
        merged = both_ways(BASE, ours, edited(change))
        assert merged.data == ours
        assert merged.conflicts == ('section "# Deploy > ## Order" (changed on one side, removed on the other)',)


def test_a_code_fence_is_one_paragraph() -> None:
    """Promised as C2: a heading in code is no section."""
    base = edited((b"text\n", b"```sh\n# build\n\nmake\n```\n"))
    ours = edited((b"make\n", b"make all\n"), of=base)
    assert both_ways(base, ours, edited((b"# build", b"# rebuild"), of=base)).conflicts == (
        'section "# Deploy > ## Other"',
    )
    assert both_ways(base, ours, edited((b"- two", b"- three"), of=base)) == Merged(
        edited((b"- two", b"- three"), of=ours)
    )


def test_text_that_holds_conflict_markers_merges_as_any_other_and_none_is_made() -> None:
    """Promised as F60."""
    markers = b"<<<<<<< ours\nx\n=======\ny\n>>>>>>> theirs\n"
    base = edited((b"text\n", b"text\n\n" + markers))
    merged = both_ways(base, edited((b"- two", b"- 2"), of=base), edited((b"- one", b"- 1"), of=base))
    assert merged == Merged(edited((b"- two", b"- 2"), (b"- one", b"- 1"), of=base))
    clash = both_ways(BASE, edited((b"Back up", b"We back up")), edited((b"Back up", b"They back up")))
    assert b"<<<<<<<" not in clash.data
    assert b"=======" not in clash.data


def test_both_sides_made_the_memory() -> None:
    """Promised as F38: joined with an empty base, nothing lost."""
    ours = edited((b"text\n", b"text\n\nours\n"))
    merged = both_ways(None, ours, edited(NEWER, (b"- two", b"- zwei")))
    assert {b"- two", b"- zwei", b"ours"} <= set(merged.data.split(b"\n"))
    assert merge_memory(None, BASE, BASE) == Merged(BASE)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-be"])
def test_a_side_saved_in_another_encoding_is_no_conflict_and_keeps_it(encoding: str) -> None:
    """Promised as F06."""
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    ours = mark + edited((b"text", "语文".encode())).decode().replace("\n", "\r\n").encode(encoding)
    merged = both_ways(BASE, ours, edited((b"- two", b"- drei")))
    assert merged.conflicts == ()
    assert (
        merged.data == ours.replace("- two".encode(encoding)[-10:], "- drei".encode(encoding)[-12:])
        or encoding != "utf-16-be"
    )
    assert read_memory("", merged.data).text == edited(
        (b"text", "语文".encode()), (b"- two", b"- drei")
    ).decode().replace("\n", "\r\n")


def test_bytes_that_are_no_utf8_come_back_as_they_were() -> None:
    """Promised as A9."""
    base = edited((b"text", b"caf\xe9 \xff"))
    merged = both_ways(base, edited((b"- two", b"- 2"), of=base), edited((b"- one", b"- 1"), of=base))
    assert merged == Merged(edited((b"- two", b"- 2"), (b"- one", b"- 1"), of=base))


def test_damaged_utf16_is_kept_whole() -> None:
    """Promised as C3."""
    damaged = "---\nname: x\n---\nbody\n".encode("utf-16")[:-1]
    merged = both_ways(BASE, damaged, edited((b"text", b"more")))
    assert merged.conflicts == ("the whole text",)
    assert merged.data in (damaged, edited((b"text", b"more")))


def test_two_texts_too_big_together_are_not_joined() -> None:
    """Promised as A10."""
    half = b"word " * (MAX_MEMORY_BYTES // 10 + 100)
    merged = both_ways(BASE, BASE + b"\nA" + half + b"\n", BASE + b"\nB" + half + b"\n")
    assert merged.conflicts == ("the whole text (both together are above 512 KiB)",)


def test_comments_both_sides_wrote_at_one_field_are_kept_or_told() -> None:
    """Promised as A9: a comment is a person's words."""
    above = both_ways(
        BASE,
        edited((b"# read this first\n", b"# read this first\n# ours\n")),
        edited((b"# read this first\n", b"# read this first\n# theirs\n")),
    )
    assert above.conflicts == ()
    assert {b"# ours", b"# theirs"} <= set(above.data.split(b"\n"))
    behind = both_ways(
        BASE, edited((b"[a, b, c]", b"[a, b]  # ours")), edited((b"[a, b, c]", b"[a, b, c, d]  # theirs"))
    )
    assert behind.conflicts == ("the comment at field tags",)


def test_both_sides_archived_it_and_the_reason_that_was_given_stands() -> None:
    """The earlier time; words that gitmem put there itself yield."""
    one = edited((b"metadata:\n", b"archived_at: 2026-11-30 10:04\narchive_reason: archived by hand\nmetadata:\n"))
    two = edited((b"metadata:\n", b"archived_at: 2026-11-30 10:09\narchive_reason: replaced\nmetadata:\n"))
    merged = both_ways(BASE, one, two)
    assert merged.conflicts == ()
    assert b"archived_at: 2026-11-30 10:04\narchive_reason: replaced\n" in merged.data
