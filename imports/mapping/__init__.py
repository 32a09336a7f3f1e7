"""What is proposed and decided about the columns of a file."""
