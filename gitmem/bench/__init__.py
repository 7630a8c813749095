"""Recall and noise measured on a set of questions."""
