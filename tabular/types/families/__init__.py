"""The families of column types: each reads its texts to typed values."""
