"""Two texts of one memory, and two states of one store, merged by meaning.  Pure over bytes."""
