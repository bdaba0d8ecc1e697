"""The parts of reex-applicability (docs/applicability.md)."""
