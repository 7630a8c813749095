"""This machine's record of what was injected, read and cited."""
