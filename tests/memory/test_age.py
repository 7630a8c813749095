"""The age of a memory, from its own words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.memory.age import age_days, is_day, iso, unix_seconds

NOON = int(datetime(2026, 12, 5, 12, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    "updated",
    [
        "2026-11-30",
        "2026-11-30T10:04:00+08:00",
        "2026-11-30T02:04:00Z",
        "2026-11-30t02:04:00z",
        "2026-11-30T02:04:00.123Z",
        "2026-11-30T02:04:00,123456Z",
        "2026-11-30 10:04",
        "2026-11-30 10:04:00",
        "2026-11-30 10:04:00 +0800",
        "2026-11-30T10:04+08",
        ' "2026-11-30" ',
        "2026/11/30",
        "2026/11/30 10:04",
    ],
)
def test_every_form_people_and_tools_write_is_read(updated: str) -> None:
    """Promised as A2: Claude Code writes milliseconds."""
    assert age_days(updated, NOON) == 5


@pytest.mark.parametrize(
    "updated",
    ["", "yesterday", "2026-13-01", "2026-02-31", "2026-00-10", "30.11.2026", "2026-11-30Tx", "2026-11-30T25:00",
     "2026-11-30T10:61", "2026-11-30T10:04:00+8", "2026-11-30T10", "2026-11-30T10:04:00.Z", "２０２６-11-30",
     "01.11.2026", "1/11/2026", "2026/11-30", "26-1-3", "2026-001-3", "20261130", "2026-11-30junk",
     "2026-11-30T10:04:00+"],
)  # fmt: skip
def test_what_is_no_date_has_no_age(updated: str) -> None:
    """Unknown gives no mark."""
    assert age_days(updated, NOON) is None


def test_the_future_is_today() -> None:
    assert age_days("2031-01-01", NOON) == 0


def test_a_zone_counts() -> None:
    """``updated`` carries the writer's offset."""
    assert unix_seconds("2026-11-30T10:04:00+08:00") == unix_seconds("2026-11-30T02:04:00Z")
    assert unix_seconds("2026-11-30T00:04:00-03:30") == unix_seconds("2026-11-30T03:34:00Z")


@given(st.datetimes(datetime(1900, 1, 1), datetime(2999, 12, 31)), st.integers(-14 * 60, 14 * 60))
def test_the_small_calendar_agrees_with_the_standard_library(moment: datetime, minutes: int) -> None:
    """The reason for an own one is import time alone."""
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert unix_seconds(aware.isoformat()) == int((aware - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(seconds=1))


@given(
    st.sampled_from(["2026-11-30", "2026-11-30T02:04:00Z"]),
    st.lists(st.tuples(st.integers(0, 19), st.sampled_from("0123456789-T:Z +.²/")), max_size=3),
)
def test_the_usual_form_is_read_as_every_other_is(text: str, changes: list[tuple[int, str]]) -> None:
    """It has a way of its own, since a build reads one in each memory."""
    for at, sign in changes:
        if at < len(text):
            text = text[:at] + sign + text[at + 1 :]
    assert unix_seconds(text) == unix_seconds(f"  {text}")


@given(st.integers(0, 32_000_000_000))
def test_what_is_written_is_read_back(when: int) -> None:
    assert unix_seconds(iso(when)) == when
    assert iso(when) == datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@given(st.text(max_size=40))
def test_no_text_breaks_the_reader(text: str) -> None:
    """Mixed types never crash."""
    days = age_days(text, NOON)
    assert days is None or days >= 0


def test_a_date_without_its_zeros_is_a_date() -> None:
    """A memory that should have expired years ago must not be recalled because of a missing zero."""
    assert unix_seconds("2026-1-3") == unix_seconds("2026/01/03") == unix_seconds("2026-01-03")
    assert [is_day(text) for text in ("2026-1-3", " '2026/01/03' ", "2026-01-03T10:00Z", "2026-1-3 10:00")] == [
        True,
        True,
        False,
        False,
    ]
