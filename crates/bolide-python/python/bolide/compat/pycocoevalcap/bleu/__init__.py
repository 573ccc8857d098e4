"""BLEU of captions."""
