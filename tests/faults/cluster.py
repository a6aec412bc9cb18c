"""A PostgreSQL of our own, which may be stopped as often as we like."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection

from tests.load.server import HOST, free_port

_USER = "postgres"  # PostgreSQL does not run as root


class Cluster:
    """In a folder that is empty at first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        if os.getuid() == 0:
            shutil.chown(folder, _USER, _USER)
        self._run("initdb", "--auth", "trust", "--username", _USER)

    def start(self) -> None:
        """Start it, and return once it answers."""
        options = f"-p {self.port} -c listen_addresses={HOST} -c unix_socket_directories={self.folder}"
        self._run("pg_ctl", "--wait", "--log", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop it: "fast" ends every connection, "immediate" is as if the power had gone."""
        self._run("pg_ctl", "--wait", "--mode", mode, "stop")

    @property
    def runs(self) -> bool:
        return (self.folder / "postmaster.pid").exists()

    def _run(self, program: str, *options: str) -> None:
        path = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{program}"))[-1]
        command = [str(path), "--pgdata", str(self.folder), *options]
        if os.getuid() == 0:
            command = ["runuser", "-u", _USER, "--", *command]
        # Its output is not read through a pipe, which the server that it starts would keep open.
        with tempfile.TemporaryFile("w+") as told:
            done = subprocess.run(command, cwd="/", stdout=told, stderr=subprocess.STDOUT, timeout=120, check=False)
            if done.returncode:
                told.seek(0)
                raise RuntimeError(f"{program} failed:\n{told.read()}")


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running cluster to which this process and those it begins connect until the end of the block."""
    given, before = os.environ["DATABASE_URL"], dict(connection.settings_dict)
    with tempfile.TemporaryDirectory(prefix="mpquiz-cluster-") as folder:
        own = Cluster(Path(folder))
        own.start()
        try:
            connection.close()
            connection.settings_dict.update(HOST=HOST, PORT=str(own.port), USER=_USER, PASSWORD="", NAME=_USER)
            os.environ["DATABASE_URL"] = f"postgres://{_USER}@{HOST}:{own.port}/{_USER}"
            yield own
        finally:
            connection.close()
            connection.settings_dict.update(before)
            os.environ["DATABASE_URL"] = given
            if own.runs:
                own.stop()
