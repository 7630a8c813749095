#!/bin/sh
# The main job on real files: adopt a folder of notes, ask through the hook a host would call, show the commits.
# usage: demo.sh BIN   (the folder that holds python and gitmem)
set -eu
bin=$1
here=$(cd "$(dirname "$0")" && pwd)
demo=$(mktemp -d "${TMPDIR:-/tmp}/gitmem-demo.XXXXXX")
mkdir -p "$demo/home"
export HOME="$demo/home" GITMEM_STORE="$demo/store"
export GIT_AUTHOR_NAME="Mei Lin" GIT_AUTHOR_EMAIL="mei@example.org" GIT_COMMITTER_NAME="Mei Lin" GIT_COMMITTER_EMAIL="mei@example.org"
cp -R "$here/store" "$GITMEM_STORE"
PATH="$bin:$PATH"

say() {
    if [ -t 1 ]; then printf '\n\033[1m%s\033[0m\n' "$1"; else printf '\n== %s\n' "$1"; fi
}

ask() { # what Claude Code sends to its UserPromptSubmit hook, and what the hook answers
    say "prompt: $1"
    printf '{"session_id":"demo","transcript_path":"","cwd":"/","hook_event_name":"UserPromptSubmit","prompt":"%s"}' "$1" |
        gitmem hook prompt --host claude-code |
        python -c 'import json, sys; text = sys.stdin.read(); print(json.loads(text)["hookSpecificOutput"]["additionalContext"] if text else "(nothing relevant: nothing injected)")'
}

say "1. A folder of notes becomes a store, in place"
gitmem init "$GITMEM_STORE"

say "2. Something new is remembered; every write is a commit"
gitmem remember "The staging database moved to port 54330 on 27 November 2026." --type project --reason "told in the stand-up"

say "3. Three questions, through the hook an agent host calls"
ask "what must happen before we run the migration on deploy day?"
ask "数据库怎么恢复？"
ask "thanks, please continue"

say "4. The commits"
if command -v git >/dev/null 2>&1; then
    git -C "$GITMEM_STORE" --no-pager log --format='%h %an  %s' --shortstat
else
    gitmem history MEMORY.md
fi

say "5. Wire it into a host"
cat <<END
  gitmem install claude-code      writes three hooks into your Claude Code settings; uninstall restores them
  gitmem init ~/notes             adopts a folder you have already
  gitmem recall "a question"      shows what a prompt would get
The store of this demo stays in $GITMEM_STORE
END
