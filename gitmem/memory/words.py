"""Text to search terms: English stems, identifiers whole and in parts, pairs where there are no blanks.

The same words on both sides, so that what is indexed can be asked for.  Stop
words are dropped on the question's side only.  No ``re``: one pass by hand, and
a word that was seen before costs one look into a dictionary.
Hot: standard library only.
"""

from __future__ import annotations

from unicodedata import category, normalize

from gitmem.memory.stopwords import FOREIGN, GENERIC, GENERIC_WEIGHT, STOP

MAX_TERM_CHARS = 64  # a longer run of letters is a blob, its head is enough to find it again
_CACHE_SIZE = 100_000  # chunks remembered while an index is built; about 20 MB
_LONG_CHUNK = 32  # characters; longer ones are text without blanks and do not come again

# Joins two word characters into one identifier, path, version or address.
_JOINERS = frozenset("._-/:+#@'")
EDGE = "\"'`.,;:!?()[]{}<>*_-/|\\~=&%^$@"
_INVISIBLE = dict.fromkeys((0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF))
_DASHES = {0x2010: "-", 0x2011: "-", 0x2019: "'", 0x02BC: "'"}
_SOFTEN = {**_INVISIBLE, **_DASHES}
_SOFT = tuple(map(chr, _SOFTEN))
_CJK = "\u2e80"  # where Han, Kana and Hangul begin

# Irregular forms that no suffix rule reaches: form -> base.
_IRREGULAR = {
    "went": "go", "gone": "go", "goes": "go", "going": "go",
    "bought": "buy", "brought": "bring", "thought": "think", "taught": "teach", "caught": "catch",
    "made": "make", "took": "take", "taken": "take", "gave": "give", "given": "give", "got": "get", "gotten": "get",
    "getting": "get", "came": "come", "became": "become", "ran": "run", "began": "begin", "begun": "begin",
    "saw": "see", "seen": "see", "said": "say", "told": "tell", "sold": "sell", "held": "hold", "kept": "keep",
    "slept": "sleep", "felt": "feel", "left": "leave", "leaves": "leaf", "lost": "lose", "met": "meet", "paid": "pay",
    "sent": "send", "spent": "spend", "built": "build", "lent": "lend", "won": "win", "wrote": "write",
    "written": "write", "drove": "drive", "driven": "drive", "rode": "ride", "ridden": "ride", "chose": "choose",
    "chosen": "choose", "spoke": "speak", "spoken": "speak", "broke": "break", "broken": "break", "ate": "eat",
    "eaten": "eat", "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow", "knew": "know",
    "known": "know", "threw": "throw", "thrown": "throw", "flew": "fly", "flown": "fly", "drew": "draw",
    "drawn": "draw", "drank": "drink", "drunk": "drink", "sang": "sing", "sung": "sing", "swam": "swim",
    "swum": "swim", "wore": "wear", "worn": "wear", "tore": "tear", "torn": "tear", "shot": "shoot",
    "stood": "stand", "understood": "understand", "found": "find", "fought": "fight", "sought": "seek",
    "meant": "mean", "dealt": "deal", "dreamt": "dream", "learnt": "learn", "led": "lead", "fed": "feed",
    "bred": "breed", "hid": "hide", "hidden": "hide", "stole": "steal", "stolen": "steal", "froze": "freeze",
    "frozen": "freeze", "woke": "wake", "woken": "wake", "rose": "rise", "risen": "rise", "shook": "shake",
    "shaken": "shake", "hung": "hang", "stuck": "stick", "struck": "strike", "dug": "dig", "sat": "sit",
    "lit": "light", "laid": "lay", "sank": "sink", "sunk": "sink", "forgot": "forget", "forgotten": "forget",
    "children": "child", "men": "man", "women": "woman", "feet": "foot", "teeth": "tooth", "mice": "mouse",
    "geese": "goose", "lives": "life", "wives": "wife", "knives": "knife", "wolves": "wolf", "indices": "index",
    "matrices": "matrix", "better": "good", "best": "good", "worse": "bad", "worst": "bad",
}  # fmt: skip


class _Cache(dict[str, list[str]]):
    """The terms of each short chunk that was met."""

    def __missing__(self, chunk: str) -> list[str]:
        terms = terms_of(chunk, True)
        if len(chunk) < _LONG_CHUNK:
            self[chunk] = terms
        return terms


_cache = _Cache()


