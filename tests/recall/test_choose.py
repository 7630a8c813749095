"""What a prompt is given and what it is not (E1-E4, E6, F3)."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from gitmem.recall.choose import recall, search, why
from gitmem.write.index import refresh
from tests.recall.conftest import WHEN, Write


def paths(store: Path, question: str) -> list[str]:
    return [hit.path for hit in recall(str(store), question, WHEN).hits]


@pytest.fixture
def work(store: Path, write: Write) -> Path:
    """A dozen memories of everyday work, indexed."""
    write(
        "migrations", "Take a backup before a database migration runs; the lock is `pg_advisory_lock`.", name="backups"
    )
    write("数据库", "数据库迁移前先备份，否则无法恢复。", name="数据库迁移")
    write("pnpm", "Use pnpm in this repository, never npm install.", name="package manager", tags="[tooling, build]")
    write(
        "payments",
        "PaymentClient.charge_card is not retried on HTTP500, the gateway is not idempotent.",
        name="retries",
    )
    write("cat", "My cat is called Zhima and likes sunbathing.", name="cat")
    write("deploy", "Deploys to production happen Monday to Thursday.", name="window", aliases="[release train, 上线]")
    write("editor", "The user edits with tabs of four columns.", name="editor", description="how files are indented")
    write("borrow", "Error E0502 in src/parser.rs:42 came from two borrows of the token list.", name="borrow checker")
    write("redis", "maxmemory-policy was allkeys-lru, so session keys were evicted.", name="eviction surprise")
    write("flags", "The checkout is behind the flag checkout_v2_enabled.", name="feature flags")
    write("invoices", "消費税は合計に対して切り捨てで計算する。", name="請求書の端数")
    write("approval", "운영 배포는 팀장 승인이 필요하다.", name="배포 승인")
    refresh(str(store))
    return store


@pytest.mark.parametrize(
    ("question", "path"),
    [
        ("what is my cat called", "cat.md"),
        ("how do I back up before the migrations?", "migrations.md"),
        ("迁移数据库之前要做什么？", "数据库.md"),
        ("should I use npm or pnpm here", "pnpm.md"),
        ("who calls charge_card", "payments.md"),
        ("PaymentClient retries", "payments.md"),
        ("E0502", "borrow.md"),
        ("what broke in src/parser.rs", "borrow.md"),
        ("checkout_v2_enabled", "flags.md"),
        ("when does the release train leave", "deploy.md"),
        ("上线", "deploy.md"),
        ("請求書の消費税はどう計算する？", "invoices.md"),
        ("운영 배포 승인은 누가?", "approval.md"),
        ("why were session keys evictted", "redis.md"),
    ],
)
def test_a_question_gets_the_memory_that_answers_it(work: Path, question: str, path: str) -> None:
    """E1, E2: English, Chinese, Japanese, Korean, identifiers, aliases, a typing error."""
    assert paths(work, question)[:1] == [path]


@pytest.mark.parametrize(
    "question",
    [
        "continue", "thanks", "thank you!", "继续", "谢谢", "fix the tests", "ok can you do that again", "ok",
        "yes please", "please format this file with black", "run it again", "続けて", "お願いします", "계속해", "", "?",
        "a", "the of and",
        "写个单元测试", "what do you think?", "who painted the night watch", "explain quicksort to a beginner",
    ],
)  # fmt: skip
def test_small_talk_gets_nothing(work: Path, question: str) -> None:
    """E3: nothing relevant, nothing injected, and a reason for a person."""
    found = recall(str(work), question, WHEN)
    assert not found.hits
    assert found.reason


@pytest.mark.parametrize(
    "question", ['cat" OR "x', "cat*", "(cat AND", "name:cat NOT x", "NEAR(cat zhima)", "'; drop table"]
)
def test_punctuation_is_no_query_language(work: Path, question: str) -> None:
    assert search(str(work), question, WHEN).reason in ("", "no memory holds any of these words")


def test_one_character_is_searched(work: Path) -> None:
    """E2: a single-character query still works."""
    assert search(str(work), "库", WHEN).hits[0].path == "数据库.md"


def test_a_question_is_ranked_by_partial_matches(work: Path) -> None:
    """E1: question-shaped queries need not match every word."""
    assert (
        paths(work, "could you perhaps tell me again which name my old cat listens to, Zhima or another")[0] == "cat.md"
    )


def test_a_hit_names_the_lines_of_the_file(store: Path, write: Write) -> None:
    """Promised as E1 and F3: one passage of a long file, with its real lines."""
    sections = "\n".join(f"## Part {at}\n\nPlain words about thing number {at}.\n" for at in range(30))
    file = write(
        "long", f"{sections}\n## Ports\n\nThe staging gateway listens on 8443.\n", name="long", description="notes"
    )
    refresh(str(store))
    (hit,) = recall(str(store), "which port does the staging gateway listen on", WHEN).hits
    lines = file.read_text().split("\n")
    assert hit.text == "\n".join(lines[hit.first - 1 : hit.last])
    assert hit.text == "## Ports\n\nThe staging gateway listens on 8443."
    assert (hit.heading, hit.description) == ("Ports", "notes")


def test_line_numbers_hold_with_crlf(store: Path, write: Write) -> None:
    """Promised as F3: a file with CRLF has the same lines."""
    file = write("win", "alpha\n\n## Zebra\n\nzebra crossing on the left", name="win")
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    refresh(str(store))
    (hit,) = recall(str(store), "zebra crossing", WHEN).hits
    assert (hit.first, hit.last, hit.text) == (7, 9, "## Zebra\n\nzebra crossing on the left")


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"metadata_muted": "true"}, "muted"),
        ({"metadata_expires": "2020-01-01"}, "expired"),
        ({"metadata_trust": "disputed"}, "disputed"),
        ({"metadata_trust": "superseded"}, "superseded"),
        ({"metadata_superseded_by": "01KB9V6Q3M4X1T0Z8H2N5R7C9D"}, "superseded"),
    ],
)
def test_a_state_keeps_a_memory_from_prompts_not_from_search(
    store: Path, write: Write, fields: dict[str, str], state: str
) -> None:
    """E6: muted, expired, disputed and superseded memories are not injected; a person still finds them."""
    write("zebra", "The zebra sleeps in the northern stable.", name="zebra", **fields)
    refresh(str(store))
    assert not recall(str(store), "where does the zebra sleep", WHEN).hits
    (hit,) = search(str(store), "where does the zebra sleep", WHEN).hits
    assert hit.state == state
    (candidate,) = why(str(store), "where does the zebra sleep", WHEN).candidates
    assert candidate.verdict == state


def test_a_memory_that_expires_today_is_still_recalled(store: Path, write: Write) -> None:
    """E6: a day belongs to the memory to its end."""
    write("zebra", "The zebra sleeps in the northern stable.", name="zebra", metadata_expires="2025-10-09")
    refresh(str(store))
    assert recall(str(store), "where does the zebra sleep", WHEN).hits
    assert not recall(str(store), "where does the zebra sleep", WHEN + 86_400).hits


@pytest.mark.parametrize(("setting", "count"), [("label", 1), ("off", 0)])
def test_candidates_are_recalled_with_their_label_unless_off(
    store: Path, write: Write, setting: str, count: int
) -> None:
    """E6: what a model wrote carries its label, or stays out when the store says so."""
    write("zebra", "The zebra sleeps in the northern stable.", name="zebra", metadata_trust="candidate")
    (store / ".gitmem").mkdir()
    (store / ".gitmem" / "config.yaml").write_text(f"format: 1\nrecall:\n  candidates: {setting}\n")
    refresh(str(store))
    hits = recall(str(store), "where does the zebra sleep", WHEN).hits
    assert [hit.trust for hit in hits] == ["candidate"] * count


def test_equal_texts_are_told_apart_by_what_else_is_known(store: Path, write: Write) -> None:
    """E4: recency, trust and importance break ties and no more."""
    text = "The zebra sleeps in the {} stable."
    write("a", text.format("northern"), name="zebra", updated="2020-01-01")
    write("b", text.format("southern"), name="zebra", updated="2025-10-01", metadata_importance="1")
    write("c", text.format("western"), name="zebra", updated="2025-10-01", metadata_trust="candidate")
    write("d", "The zebra sleeps, the zebra eats, nobody knows more.", name="zebra and stable")
    refresh(str(store))
    found = search(str(store), "zebra stable", WHEN).hits
    assert [hit.path for hit in found if hit.path != "d.md"] == ["b.md", "c.md", "a.md"]
    assert {"recency", "importance"} <= {key for hit in found if hit.path == "b.md" for key in hit.parts}


def test_a_repetition_steps_back_for_something_new(store: Path, write: Write) -> None:
    """E4: MMR."""
    for name in "abcdef":
        write(name, f"The quokka enclosure opens at nine in the morning, gate {name}.", name="quokka opening")
    write(
        "food", "At the quokka enclosure no bread is fed; the opening of the hatch is for leaves.", name="quokka food"
    )
    refresh(str(store))
    assert "food.md" in paths(store, "quokka enclosure opening")


def test_the_limit_is_kept_and_the_rest_counted(store: Path, write: Write) -> None:
    """Five passages, the others are said."""
    for at in range(30):
        write(f"z{at}", f"Zebra number {at} sleeps in stable {at}.", name=f"zebra {at}")
    refresh(str(store))
    found = recall(str(store), "where do the zebras sleep", WHEN)
    assert len(found.hits) == 5
    assert found.omitted > 0
    assert len(search(str(store), "zebra", WHEN, limit=30).hits) == 30


def test_a_folder_limits_the_search(store: Path, write: Write) -> None:
    """Scope first."""
    write("a/zebra", "The zebra sleeps in the northern stable.")
    write("ab/zebra", "The zebra sleeps in the southern stable.")
    refresh(str(store))
    assert [hit.path for hit in search(str(store), "zebra", WHEN, folder="a").hits] == ["a/zebra.md"]


def test_the_age_is_what_the_memory_says(store: Path, write: Write) -> None:
    """Promised as F3: never the file's time."""
    file = write("zebra", "The zebra sleeps in the northern stable.", name="zebra", updated="2025-01-02T03:04:05Z")
    os.utime(file, (1_000_000_000, 1_000_000_000))
    refresh(str(store))
    (hit,) = recall(str(store), "where does the zebra sleep", WHEN).hits
    assert hit.updated == "2025-01-02T03:04:05Z"


