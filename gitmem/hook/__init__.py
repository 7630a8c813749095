"""From a host's event to a text; the only hot program."""