def words(text: str) -> list[str]:
    """The search terms of ``text``, in order, repeats kept: the side of the index."""
    if not text.isascii():
        text = _plain(text)
    cache = _cache
    if len(cache) > _CACHE_SIZE:
        cache.clear()
    out: list[str] = []
    for terms in map(cache.__getitem__, text.split()):
        out += terms
    return out


def question_words(text: str) -> dict[str, float]:
    """The terms of a question and their weights, in the order they first appear.

    Stop words are gone; words that most prompts hold weigh ``GENERIC_WEIGHT``.
    """
    if text.isascii():
        chunks = text.split()
    else:
        chunks = _plain(text).split()
        for chunk in chunks:
            if chunk[0] < _CJK and chunk[-1] < _CJK and not chunk.isascii():
                return _weights(chunks)
    out: dict[str, float] = {}
    for chunk in chunks:
        for term in terms_of(chunk, False):
            if term not in STOP:
                out[term] = GENERIC_WEIGHT if term in GENERIC else 1.0
    return out if FOREIGN.isdisjoint(out) else _weights(chunks)


def _weights(chunks: list[str]) -> dict[str, float]:
    """The same of a text in another language than English, Chinese, Japanese and Korean."""
    from gitmem.memory.everyday import weights  # most questions are in one of those

    return weights(chunks)


def _plain(text: str) -> str:
    """NFKC, without invisible characters, with one kind of apostrophe and hyphen."""
    text = normalize("NFKC", text)
    for soft in _SOFT:
        if soft in text:
            return text.translate(_SOFTEN)
    return text


def terms_of(chunk: str, index_side: bool) -> list[str]:
    """The terms of one run without blanks.  Of Han, Thai and the like the index holds the last of a run alone too."""
    bare = chunk.strip(EDGE)
    if bare.isascii() and bare.isalpha():
        low = bare.lower()
        if bare == low or bare[1:] == low[1:] or bare.isupper():
            return [stem(low)]
    out: list[str] = []
    kinds = scripts
    at, end = 0, len(chunk)
    while at < end:
        script = kinds[chunk[at]]
        stop = at + 1
        if script > WORD:
            while stop < end and kinds[chunk[stop]] == script:
                stop += 1
            if script == CLUSTERED:
                from gitmem.memory.letters import cluster_pairs  # most texts have none of these scripts

                cluster_pairs(chunk[at:stop], out, index_side)
            else:
                _pairs(chunk[at:stop], out, index_side)
        elif script == WORD:
            while stop < end:
                char = chunk[stop]
                if kinds[char] == WORD or (char in _JOINERS and stop + 1 < end and kinds[chunk[stop + 1]] == WORD):
                    stop += 1
                else:
                    break
            run = chunk[at:stop]
            while stop < end and chunk[stop] in "+#":  # C++, C#
                stop += 1
            tail = chunk[at:stop]
            if tail != run and run.isalnum():
                out.append(tail.lower())
            _word(run, out)
        at = stop
    return out


_NONE, WORD, _HAN, _HANGUL, CLUSTERED = 0, 1, 2, 3, 4


def _script(char: str) -> int:
    """What a character is to the cutter: a border, part of a word, or of a script written without blanks."""
    if char < "\u0e00":
        return WORD if char.isalnum() or (char > "\u02ff" and category(char)[0] == "M") else _NONE
    if char >= "\u2e80":
        if "\uac00" <= char <= "\ud7ff" or "\u3131" <= char <= "\u318e":
            return _HANGUL
        if char <= "\u9fff" or "\U00020000" <= char <= "\U0003ffff" or "\uf900" <= char <= "\ufaff":
            return _HAN if char.isalnum() else _NONE
    elif char <= "\u0eff" or "\u1000" <= char <= "\u109f" or "\u1780" <= char <= "\u17ff":
        if char.isdecimal():
            return WORD
        return CLUSTERED if char.isalnum() or category(char)[0] == "M" else _NONE  # Thai, Lao, Burmese, Khmer
    elif "\u1100" <= char <= "\u11ff":
        return _HANGUL
    return WORD if char.isalnum() or category(char)[0] == "M" else _NONE


class _Scripts(dict[str, int]):
    """``_script`` of each character that was met: one look-up instead of a call."""

    def __missing__(self, char: str) -> int:
        found = self[char] = _script(char)
        return found


scripts = _Scripts()


