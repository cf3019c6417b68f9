/// What Glibc's Swift module lacks: calls, flags and macros of Linux that Swift cannot import.
///
/// Every function returns what its system call returns, with -errno in place of -1, so that the
/// caller needs no second look at a thread-local. Nothing here decides anything.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What keeps the wall clock right (discipline.c).

/// What the kernel was told of CLOCK_REALTIME's error by whatever disciplines it.
struct linux_discipline {
  /// Whether it is taken for right: STA_UNSYNC is not set.
  bool synchronized;
  /// TIME_OK 0, TIME_INS 1, TIME_DEL 2, TIME_OOP 3, TIME_WAIT 4, TIME_ERROR 5.
  int state;
  int64_t estimated_error_ns;
  int64_t maximum_error_ns;
  /// TAI − UTC in seconds; 0 where nobody told.
  int tai_offset_s;
};
/// Reads the discipline of CLOCK_REALTIME by adjtimex(2), changing nothing.
int linux_read_discipline(struct linux_discipline *discipline);

// Events, timers, waiting (events.c).

/// A non-blocking eventfd, or -errno.
int linux_eventfd(void);
/// Adds one to an eventfd. Safe in a signal handler.
int linux_eventfd_signal(int fd);
/// Takes all that an eventfd holds; 0 when it held nothing.
int linux_eventfd_drain(int fd);

/// A close-on-exec epoll instance, or -errno.
int linux_epoll_create(void);
/// Watches `fd` for input (and for output where `output` is set), or changes what is watched.
int linux_epoll_watch(int epoll, int fd, uint64_t tag, bool input, bool output, bool change);
int linux_epoll_forget(int epoll, int fd);

struct linux_event {
  uint64_t tag;
  bool readable;
  bool writable;
  bool hung_up;
};
/// Waits up to `timeout_ns` (negative: for ever) for up to `capacity` events; their number, or
/// -errno. The wait is relative, so that no clock but the kernel's own is involved.
int linux_epoll_wait(int epoll, struct linux_event *events, int capacity, int64_t timeout_ns);

/// A non-blocking timerfd on CLOCK_MONOTONIC, or -errno.
int linux_timerfd(void);
/// Sets a timerfd to fire after `first_ns` and then every `interval_ns` (0: once).
int linux_timerfd_set(int fd, int64_t first_ns, int64_t interval_ns);

/// Makes `signal` add one to the eventfd `fd`, in place of its default.
int linux_signal_to_eventfd(int signal, int fd);
/// Ignores `signal`.
int linux_ignore_signal(int signal);
/// Lets `signal` through to this thread and to those that it makes.
int linux_unblock_signal(int signal);

// Packets with time stamps (packets.c).

struct linux_packet {
  /// The number of bytes read.
  int64_t length;
  /// The kernel's stamp in nanoseconds of CLOCK_REALTIME, or 0 where there is none.
  int64_t stamp_realtime_ns;
  /// What the stamp is: 0 software, 1 scheduled (from the error queue only).
  int32_t stamp_kind;
  /// The interface the packet came in on, or 0.
  uint32_t interface;
  /// The sender: 4 or 16 bytes of address in network order, 0 where there is none.
  uint32_t address_length;
  uint8_t address[16];
  uint16_t port;
  uint32_t scope;
  /// The packet was longer than the room for it.
  bool truncated;
};

/// Asks for software stamps at reception; and at transmission, with the packet looped back: of
/// when it was queued (`scheduled`), of when the driver took it (`software`).
int linux_enable_stamps(int fd, bool scheduled, bool software);
/// Reads one packet into `bytes`, or -errno (-EAGAIN when there is none).
int linux_receive(int fd, uint8_t *bytes, size_t capacity, struct linux_packet *packet);
/// Reads one looped packet with its transmission stamp from the error queue, or -errno.
int linux_receive_stamp(int fd, uint8_t *bytes, size_t capacity, struct linux_packet *packet);
/// Sends `bytes` to an address of 4 or 16 bytes; out of `interface` where that is not 0.
int64_t linux_send(
  int fd, const uint8_t *bytes, size_t length, const uint8_t *address, uint32_t address_length,
  uint16_t port, uint32_t interface);

// Sockets (sockets.c).

/// A non-blocking, close-on-exec socket of the family (4 or 6), for datagrams or for a stream.
int linux_socket(int family, bool stream);
/// Binds to an address of 4 or 16 bytes (0: any) and a port (0: any free).
int linux_bind(
  int fd, int family, const uint8_t *address, uint32_t address_length, uint16_t port,
  uint32_t scope);
/// The port that `fd` is bound to, or -errno.
int linux_bound_port(int fd);
int linux_set_reuse_address(int fd);
/// Delivers only what came in by an interface joined on this very socket.
int linux_set_multicast_all_off(int fd, int family);
/// Joins the group on an interface, named by its index (and, for IPv4, by its address too).
int linux_join_group(
  int fd, const uint8_t *group, uint32_t group_length, uint32_t interface,
  const uint8_t *interface_address);
