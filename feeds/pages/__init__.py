"""What people see of feeds in the admin, below its lists."""
