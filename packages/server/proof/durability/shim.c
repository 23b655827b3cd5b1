/*
 * Stands between a process and the kernel for the files of one folder. It writes down every write, truncation and sync
 * with its data, so that the disk after a power cut can be rebuilt, and it fails writes or syncs on command.
 *
 * PLUMBLINE_SHIM_FOLDER   files below it are watched
 * PLUMBLINE_SHIM_LOG      the record: {kind u8, file u8, pad u16, length u32, offset u64} and the data; absent for none
 * PLUMBLINE_SHIM_CONTROL  a file of four int32, mapped: what to fail (1 writes with ENOSPC, 2 writes with EIO, 3 syncs
 *                         with EIO), how many calls to let pass first, how many to fail then, how many have failed
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NONE, DATABASE, LOG, ACKNOWLEDGEMENTS };
#define DESCRIPTORS 4096

static unsigned char kind_of[DESCRIPTORS];
static const char *folder;
static int record = -1;
static volatile int32_t *control;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int (*real_open)(const char *, int, ...);
static int (*real_open64)(const char *, int, ...);
static int (*real_close)(int);
static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_ftruncate)(int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

__attribute__((constructor)) static void start(void) {
  real_open = dlsym(RTLD_NEXT, "open");
  real_open64 = dlsym(RTLD_NEXT, "open64");
  real_close = dlsym(RTLD_NEXT, "close");
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  folder = getenv("PLUMBLINE_SHIM_FOLDER");
  const char *log = getenv("PLUMBLINE_SHIM_LOG");
  if (log) record = real_open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  const char *path = getenv("PLUMBLINE_SHIM_CONTROL");
  int fd = path ? real_open(path, O_RDWR | O_CLOEXEC) : -1;
  if (fd >= 0) {
    void *map = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (map != MAP_FAILED) control = map;
    real_close(fd);
  }
}

static unsigned char kind(int fd) { return fd >= 0 && fd < DESCRIPTORS ? kind_of[fd] : NONE; }

static int ends(const char *text, const char *end) {
  size_t a = strlen(text), b = strlen(end);
  return a >= b && strcmp(text + a - b, end) == 0;
}

static int opened(const char *path, int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) {
    kind_of[fd] = NONE;
    if (folder && strncmp(path, folder, strlen(folder)) == 0) {
      if (ends(path, ".db")) kind_of[fd] = DATABASE;
      else if (ends(path, ".db-wal")) kind_of[fd] = LOG;
      else if (ends(path, "/acknowledged")) kind_of[fd] = ACKNOWLEDGEMENTS;
    }
  }
  return fd;
}

static void all(const void *data, size_t length) {
  const char *at = data;
  while (length > 0) {
    ssize_t done = real_write(record, at, length);
    if (done <= 0) abort(); /* a record with a hole would prove nothing */
    at += done;
    length -= done;
  }
}

static void note(char what, int fd, uint64_t offset, const void *data, uint32_t length) {
  if (record < 0) return;
  struct __attribute__((packed)) { uint8_t kind, file; uint16_t pad; uint32_t length; uint64_t offset; } head;
  head.kind = what, head.file = kind(fd), head.pad = 0, head.length = length, head.offset = offset;
  pthread_mutex_lock(&lock);
  all(&head, sizeof head);
  all(data, length);
  pthread_mutex_unlock(&lock);
}

/* The errno to fail with, or 0. */
static int fault(int is_sync) {
  if (!control || control[0] == 0 || is_sync != (control[0] == 3)) return 0;
  if (control[1] > 0) { control[1]--; return 0; }
  if (control[2] <= 0) return 0;
  control[2]--;
  control[3]++;
  return control[0] == 1 ? ENOSPC : EIO;
}

#define MODE(flags) \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { va_list list; va_start(list, flags); mode = va_arg(list, mode_t); va_end(list); }

int open(const char *path, int flags, ...) { MODE(flags) return opened(path, real_open(path, flags, mode)); }
int open64(const char *path, int flags, ...) { MODE(flags) return opened(path, real_open64(path, flags, mode)); }

int close(int fd) {
  if (fd >= 0 && fd < DESCRIPTORS) kind_of[fd] = NONE;
  return real_close(fd);
}

static ssize_t positioned(int fd, const void *data, size_t length, off_t offset) {
  unsigned char file = kind(fd);
  if (file == NONE) return real_pwrite(fd, data, length, offset);
  if (file != ACKNOWLEDGEMENTS) {
    int error = fault(0);
    if (error) { errno = error; return -1; }
  }
  ssize_t done = real_pwrite(fd, data, length, offset);
  if (done > 0) note('W', fd, offset, data, done);
  return done;
}

ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return positioned(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return positioned(fd, data, length, offset); }

ssize_t write(int fd, const void *data, size_t length) {
  unsigned char file = kind(fd);
  if (file == NONE) return real_write(fd, data, length);
  off_t offset = file == ACKNOWLEDGEMENTS ? 0 : lseek(fd, 0, SEEK_CUR);
  if (file != ACKNOWLEDGEMENTS) {
    int error = fault(0);
    if (error) { errno = error; return -1; }
  }
  ssize_t done = real_write(fd, data, length);
  if (done > 0) note(file == ACKNOWLEDGEMENTS ? 'A' : 'W', fd, offset, data, done);
  return done;
}

static int truncated(int fd, off_t length) {
  int result = real_ftruncate(fd, length);
  if (result == 0 && kind(fd) != NONE) note('T', fd, length, NULL, 0);
  return result;
}
int ftruncate(int fd, off_t length) { return truncated(fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(fd, length); }

static int synced(int fd, int (*real)(int)) {
  if (kind(fd) == NONE) return real(fd);
  int error = fault(1);
  if (error) { errno = error; return -1; }
  int result = real(fd);
  if (result == 0) note('S', fd, 0, NULL, 0);
  return result;
}
int fsync(int fd) { return synced(fd, real_fsync); }
int fdatasync(int fd) { return synced(fd, real_fdatasync); }
