"""Loads and restarts the library that pynvml calls: NVIDIA's NVML or Iluvatar's libixml."""

import ctypes
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from sixdim.parsers.text.lines import label

IXML_FOLDERS = ("/usr/local/corex/lib64", "/usr/local/corex/lib", "/usr/local/iluvatar/lib64")
IXML_NAME = "libixml.so"


def load(name: str, folders: tuple[str, ...]) -> ModuleType | str:
    """Returns pynvml with its library started, or the reason why there is none.

    Args:
        name: `nvml`, or `ixml` for Iluvatar's library of the same symbols.
        folders: Where `libixml.so` is sought besides the linker's own places.
    """
    try:
        import pynvml
    except ImportError:
        return "the Python package nvidia-ml-py is not installed"
    if not hasattr(pynvml, "nvmlDeviceGetTotalEnergyConsumption"):
        return "another package named pynvml hides nvidia-ml-py"
    if name == "ixml" and (why := _use_ixml(pynvml, folders)):
        return why
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError as error:
        return reason_of(error)
    module: ModuleType = pynvml
    return module


def _use_ixml(pynvml: Any, folders: tuple[str, ...]) -> str:
    """Puts libixml where pynvml looks for its library; returns why not, or an empty text."""
    tried = []
    for place in (*(str(Path(folder) / IXML_NAME) for folder in folders), IXML_NAME):
        try:
            library = ctypes.CDLL(place)
        except OSError as error:
            tried.append(error)
            continue
        pynvml.nvmlLib = library
        # Functions that pynvml looked up in another library must not be called in this one.
        pynvml._nvmlGetFunctionPointer_cache.clear()
        return ""
    return f"{IXML_NAME} not found: {label(tried[-1], 80)}"


def start(nvml: Any) -> None:
    """Starts the library again; if it refuses, the next reading tries once more."""
    with suppress(nvml.NVMLError):
        nvml.nvmlInit()


def shut_down(nvml: Any) -> None:
    """Shuts the library down; one that is not started has nothing to give back."""
    with suppress(nvml.NVMLError):
        nvml.nvmlShutdown()


def is_lost(nvml: Any, error: Exception) -> bool:
    """Returns whether an error says that a device, or the driver, is gone."""
    lost = (nvml.NVMLError_GpuIsLost, nvml.NVMLError_Uninitialized, nvml.NVMLError_NotFound)
    return isinstance(error, lost)


def reason_of(error: Exception) -> str:
    """Returns a library's refusal as a short clean sentence."""
    return label(str(error) or type(error).__name__, 120)
