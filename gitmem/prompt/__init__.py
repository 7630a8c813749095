"""From hits to the text a model sees.  Hot: the cheap set only."""
