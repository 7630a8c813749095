"""One quoted passage: its label, its age, what the memory says of itself, and the lines.

``### deploy.md:40-52 (saved 12 days ago, unverified)``
"""

from __future__ import annotations

from gitmem.limits import MAX_DESCRIPTION_CHARS, MAX_PASSAGE_CHARS
from gitmem.memory.age import age_days
from gitmem.memory.clean import frame_safe, one_line
from gitmem.memory.document import line_at
from gitmem.prompt.cut import cut
from gitmem.prompt.frame import shown_path, size

CANDIDATE = "candidate"
MIN_QUOTED_BYTES = 160  # a shorter beginning of a passage tells nobody anything
MARK_BYTES = 64  # room for the sentence that says where it was cut, beside the path in it
SECRET_WORDS = (  # parts of every password's name in memory/secret_name.py, with the accents apart too
    "://", "pass", "pwd", "-----begin ", "putty", "basic ", "curl", "mysql", "mariadb",
    "kennwort", "contrase", "senha", "wachtwoord", "haslo", "heslo", "salasana", "parol", "losenord", "adgangskode",
    "sifre", "jelsz", "kata sandi", "kata laluan", "mat khau", "lozinka",
    "密码", "密碼", "口令", "スワー", "비밀번호", "\u1107\u1175\u1106\u1175\u11af", "암호",
    "\u110b\u1161\u11b7\u1112\u1169", "hasło", "senord", "ifre", "mật khẩu", "kha\u0302\u0309u", "парол", "лозинка",
    "κωδικ", "συνθηματικ", "كلمة", "رمز", "گذرواژه", "پاس", "סיסמ", "पासवर्ड", "পাস", "கடவுச்", "รหัส", "ລະຫັດ", "ពាក្យ",
    "စကား", "პაროლი", "գաղտնաբառ", "ｐａｓｓ",
)  # fmt: skip
SECRET_CHARS = 16  # no secret without one of these words is shorter
DIGITS = frozenset("0123456789")


def label(path: str, first: int, last: int, notes: list[str]) -> str:
    """``### path:first-last (note, note)``: the form in which a memory is cited."""
    lines = f"{first}-{last}" if last > first else f"{first}"
    return f"### {shown_path(path)}:{lines}" + (f" ({', '.join(notes)})" if notes else "")


def age_note(updated: str, when: int) -> list[str]:
    """["saved 12 days ago"]; nothing when nobody knows."""
    days = age_days(updated, when) if updated else None
    if days is None:
        return []
    return ["saved today" if days == 0 else f"saved {days} day{'' if days == 1 else 's'} ago"]


def trust_note(trust: str) -> list[str]:
    """["unverified"] for what a model wrote and no person has confirmed."""
    return ["unverified"] if trust == CANDIDATE else []


def without_secrets(text: str) -> str:
    """``text`` as a model may see it: every secret is masked, on as many lines."""
    if not may_hold_secret(text):
        return text
    from gitmem.memory.secret import masked  # 0.8 ms, which most prompts are spared

    return masked(text)


def may_hold_secret(text: str) -> bool:
    """Whether a closer look is worth its time: False only when there is no secret."""
    low = text.lower()
    if any(word in low for word in SECRET_WORDS):
        return True
    return any(
        len(word) >= SECRET_CHARS and (word != word.lower() or not DIGITS.isdisjoint(word)) for word in text.split()
    )


def quote(
    path: str, first: int, last: int, text: str, *, description: str, notes: list[str], max_bytes: int, whole: bool
) -> str:
    """The passage as it stands in a block, at most ``max_bytes`` of UTF-8; "" when it does not fit.

    first, last: line numbers in the file
    whole:       True: leave it out rather than cut it below MAX_PASSAGE_CHARS
    """
    head = label(path, first, last, notes) + "\n"
    body = without_secrets(frame_safe(text)).strip("\n")
    summary = one_line(without_secrets(frame_safe(description)), MAX_DESCRIPTION_CHARS)
    if summary and summary not in body:  # a short memory is often described by itself
        head += f"description: {summary}\n"
    room = max_bytes - size(head)
    if len(body) <= MAX_PASSAGE_CHARS and size(body) <= room:
        return head + body
    room -= MARK_BYTES + size(shown_path(path))
    if room < MIN_QUOTED_BYTES or (whole and size(body[:MAX_PASSAGE_CHARS]) > room):
        return ""
    kept = cut(body, MAX_PASSAGE_CHARS, room)
    blank = len(text) - len(text.lstrip("\r\n"))
    line = first + line_at(text, blank) - 1 + line_at(body, len(kept)) - 1 + (body[len(kept)] == "\n")
    return f"{head}{kept}\n[cut: {len(body) - len(kept)} more characters, from {shown_path(path)}:{line}]"
