"""METEOR of captions."""
