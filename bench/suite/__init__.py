"""The parts of bench/run.py: what is run, how it is measured, and how it is shown."""
