"""The search index, read side: derived from the files, may be deleted.  Hot: the cheap set only."""
