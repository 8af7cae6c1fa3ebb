/* A stand-in for libnvidia-ml.so.1 (and libixml.so) that plays what a file tells it to.
 *
 * NVML_STUB_STATE names a file of `key=value` lines, read again at every call: `count=2`,
 * `power.0=161000`, `energy.1=9000`, `lost.0=1`, `refuse.power.1=3` (an nvmlReturn_t), and so
 * on. With `begun.0=2`, board 0 is lost until the library was begun twice. What the file does not
 * say has the value written here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OK = 0, INVALID = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4, NOT_FOUND = 6, INSUFFICIENT_SIZE = 7, FUNCTION_NOT_FOUND = 13,
       IS_LOST = 15 };

typedef struct { int index; int slice; } device_t;
enum { BOARDS = 16, SLICES = 4 };
static device_t devices[BOARDS] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0},
                                   {8, 0}, {9, 0}, {10, 0}, {11, 0}, {12, 0}, {13, 0}, {14, 0}, {15, 0}};
static device_t slices[SLICES] = {{0, 1}, {0, 2}, {1, 1}, {1, 2}};

static long long say(const char *key, int device, long long otherwise) {
    char want[64], line[256];
    const char *path = getenv("NVML_STUB_STATE");
    FILE *file = path ? fopen(path, "r") : NULL;
    if (!file) return otherwise;
    if (device >= 0) snprintf(want, sizeof want, "%s.%d=", key, device);
    else snprintf(want, sizeof want, "%s=", key);
    while (fgets(line, sizeof line, file))
        if (!strncmp(line, want, strlen(want))) otherwise = atoll(line + strlen(want));
    fclose(file);
    return otherwise;
}

static int begun = 0;
static int is_lost(int index) { return say("lost", index, 0) || begun < say("begun", index, 0); }
static int begin(void) { begun++; return (int)say("init", -1, OK); }

static int refusal(const char *key, device_t *device) {
    char refuse[64];
    if (!device) return INVALID;
    if (is_lost(device->index)) return IS_LOST;
    long long hang = say("hang_ms", -1, 0);
    if (hang) usleep((useconds_t)hang * 1000);
    snprintf(refuse, sizeof refuse, "refuse.%s", key);
    return (int)say(refuse, device->index, OK);
}

int nvmlInitWithFlags(unsigned flags) { (void)flags; return begin(); }
int nvmlInit_v2(void) { return begin(); }
int nvmlShutdown(void) { return OK; }
const char *nvmlErrorString(int code) {
    switch (code) {
        case 3: return "Not Supported";
        case 4: return "Insufficient Permissions";
        case 9: return "Driver Not Loaded";
        case 15: return "GPU is lost";
        case 18: return "Driver/library version mismatch";
        default: return "Unknown Error";
    }
}
int nvmlDeviceGetCount_v2(unsigned *count) { *count = (unsigned)say("count", -1, 2); return OK; }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, device_t **out) {
    if (say("forbidden", (int)index, 0)) return NO_PERMISSION;
    if (is_lost((int)index)) return IS_LOST;
    *out = &devices[index];
    return OK;
}
static void uuid_text(device_t *device, char *out, unsigned size) {
    if (device->slice) snprintf(out, size, "MIG-%d-%d", device->index, device->slice);
    else snprintf(out, size, "GPU-%08d-aaaa", device->index);
}
int nvmlDeviceGetHandleByUUID(const char *uuid, device_t **out) {
    char have[64];
    for (int i = 0; i < BOARDS + SLICES; i++) {
        device_t *one = i < BOARDS ? &devices[i] : &slices[i - BOARDS];
        uuid_text(one, have, sizeof have);
        if (strcmp(have, uuid)) continue;
        if (is_lost(one->index)) return IS_LOST;
        *out = one;
        return OK;
    }
    return NOT_FOUND;
}
int nvmlDeviceGetUUID(device_t *device, char *out, unsigned size) {
    int no = refusal("uuid", device);
    if (!no) uuid_text(device, out, size);
    return no;
}
int nvmlDeviceGetName(device_t *device, char *out, unsigned size) {
    int no = refusal("name", device);
    if (no) return no;
    long long kind = say("name", device->index, 0);
    snprintf(out, size, "%s", kind == 1 ? "broken \xff\xfe name"
                            : kind == 2 ? "evil\033]0;pwned\007 [@click=app.quit]board"
                            : kind == 3 ? "Stub GT 710" : "Stub B100");
    return OK;
}
int nvmlDeviceGetPowerUsage(device_t *device, unsigned *out) {
    *out = device ? (unsigned)say("power", device->index, 161000) : 0;
    return refusal("power", device);
}
int nvmlDeviceGetEnforcedPowerLimit(device_t *device, unsigned *out) {
    *out = device ? (unsigned)say("limit", device->index, 250000) : 0;
    return refusal("limit", device);
}
int nvmlDeviceGetTotalEnergyConsumption(device_t *device, unsigned long long *out) {
    *out = device ? (unsigned long long)say("energy", device->index, 5000) : 0;
    return refusal("energy", device);
}
typedef struct { unsigned long long total, free, used; } memory_t;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory_v2_t;
int nvmlDeviceGetMemoryInfo(device_t *device, memory_t *out) {
    if (device) {
        unsigned long long scale = device->slice ? 4 : 1;
        out->total = (unsigned long long)say("total", device->index, 34359738368LL) / scale;
        out->used = (unsigned long long)say("used_v1", device->index, 1073741824LL) / scale;
        out->free = out->total - out->used;
    }
    return refusal("memory", device);
}
int nvmlDeviceGetMemoryInfo_v2(device_t *device, memory_v2_t *out) {
    if (device && !say("memory_v2", -1, 1)) return 25; /* argument version mismatch */
    if (device) {
        unsigned long long scale = device->slice ? 4 : 1;
        out->total = (unsigned long long)say("total", device->index, 34359738368LL) / scale;
        out->used = (unsigned long long)say("used", device->index, 536870912LL) / scale;
        out->free = out->total - out->used;
        out->reserved = 0;
    }
    return refusal("memory", device);
}
typedef struct { unsigned gpu, memory; } utilisation_t;
int nvmlDeviceGetUtilizationRates(device_t *device, utilisation_t *out) {
    out->gpu = 98;
    out->memory = 40;
    return refusal("utilisation", device);
}
int nvmlDeviceGetTemperature(device_t *device, int sensor, unsigned *out) {
    (void)sensor;
    *out = 61;
    return refusal("temperature", device);
}
int nvmlDeviceGetCurrentClocksThrottleReasons(device_t *device, unsigned long long *out) {
    *out = device ? (unsigned long long)say("throttle", device->index, 0) : 0;
    return refusal("throttle", device);
}
int nvmlDeviceIsMigDeviceHandle(device_t *device, unsigned *out) {
    *out = device && device->slice;
    return OK;
}
int nvmlDeviceGetDeviceHandleFromMigDeviceHandle(device_t *device, device_t **out) {
    *out = &devices[device->index];
    return OK;
}
int nvmlDeviceGetMigMode(device_t *device, unsigned *now, unsigned *pending) {
    *now = *pending = device ? (unsigned)say("mig", device->index, 0) : 0;
    return say("no_mig", -1, 0) ? NOT_SUPPORTED : refusal("mig", device);
}
typedef struct { unsigned pid; unsigned long long held; unsigned gpu, compute; } process_t;
static int processes(device_t *device, unsigned *count, process_t *out) {
    int no = refusal("processes", device);
    if (no) return no;
    unsigned have = (unsigned)say("processes", device->index, 0), room = *count;
    *count = have;
    if (room < have || !out) return have ? INSUFFICIENT_SIZE : OK;
    for (unsigned i = 0; i < have; i++) {
        char pid[16], held[16];
        snprintf(pid, sizeof pid, "pid%u", i);
        snprintf(held, sizeof held, "held%u", i);
        out[i].pid = (unsigned)say(pid, device->index, 1);
        out[i].held = (unsigned long long)say(held, device->index, 268435456LL);
    }
    return OK;
}
int nvmlDeviceGetComputeRunningProcesses_v3(device_t *device, unsigned *count, process_t *out) {
    return say("no_v3", -1, 0) ? FUNCTION_NOT_FOUND : processes(device, count, out);
}
int nvmlDeviceGetComputeRunningProcesses_v2(device_t *device, unsigned *count, process_t *out) {
    return processes(device, count, out);
}
