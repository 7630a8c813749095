"""Every number that bounds something: unit, range and who promised it.

A number such as A10 or F3 is a promise of docs/contract.md.
Hot: imports nothing.
"""

MAX_MEMORY_BYTES = 512 * 1024  # one memory, on read and on write, inclusive (A10)
MAX_HEAD_BYTES = 64 * 1024  # a head above this is read line by line, never as YAML
MAX_HEAD_DEPTH = 16  # nesting of a head
MAX_TAGS, MAX_TAG_CHARS = 20, 40  # A2
MAX_ALIASES, MAX_ALIAS_CHARS = 24, 60  # A2
MAX_NAME_BYTES = 120  # of a file name gitmem makes, UTF-8, with ".md"; file systems allow 255
MAX_HEADING_LEVEL = 4  # depth of a heading tree (A5)

MAX_FILES = 1_100_000  # memories in one store; what lies beyond is counted and said (A6)
MAX_DEPTH = 24  # folders below the store's root; deeper ones are counted and said (A6)
SHARD_FROM = 1_000  # memories in one folder from which new ones go into YYYY-MM/

PASSAGE_MIN_WORDS, PASSAGE_MAX_WORDS = 40, 220  # about 150 to 300 tokens
MAX_FENCE_LINES = 60  # a longer code fence is split at its blank lines

SCAN_ALL_FILES = 1_500  # up to here a prompt stats every file; 3 ms at 1,000
MAX_LIVE_FILES = 64  # changed files parsed inside one prompt; the rest waits for the refresh
HOOK_DEADLINE_MS = 400  # after this the hook answers with what it has (J2)
REFRESH_EVERY_S = 60  # a detached refresh starts at most once a minute

MAX_HITS = 5  # passages in one prompt block
MAX_PROMPT_BYTES = 4 * 1024  # one prompt block, UTF-8
MAX_PASSAGE_CHARS = 1_500  # of one quoted passage; the cut is marked (F3)
MAX_PREFIX_BYTES = 9_000  # the session prefix: below every host's cut
MAX_INDEX_FILE_BYTES = 4_096  # of MEMORY.md inside the session prefix
MAX_BASELINE = 8  # baseline memories in the session prefix (F1)
MAX_QUESTION_CHARS = 8_000  # of a prompt that are read as the question
MAX_QUESTION_TERMS = 32  # the rarest terms of a question that are searched

LOCK_TIMEOUT_S = 30.0  # a writer waits this long for its turn
GIT_LOCK_TIMEOUT_S = 10.0  # and this long for another program's index.lock or ref lock
YOUNG_LOCK_S = 600.0  # a foreign lock file younger than this is said to be in use, never removed
RECENT_WRITES = 200  # writes remembered so that heal can put them back
PACK_FROM = 100  # from this many new files on, one pack instead of loose objects

HOOK_GUARD_MS = 2_000  # a hook that still hangs after this ends in silence
MAX_EVENT_BYTES = 2 * 1024 * 1024  # of a host's event on stdin; a larger one is not answered
MAX_EVENTS_BYTES = 256 * 1024  # of events.jsonl; then it starts anew, one earlier file is kept
MAX_FILE_LIST_BYTES = 1_536  # of the file list inside the session prefix (F1)
MAX_DESCRIPTION_CHARS = 200  # of a description where it is quoted

MAX_COMPONENT_BYTES = 255  # one name in a path, UTF-8: what ext4, APFS and NTFS hold
MAX_PATH_BYTES = 1_024  # a path inside a store, UTF-8: the smallest PATH_MAX there is (macOS)
MAX_ENTRY_CHARS = 120  # title and description of a MEMORY.md line, each
MAX_TITLE_CHARS = 200  # of a heading in an address; what lies beyond is not told apart but by number
MAX_CONFIG_BYTES = 64 * 1024  # .gitmem/config.yaml
MAX_IGNORES, MAX_IGNORE_CHARS = 200, 255  # patterns of the ignore list, and of one pattern

IDLE_DAYS = {"project": 90, "reference": 180, "user": 365}  # days without use; other types are never archived (H9)
MAX_ARCHIVED_BYTES = 16 * 1024 * 1024  # of an archived memory that is shown or listed; any size is moved (B6)
MAX_IDLE_DAYS = 3_650  # the most a store may ask for; 1 is the least

MAX_NEWEST_FILES = 32  # files written last that a prompt looks at in a large store
BACKGROUND_PASSAGES = 20_000  # weight of the background model of word frequencies
INDEX_VERSION = 3  # raised with every change of index/schema.py, memory/words.py, letters.py or passage.py

KEEP_POINTS, MAX_POINTS = 20, 200  # rollback points kept, and at most: every ref costs every git process (B5)

UNIT_ALIKE = 0.4  # share of letter pairs from which on a rewritten paragraph or section counts as the old one (C2)
MAX_UNIT_PAIRS, MAX_SECTION_PAIRS = 2_500, 400  # comparisons for that in one place; beyond, they pair in order or not
RENAME_ALIKE = 0.5  # share of a file's bytes from which on a new path counts as a rename, as in git (C2)
MAX_RENAME_PAIRS = 20_000  # comparisons for that in one merge; beyond, only files of one name are compared
MAX_REFS = 500  # refs in one repository: each process reads the file that holds them, 91 ms at 10,000
