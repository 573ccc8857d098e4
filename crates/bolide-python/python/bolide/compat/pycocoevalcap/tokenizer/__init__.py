"""The tokenizer of captions."""
