"""The ambiguity ledger: questions, answers, and remembered answers. Records only."""