def test_an_undated_memory_is_as_old_as_its_commit(store: Path, write: Write, git: object) -> None:
    """Promised as F3: else the last commit that touched it."""
    write("zebra", "The zebra sleeps in the northern stable.", name="zebra")
    git("add", "-A", cwd=store)  # type: ignore[operator]
    git("-c", "user.name=A", "commit", "-q", "-m", "x", "--date", "2020-01-01T00:00:00Z", cwd=store)  # type: ignore[operator]
    refresh(str(store))
    when = int(git("log", "-1", "--format=%ct", cwd=store))  # type: ignore[operator]
    (hit,) = recall(str(store), "where does the zebra sleep", WHEN).hits
    assert hit.updated == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(when))


def test_why_shows_terms_parts_and_verdicts(work: Path) -> None:
    """Promised as E4 and F10: every candidate with its scores, the floor and the verdict."""
    found = why(str(work), "my cat Zhima, and HTTP500", WHEN)
    verdicts = {one.path: one.verdict for one in found.candidates}
    assert verdicts["cat.md"] == "injected"
    assert all(one.parts["passage"] > 0 for one in found.candidates)
    assert {term for term, _, _ in found.terms} >= {"cat", "http500"}
    assert found.floor > 0


def test_the_same_question_has_the_same_answer(work: Path) -> None:
    """Nothing random in the order."""
    question = "production deploys and the checkout flag"
    assert len({tuple(paths(work, question)) for _ in range(5)}) == 1


