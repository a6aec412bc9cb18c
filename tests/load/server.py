"""gunicorn with real workers, as hosts run it."""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60  # seconds to start, to stop, or to replace a worker
HOST = "127.0.0.1"


class Server:
    """A server on a free port until the end of the block. ``options`` are gunicorn's, ``environment`` is added."""

    def __init__(
        self, settings: str, *options: str, workers: int = 4, environment: dict[str, str] | None = None
    ) -> None:
        self.port = free_port()
        self.log = tempfile.NamedTemporaryFile("w+", prefix="mpquiz-server-", suffix=".log")  # noqa: SIM115
        self.command = [
            *(sys.executable, "-m", "gunicorn", "--workers", str(workers), "--bind", f"{HOST}:{self.port}"),
            *("--log-level", "warning", "--graceful-timeout", "5", *options),
            "django.core.wsgi:get_wsgi_application()",
        ]
        self.environment = {**os.environ, "DJANGO_SETTINGS_MODULE": settings, **(environment or {})}
        self.workers_wanted = workers

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            self.command, cwd=ROOT, env=self.environment, stdout=self.log, stderr=subprocess.STDOUT
        )
        try:
            self.wait_until_whole()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    @property
    def address(self) -> tuple[str, int]:
        return HOST, self.port

    @property
    def workers(self) -> list[int]:
        """The processes of the workers, which are the master's children."""
        return children(self.process.pid)

    def seconds(self) -> float:
        """The CPU that the workers have used so far."""
        return sum(_seconds(worker) for worker in self.workers)

    def kill_worker(self, process: int) -> None:
        """End one of our own workers as the kernel would: no handler runs."""
        if process not in self.workers:
            raise ValueError(f"{process} is no worker of this server.")
        os.kill(process, signal.SIGKILL)

    def wait_until_whole(self) -> None:
        """Until it listens and has all its workers. Raises RuntimeError where it never does."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if len(self.workers) >= self.workers_wanted and listens(self.address):
                return
            time.sleep(0.05)
        raise RuntimeError(f"The server did not come up:\n{self.told()}")

    def told(self, most: int = 6000) -> str:
        """The end of what it wrote."""
        return Path(self.log.name).read_text(errors="replace")[-most:]

    def faults(self) -> list[str]:
        """The last lines of the tracebacks that it wrote: what was raised."""
        lines = Path(self.log.name).read_text(errors="replace").splitlines()
        raised = []
        inside = False
        for line in lines:
            if line.startswith("Traceback "):
                inside = True
            elif inside and line and not line.startswith(" "):
                raised.append(line)
                inside = False
        return raised


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


def listens(address: tuple[str, int]) -> bool:
    try:
        socket.create_connection(address, timeout=1).close()
    except OSError:
        return False
    return True


def _seconds(process: int) -> float:
    """User and system time (proc_pid_stat(5): fields 14 and 15, the name in brackets before them may hold blanks)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def children(process: int) -> list[int]:
    """The processes that a process began and that still run."""
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except FileNotFoundError:
        return []
