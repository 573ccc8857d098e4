"""The example for Ray on two nodes of the loopback, one of which is killed in mid-job."""

import os
import pathlib
import signal
import sys
import threading
import time

import pairs
import pyarrow.parquet as pq
import pytest
import ray
from ray.cluster_utils import Cluster

import bolide

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))
import ray_corpus  # noqa: E402

ROWS = int(os.environ.get("BOLIDE_CLUSTER_ROWS", 20_000))
FILES = 12
METRICS = ["meteor", "bleu"]


@pytest.fixture
def cluster():
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    # The workers use the import path of this process.
    os.environ["PYTHONPATH"] = str(pathlib.Path(ray_corpus.__file__).parent)
    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 1, "include_dashboard": False, "object_store_memory": 100_000_000},
    )
    cluster.add_node(num_cpus=1, object_store_memory=100_000_000)
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, logging_level="ERROR", log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = pathlib.Path(tmp_path_factory.mktemp("ray"))
    rows = pairs.table(ROWS)
    step = -(-ROWS // FILES)
    for idx in range(FILES):
        pq.write_table(rows.slice(idx * step, step), folder / f"{idx:03}.parquet")
    expected = {
        name: bolide.Metric(name).corpus(rows["hyp"].to_pylist(), rows["refs"].to_pylist())
        for name in METRICS
    }
    return [str(path) for path in sorted(folder.glob("*.parquet"))], expected


def nodes_of_tasks():
    @ray.remote
    def where():
        time.sleep(0.3)
        return ray.get_runtime_context().get_node_id()

    return set(ray.get([where.remote() for _ in range(8)]))


def is_alone(patience=60):
    """Whether one node is left: the head notices a dead one after some missed heartbeats."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if len([node for node in ray.nodes() if node["Alive"]]) == 1:
            return True
        time.sleep(0.2)
    return False


@pytest.mark.parametrize("kill", [False, True], ids=["two nodes", "one is killed"])
def test_the_corpus_has_the_bits_of_the_library(cluster, files, kill):
    paths, expected = files
    assert len(nodes_of_tasks()) == 2
    killer = None
    if kill:
        victim = cluster.list_all_nodes()[-1]
        pid = victim.all_processes["raylet"][0].process.pid
        killer = threading.Timer(0.3, os.kill, (pid, signal.SIGKILL))
        killer.start()
    for name in METRICS:
        score = ray_corpus.corpus(name, paths)
        assert score.score.hex() == expected[name].score.hex()
        assert score.signature == expected[name].signature
    if killer:
        killer.join()
        assert is_alone()
