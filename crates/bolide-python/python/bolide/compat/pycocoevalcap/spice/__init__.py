"""SPICE, which compares scene graphs."""