def test_no_store_is_a_reason_not_an_error(tmp_path: Path) -> None:
    """J2: the hook stays silent."""
    found = recall(str(tmp_path / "nowhere"), "where does the zebra sleep", WHEN)
    assert (found.hits, found.reason) == ([], f"{tmp_path / 'nowhere'} is no store")


LIMITS = (
    "# Rate limits\n\nThe billing API allows 30 requests a minute per key; back off for 10 seconds on 429. The sandbox "
    "key has no such limit, and the nightly export uses its own key, which is kept in the vault and changes monthly.\n"
)


@pytest.mark.parametrize("is_indexed", [True, False])
@pytest.mark.parametrize(
    "tail",
    [
        "## Links\n\n- [[invoices]]\n- [[sandbox]]\n",
        "## Links\n",
        "## Related\n\nsee also limits.\n",
        "# See\n\n[x](y.md)\n",
    ],
)
def test_the_last_few_words_of_a_memory_do_not_stand_for_its_answer(
    store: Path, write: Write, tail: str, is_indexed: bool
) -> None:
    """E1, the best passage of each memory: every passage has the head alike, and the shortest gains most by it."""
    if not is_indexed:
        refresh(str(store))
    write("rate", f"{LIMITS}\n{tail}", name="rate", description="rate limits of the billing API")
    if is_indexed:
        refresh(str(store))
    for question in ("what are the rate limits of the billing API?", "rate limits billing"):
        (hit,) = recall(str(store), question, WHEN).hits
        assert "30 requests a minute" in hit.text