def _pairs(run: str, out: list[str], index_side: bool) -> None:
    """Overlapping pairs of a run; a lone character stays alone.

    The last ideogram of a run is indexed alone too: with the pairs that begin
    with it, every place of a single character can be found.
    """
    if len(run) == 1:
        out.append(run)
        return
    out += [run[at : at + 2] for at in range(len(run) - 1)]
    if index_side and "\u3400" <= run[-1] <= "\u9fff":
        out.append(run[-1])


def _word(run: str, out: list[str]) -> None:
    """One word, identifier, path, version or contraction."""
    if "'" in run:
        head, _, tail = run.rpartition("'")
        low = tail.lower()
        if low == "t" and head[-1:] in "nN":
            run = head[:-1] or head
        elif low in ("s", "re", "ve", "ll", "d", "m"):
            run = head
        if "'" in run:
            for part in run.split("'"):
                if len(part) > 1:
                    _word(part, out)
            return
    if len(run) > 4 * MAX_TERM_CHARS:
        run = run[: 4 * MAX_TERM_CHARS]
    if run.isalnum():
        _humps(run, out)
        return
    found: list[str] = []
    _split(run, 0, found)
    out += dict.fromkeys(found)


_LEVELS = ":/@#+.-_"


def _split(run: str, level: int, out: list[str]) -> None:
    """A compound whole, then its parts, down to the humps of a camelCase word."""
    while level < len(_LEVELS) and _LEVELS[level] not in run:
        level += 1
    if level == len(_LEVELS):
        if len(run) > 1:
            _humps(run, out)
        return
    low = run.lower()
    out.append((low if low.isascii() else _bare(low))[:MAX_TERM_CHARS])
    mark = _LEVELS[level]
    parts = run.split(mark)
    bare = run[1:] if run[0] in "vV" else run
    if bare.replace(mark, "").isdigit():  # 3.11.7, v2.1, 2026-03-02: whole, without the v, the first two parts
        if bare != run:
            out.append(bare)
        if len(parts) > 2:
            out.append(mark.join(bare.split(mark)[:2]))
        return
    for part in parts:
        if part:
            _split(part, level + 1, out)


def _humps(run: str, out: list[str]) -> None:
    """A word, or a camelCase word whole and by its humps."""
    low = run.lower()
    if low == run or run[1:] == low[1:] or run.isupper():
        out.append(_stemmed(low))
        return
    if run[-1] == "s" and run[:-1].isupper():  # APIs, URLs
        out.append(_stemmed(low[:-1]))
        return
    cuts = [0]
    for at in range(1, len(run)):
        here, before = run[at], run[at - 1]
        if here.isupper() and (not before.isupper() or run[at + 1 : at + 2].islower()):
            cuts.append(at)
    cuts.append(len(run))
    parts = [run[cuts[at] : cuts[at + 1]] for at in range(len(cuts) - 1)]
    if len(parts) > 1 and min(map(len, parts)) > 1:
        out += [_stemmed(part.lower()) for part in parts]
    out.append(_stemmed(low))


def _stemmed(low: str) -> str:
    if low.isascii():
        return stem(low) if low.isalpha() else low[:MAX_TERM_CHARS]
    low = _bare(low) or low  # a mark that stands alone
    return stem(low) if low.isascii() and low.isalpha() else low[:MAX_TERM_CHARS]


def _bare(low: str) -> str:
    """A word without the marks that are written or left out at will."""
    from gitmem.memory.letters import bare  # most texts have none

    return bare(low)


def stem(word: str) -> str:
    """A light English stem: plural, -ing, -ed, -ly, a final e or y, and irregular forms.

    word: lower case ASCII letters
    """
    size = len(word)
    if size < 3 or size > MAX_TERM_CHARS:
        return word[:MAX_TERM_CHARS]
    word = _IRREGULAR.get(word, word)
    if len(word) < 4:
        return word
    if word[-1] == "s":
        if word.endswith("ies") and size > 4:
            word = word[:-3] + "y"
        elif word.endswith(("sses", "xes", "ches", "shes", "zes")):
            word = word[:-2]
        elif word[-2] not in "sui":
            word = word[:-1]
    if word.endswith(("ing", "ed")):
        rest = word[:-3] if word[-1] == "g" else word[:-2]
        if len(rest) >= 3 and not _VOWELS.isdisjoint(rest):
            word = rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    if word.endswith("ly") and len(word) > 5:
        word = word[:-2]
    if word[-1] == "e" and len(word) > 3:
        word = word[:-1]
    if word[-1] == "i" and len(word) > 3:
        word = word[:-1] + "y"
    if word[-1] == "y" and len(word) > 3 and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    return word


_VOWELS = frozenset("aeiouy")
