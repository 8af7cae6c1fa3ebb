"""What is unpacked, and what of a broken archive is said."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from sixdim.parsers.input.source import LogError, LogFile

TEXT = b"".join(b"step %d loss 0.%d\n" % (step, step) for step in range(20_000))
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": lambda data: zstandard.ZstdCompressor().compress(data),
}


def _read(path: Path, content: bytes) -> bytes:
    path.write_bytes(content)
    log = LogFile(str(path))
    try:
        return b"".join(iter(lambda: log.read(1000), b""))
    finally:
        log.close()


@pytest.mark.parametrize("packer", PACKERS)
def test_archives_one_after_the_other_are_one_log(tmp_path: Path, packer: str) -> None:
    pack = PACKERS[packer]
    both = pack(TEXT[:100_000]) + pack(TEXT[100_000:])
    assert _read(tmp_path / "train.log", both) == TEXT


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("left", [1, 1000])
def test_an_archive_without_its_end_is_damaged(tmp_path: Path, packer: str, left: int) -> None:
    with pytest.raises(LogError, match=r"^train\.log is a damaged archive: "):
        _read(tmp_path / "train.log", PACKERS[packer](TEXT)[:-left])


@pytest.mark.parametrize("packer", PACKERS)
def test_an_archive_with_other_bytes_inside_is_damaged(tmp_path: Path, packer: str) -> None:
    content = bytearray(PACKERS[packer](TEXT))
    content[len(content) // 2 :] = bytes(byte ^ 255 for byte in content[len(content) // 2 :])
    with pytest.raises(LogError, match=r"^train\.log is a damaged archive: "):
        _read(tmp_path / "train.log", bytes(content))


@pytest.mark.parametrize("packer", ["gzip", "zstd"])
def test_what_follows_an_archive_must_be_one(tmp_path: Path, packer: str) -> None:
    with pytest.raises(LogError, match=r"^train\.log is a damaged archive: "):
        _read(tmp_path / "train.log", PACKERS[packer](TEXT) + b"step 1 loss 0.1\n")


def test_an_archive_of_several_files_is_named(tmp_path: Path) -> None:
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:  # not compressed: the log stands in it as it is
        archive.writestr("train.log", TEXT)
    with tarfile.open(fileobj=tarred, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("train.log"))
    for content, kind in (
        (zipped.getvalue(), "zip"),
        (tarred.getvalue(), "tar"),
        (gzip.compress(tarred.getvalue()), "tar"),
    ):
        with pytest.raises(LogError, match=rf"^train\.log is a {kind} archive, not a log: unpack"):
            _read(tmp_path / "train.log", content)
    assert _read(tmp_path / "train.log", b"PK step 1\n" * 30) == b"PK step 1\n" * 30
