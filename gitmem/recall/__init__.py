"""From a question to hits.  Hot: the cheap set only."""
