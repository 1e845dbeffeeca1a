"""Child processes that do not outlive the one that started them."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait


def end_with_parent() -> None:
    """Has this process end itself, as by SIGTERM, when its parent is gone.

    For children of `multiprocessing`: a parent that is killed cannot end them, and one left behind
    would go on searching, or keep the port that the next start needs. Does nothing in a process
    that has no such parent.
    """
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="watches the parent", daemon=True).start()
