"""The families of column types: each reads its texts into typed values."""