@pytest.mark.parametrize("is_indexed", [True, False])
def test_a_short_section_that_is_asked_for_is_the_answer(store: Path, write: Write, is_indexed: bool) -> None:
    """Few words are no fault where the question names their heading."""
    if not is_indexed:
        refresh(str(store))
    body = "# Ports\n\nThe machines that we run, what each is for, and who may log in there.\n\n## Gateway\n\n8443\n\n"
    write("ports", f"{body}## Admin\n\n8444\n", name="ports", description="ports of gateway and admin")
    if is_indexed:
        refresh(str(store))
    assert [hit.text for hit in recall(str(store), "port of the admin page", WHEN).hits] == ["## Admin\n\n8444"]
    assert [hit.text for hit in recall(str(store), "which port has the gateway", WHEN).hits] == ["## Gateway\n\n8443"]


LOG = "".join(
    f"2026-11-{day:02d} 10:{day:02d}:07,{day * 31:03d} WARN worker-{day} retry={day} /app/{day}/main.py:{day * 7}\n"
    for day in range(1, 29)
)


@pytest.mark.parametrize(
    "form", ["{question}\n\n{log}", "{question}\n{log}", "{log}\n\n{question}", "{log}\n{question}"]
)
@pytest.mark.parametrize("times", [1, 5])
def test_a_question_beside_a_pasted_log_is_still_asked(store: Path, write: Write, form: str, times: int) -> None:
    """E1: a page of other words must not hide it; and the log alone asks nothing."""
    write("okapi", "The okapi enclosure opens at nine in the morning.", name="okapi enclosure")
    for number in range(40):
        write(f"other-{number}", f"Worker number {number} retries the main path of its app.", name=f"worker {number}")
    refresh(str(store))
    prompt = form.format(question="when does the okapi enclosure open?", log=LOG * times)
    assert [hit.path for hit in recall(str(store), prompt, WHEN).hits] == ["okapi.md"]
    assert [each.path for each in why(str(store), prompt, WHEN).candidates if each.verdict == "injected"] == [
        "okapi.md"
    ]
    assert recall(str(store), LOG * times, WHEN).hits == []
