"""A real mail server for tests: Dovecot, with an account, in a folder and on ports of its own."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from pathlib import Path
from tempfile import TemporaryDirectory

import imapclient

from tests.buckets import free_ports

USER, PASSWORD = "orders", "open sesame ä"
READER = "reader"  # of the same mails, who may change none
PROOF = "mx.host.example; dmarc=pass header.from=shop.example"
START_S = 60
SPACIOUS = "1024M"  # for other mails than those of the inbox
CONFIG = """
protocols = imap
listen = 127.0.0.1
base_dir = {folder}/run
state_dir = {folder}/state
log_path = {folder}/log
ssl = yes
ssl_cert = <{chain}
ssl_key = <{chain}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
first_valid_uid = 1
mail_location = maildir:{folder}/mail
mail_plugins = acl quota
plugin {{
  acl = vfile:{folder}/rights-%u
  quota = count:User
  quota_vsizes = yes
}}
passdb {{
  driver = passwd-file
  args = scheme=PLAIN {folder}/accounts
}}
userdb {{
  driver = passwd-file
  args = {folder}/accounts
  override_fields = uid={owner} gid={owner} home={folder}/home
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {plain}
  }}
  inet_listener imaps {{
    port = {tls}
    ssl = yes
  }}
}}
service anvil {{
  chroot =
}}
"""


def mail(
    *files: tuple[str, bytes], proof: str = PROOF, sender: str = "ann@shop.example"
) -> EmailMessage:
    """Return a mail as the receiving server keeps it."""
    message = EmailMessage()
    if proof:
        message["Authentication-Results"] = proof
    message["From"], message["Subject"] = sender, "Orders"
    message.set_content("Dear all")
    for name, content in files:
        message.add_attachment(content, maintype="text", subtype="csv", filename=name)
    return message


class MailServer:
    """A running server. ``pause`` lets it hang, ``kill`` ends it and all its connections."""

    def __init__(self, folder: Path, chain: Path, *, moves: bool) -> None:
        self.folder = folder
        self.plain_port, self.tls_port = free_ports(2)
        owner = pwd.getpwnam("nobody")
        for name in ("mail", "home", "run", "state"):
            (folder / name).mkdir()
        for name in ("mail", "home"):
            os.chown(folder / name, owner.pw_uid, owner.pw_gid)
        self._write_accounts(SPACIOUS)
        (folder / f"rights-{USER}").write_text("* owner lrwstipekxa\n")
        (folder / f"rights-{READER}").write_text("* owner lr\n")
        for name in ("accounts", f"rights-{USER}", f"rights-{READER}"):
            (folder / name).chmod(0o644)  # who reads them is not who tests
        (folder / "config").write_text(
            CONFIG.format(
                folder=folder,
                chain=chain,
                owner=owner.pw_uid,
                plain=self.plain_port,
                tls=self.tls_port,
            )
            + ("" if moves else "imap_capability = IMAP4rev1 SASL-IR LITERAL+ UIDPLUS\n")
        )

    def fill(self) -> None:
        """Let the folders besides the inbox have no place for another mail."""
        self._change_accounts("1B")

    def make_space(self) -> None:
        """Let them have some."""
        self._change_accounts(SPACIOUS)

    def _change_accounts(self, quota: str) -> None:
        """Write the accounts, and wait until the server has read them."""
        self._write_accounts(quota)
        until = time.monotonic() + START_S
        command = ["doveadm", "-c", str(self.folder / "config"), "user", USER]
        while f"*:storage={quota}" not in subprocess.check_output(command, text=True):
            assert time.monotonic() < until, "the mail server does not read its accounts"
            time.sleep(0.05)

    def _write_accounts(self, quota: str) -> None:
        rules = f"userdb_quota_rule=*:storage={quota} userdb_quota_rule2=INBOX:ignore"
        lines = (f"{user}:{{PLAIN}}{PASSWORD}::::::{rules}\n" for user in (USER, READER))
        (self.folder / "accounts").write_text("".join(lines), "utf-8")

    def start(self) -> None:
        """Start it, and wait until it greets."""
        program = shutil.which("dovecot", path=f"{os.environ['PATH']}:/usr/sbin")
        assert program, "no dovecot: apt-get install dovecot-imapd"
        self._process = subprocess.Popen(
            [program, "-F", "-c", str(self.folder / "config")], start_new_session=True
        )
        until = time.monotonic() + START_S
        while not self._greets():
            assert self._process.poll() is None, (self.folder / "log").read_text()[-2000:]
            assert time.monotonic() < until, "the mail server does not start"
            time.sleep(0.05)

    def _greets(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.plain_port), 5) as probe:
                return probe.recv(10).startswith(b"* OK")
        except OSError:
            return False

    def client(self) -> imapclient.IMAPClient:
        """Return a client of the account's owner."""
        client = imapclient.IMAPClient("127.0.0.1", self.plain_port, ssl=False)
        client.plain_login(USER, PASSWORD)
        return client

    def deliver(self, mail: EmailMessage | bytes, folder: str = "INBOX") -> None:
        """Put a mail into a folder, as the program does that delivers."""
        with self.client() as client:
            client.append(folder, mail if isinstance(mail, bytes) else mail.as_bytes())

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the server and all of its processes."""
        os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """Kill it."""
        self.signal(signal.SIGKILL)
        self._process.wait()


@contextmanager
def running_mail(chain: Path, *, moves: bool = True) -> Iterator[MailServer]:
    """
    Start a server, and kill it at the end. Its mails belong to an account without rights.

    moves: whether it has the command MOVE, which needs no space.
    """
    with TemporaryDirectory(prefix="mail-", ignore_cleanup_errors=True) as name:
        os.chmod(name, 0o755)
        copied = Path(shutil.copy(chain, name))
        server = MailServer(Path(name), copied, moves=moves)
        server.start()
        try:
            yield server
        finally:
            server.kill()
