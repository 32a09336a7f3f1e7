"""What each rule of reading is worth: the sets, the removals, and the table."""
