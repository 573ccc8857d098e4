"""ROUGE-L of captions."""
