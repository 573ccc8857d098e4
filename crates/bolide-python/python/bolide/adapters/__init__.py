"""Bolide's metrics in the evaluation frameworks: one module for each framework, named after it.

Nothing here is imported by ``import bolide``, and each module imports its framework, which the caller brings.
``docs/adapters.md`` has an example of each.
"""
