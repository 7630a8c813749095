"""The block beside a prompt: the passages of one recall, within a budget."""

from __future__ import annotations

from gitmem.limits import MAX_PROMPT_BYTES
from gitmem.prompt.discipline import RECALLED, RULES
from gitmem.prompt.frame import frame_bytes, framed, size
from gitmem.prompt.quote import age_note, quote, trust_note

TYPE_CHECKING = False
if TYPE_CHECKING:
    from gitmem.recall.hit import Hit, Recall

LEFT_OUT_BYTES = 80  # room for the sentence on what was left out


class Block:
    """A text for the model, and what stands in it.

    text:     "" when there is nothing to say
    injected: the hits that are quoted, in order; a session prefix has none
    omitted:  how many more there are and are left out
    """

    __slots__ = ("injected", "omitted", "text")

    def __init__(self, text: str, injected: list[Hit], omitted: int) -> None:
        self.text, self.injected, self.omitted = text, injected, omitted


def store_note(store: str) -> list[str]:
    """["team store"], where several stores were asked; [] where there is one."""
    return [f"{store} store"] if store else []


def prompt_block(recall: Recall, nonce: str, when: int, max_bytes: int = MAX_PROMPT_BYTES) -> Block:
    """The passages of ``recall`` as a prompt gets them, at most ``max_bytes`` of UTF-8.

    nonce: as ``frame.frame_nonce`` gives it
    when:  UTC unix seconds, for the ages

    The first passage is cut to fit if it must be; the others come whole or not at all.
    """
    room = max_bytes - frame_bytes(nonce, RECALLED) - size(RULES) - LEFT_OUT_BYTES
    parts: list[str] = []
    injected: list[Hit] = []
    for hit in recall.hits:
        text = quote(
            hit.path,
            hit.first,
            hit.last,
            hit.text,
            description=hit.description,
            notes=store_note(hit.store) + age_note(hit.updated, when) + trust_note(hit.trust),
            max_bytes=room - 2,
            whole=bool(parts),
        )
        if text:
            parts.append(text)
            injected.append(hit)
            room -= size(text) + 2
    omitted = recall.omitted + len(recall.hits) - len(injected)
    if not parts:
        return Block("", [], omitted)
    if omitted:
        more = "passage matches" if omitted == 1 else "passages match"
        parts.append(f"{omitted} more {more} and {'is' if omitted == 1 else 'are'} left out.")
    return Block(framed(nonce, RECALLED, [RULES, *parts]), injected, omitted)
