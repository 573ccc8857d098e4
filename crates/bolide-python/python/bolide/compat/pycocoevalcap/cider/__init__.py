"""CIDEr of captions."""
