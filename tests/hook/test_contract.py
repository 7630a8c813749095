"""What Claude Code gets from the hook: exact keys, the block, the prefix (HOSTS 1.2, 1.3, 2.1)."""

from __future__ import annotations
