"""Steps that change which rows there are, or fill them from those above."""
