"""git: objects, trees, refs, git's own index.  The only room that imports dulwich."""
