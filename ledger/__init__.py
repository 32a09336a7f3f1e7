"""The ambiguity ledger: what was asked, what was answered, what is remembered. Records only."""
