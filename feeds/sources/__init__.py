"""Where a feed's files arrive: SFTP, S3-compatible storage, an HTTPS address, a mailbox."""
