"""Where memories are: paths, the worktree, the git folder read as text.  Hot: the cheap set only."""
