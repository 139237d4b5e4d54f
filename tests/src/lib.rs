//! Tests of `tools-core`, one file under `tests/` for each behaviour.
