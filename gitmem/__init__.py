"""gitmem: an agent's long-term memory as plain Markdown files in a git repository that a person owns."""

__version__ = "0.1.0"
