"""The command line: one command, one file, one call into the library."""
