"""What a memory is, as text: pure, no input or output.  Hot: the cheap set only."""