/// Sends multicast out of the interface, to this host too, across no router.
int linux_set_multicast_out(
  int fd, int family, uint32_t interface, const uint8_t *interface_address);
/// Marks what is sent with the DSCP class "expedited forwarding" (46).
int linux_set_expedited(int fd, int family);
/// How much may wait to be read; beyond the system's limit only with the right to it.
int linux_set_receive_room(int fd, int bytes);
int linux_listen(int fd, int backlog);
/// Accepts a connection, non-blocking and close-on-exec; its address goes to `packet`.
int linux_accept(int fd, struct linux_packet *packet);
/// Begins to connect; -EINPROGRESS while that goes on.
int linux_connect(
  int fd, int family, const uint8_t *address, uint32_t address_length, uint16_t port,
  uint32_t scope);
/// The pending error of a socket, as a positive errno.
int linux_socket_error(int fd);
int linux_set_no_delay(int fd);
/// A stream socket at a path of the file system; -ENAMETOOLONG beyond 107 bytes.
int linux_unix_socket(void);
int linux_unix_bind(int fd, const char *path);
int linux_unix_connect(int fd, const char *path);
/// The user at the other end of a Unix socket, or -errno.
int64_t linux_unix_peer_user(int fd);

/// The groups of the process at the other end of a Unix socket, its main one first: up to
/// `capacity` of them; their number, or -errno.
int64_t linux_unix_peer_groups(int fd, uint32_t *groups, int capacity);
/// Has a socket send and receive by one interface only.
int linux_bind_to_interface(int fd, uint32_t interface);
/// Ends a connection whose bytes stay unacknowledged for so long.
int linux_set_user_timeout(int fd, int milliseconds);
/// A non-blocking socket that becomes readable when interfaces or their addresses change.
int linux_route_monitor(void);
/// Reads and drops what is there; how much that was.
int linux_drain(int fd);

struct linux_interface {
  char name[16];
  uint32_t index;
  uint32_t family;
  uint8_t address[16];
  bool up;
  bool loopback;
  bool multicast;
  bool point_to_point;
};
/// Fills in up to `capacity` addresses of this host's interfaces; their number, or -errno.
int linux_interfaces(struct linux_interface *interfaces, int capacity);

// Processes and threads (processes.c).

struct linux_spawn {
  const char *path;
  /// Both end with a null pointer. `environment` null: this process's own.
  char *const *arguments;
  char *const *environment;
  /// What the child has as its input, output and error; -1: /dev/null.
  int input;
  int output;
  int error;
};
/// Starts a process in a group of its own, with no signal blocked; its pid, or -errno.
int linux_start_process(const struct linux_spawn *spawn);
/// The status of an ended child through `status`; its pid, 0 while it runs, or -errno.
int linux_reap(int pid, bool wait, int *status);
/// Whether the status tells of an exit (its code), or of a signal (128 + its number).
int linux_exit_code(int status);

/// A pipe, close-on-exec at both ends.
int linux_pipe(int ends[2]);
/// Tells the kernel to send this process `signal` when its parent dies.
int linux_die_with_parent(int signal);
int linux_set_thread_name(const char *name);
/// Gives the calling thread a real-time priority (SCHED_FIFO), or returns -errno.
int linux_set_realtime_priority(int priority);
/// Lets the calling thread's naps end by `ns` nanoseconds late at most (50 000 otherwise), or
/// returns -errno.
int linux_set_timer_slack(uint64_t ns);
/// Locks a stretch of memory, or returns -errno.
int linux_lock_memory(const void *start, size_t length);
/// Fills `bytes` from the kernel's random source, or returns -errno.
int linux_random(uint8_t *bytes, size_t length);
/// This process's environment, as `NAME=value` strings up to a null pointer.
char *const *linux_environment(void);

// Files (files.c).

/// Reserves room for a file without changing its size, or returns -errno.
int linux_reserve(int fd, int64_t offset, int64_t length);
/// Locks a file for this process alone without waiting; -EWOULDBLOCK when another has it.
int linux_lock_file(int fd);
/// Gives the lock back, also for a child that was forked meanwhile and has not closed `fd` yet.
int linux_unlock_file(int fd);
/// Renames without ever replacing; -EEXIST when the new name is taken.
int linux_rename_new(const char *from, const char *to);

// Networks without wires (wireless.c).

/// Whether the wireless interface saves power between packets: 1, 0, or -errno; -EOPNOTSUPP or
/// -EINVAL for one with wires.
int linux_wireless_power_save(const char *name);

// Memory (memory.c).

/// From now on, blocks of `large` bytes and more go back to the system as soon as they are free, and
/// up to `idle` bytes of smaller ones are kept for the next use (mallopt).
int linux_hold_memory(int large, int idle);
