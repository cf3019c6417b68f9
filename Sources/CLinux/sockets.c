#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int result(int status) { return status < 0 ? -errno : status; }

static int set(int fd, int level, int option, int value) {
  return result(setsockopt(fd, level, option, &value, sizeof value));
}

int linux_socket(int family, bool stream) {
  int domain = family == 6 ? AF_INET6 : AF_INET;
  int type = (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_NONBLOCK | SOCK_CLOEXEC;
  int fd = socket(domain, type, 0);
  if (fd < 0) return -errno;
  if (family == 6) set(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  if (!stream) {
    // Which interface a packet came in on: the reply goes back the same way.
    if (family == 6) set(fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1);
    else set(fd, IPPROTO_IP, IP_PKTINFO, 1);
  }
  return fd;
}

static socklen_t fill(
  struct sockaddr_storage *storage, int family, const uint8_t *address, uint32_t length,
  uint16_t port, uint32_t scope) {
  memset(storage, 0, sizeof *storage);
  if (family == 6) {
    struct sockaddr_in6 *in = (struct sockaddr_in6 *)storage;
    in->sin6_family = AF_INET6;
    in->sin6_port = htons(port);
    in->sin6_scope_id = scope;
    if (length == 16) memcpy(&in->sin6_addr, address, 16);
    return sizeof *in;
  }
  struct sockaddr_in *in = (struct sockaddr_in *)storage;
  in->sin_family = AF_INET;
  in->sin_port = htons(port);
  if (length == 4) memcpy(&in->sin_addr, address, 4);
  return sizeof *in;
}

int linux_bind(
  int fd, int family, const uint8_t *address, uint32_t address_length, uint16_t port,
  uint32_t scope) {
  struct sockaddr_storage storage;
  socklen_t size = fill(&storage, family, address, address_length, port, scope);
  return result(bind(fd, (struct sockaddr *)&storage, size));
}

int linux_bound_port(int fd) {
  struct sockaddr_storage storage = {0};
  socklen_t size = sizeof storage;
  if (getsockname(fd, (struct sockaddr *)&storage, &size) < 0) return -errno;
  if (storage.ss_family == AF_INET6) return ntohs(((struct sockaddr_in6 *)&storage)->sin6_port);
  return ntohs(((struct sockaddr_in *)&storage)->sin_port);
}

int linux_set_reuse_address(int fd) { return set(fd, SOL_SOCKET, SO_REUSEADDR, 1); }

int linux_set_multicast_all_off(int fd, int family) {
  if (family == 6) return set(fd, IPPROTO_IPV6, 29 /* IPV6_MULTICAST_ALL */, 0);
  return set(fd, IPPROTO_IP, IP_MULTICAST_ALL, 0);
}

int linux_join_group(
  int fd, const uint8_t *group, uint32_t group_length, uint32_t interface,
  const uint8_t *interface_address) {
  if (group_length == 16) {
    struct ipv6_mreq request = {.ipv6mr_interface = interface};
    memcpy(&request.ipv6mr_multiaddr, group, 16);
    return result(setsockopt(fd, IPPROTO_IPV6, IPV6_JOIN_GROUP, &request, sizeof request));
  }
  struct ip_mreqn request = {.imr_ifindex = (int)interface};
  memcpy(&request.imr_multiaddr, group, 4);
  if (interface_address) memcpy(&request.imr_address, interface_address, 4);
  return result(setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &request, sizeof request));
}

int linux_set_multicast_out(
  int fd, int family, uint32_t interface, const uint8_t *interface_address) {
  if (family == 6) {
    set(fd, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, 1);
    set(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, 1);
    return set(fd, IPPROTO_IPV6, IPV6_MULTICAST_IF, (int)interface);
  }
  struct ip_mreqn request = {.imr_ifindex = (int)interface};
  if (interface_address) memcpy(&request.imr_address, interface_address, 4);
  set(fd, IPPROTO_IP, IP_MULTICAST_LOOP, 1);
  set(fd, IPPROTO_IP, IP_MULTICAST_TTL, 1);
  return result(setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &request, sizeof request));
}

int linux_set_expedited(int fd, int family) {
  int class = 46 << 2;
  return family == 6 ? set(fd, IPPROTO_IPV6, IPV6_TCLASS, class)
                     : set(fd, IPPROTO_IP, IP_TOS, class);
}

int linux_set_receive_room(int fd, int bytes) {
  if (set(fd, SOL_SOCKET, SO_RCVBUFFORCE, bytes) >= 0) return 0;
  return set(fd, SOL_SOCKET, SO_RCVBUF, bytes);
}

int linux_listen(int fd, int backlog) { return result(listen(fd, backlog)); }

int linux_accept(int fd, struct linux_packet *packet) {
  struct sockaddr_storage from = {0};
  socklen_t size = sizeof from;
  int accepted = accept4(fd, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (accepted < 0) return -errno;
  memset(packet, 0, sizeof *packet);
  if (from.ss_family == AF_INET) {
    memcpy(packet->address, &((struct sockaddr_in *)&from)->sin_addr, 4);
    packet->address_length = 4;
    packet->port = ntohs(((struct sockaddr_in *)&from)->sin_port);
  } else if (from.ss_family == AF_INET6) {
    memcpy(packet->address, &((struct sockaddr_in6 *)&from)->sin6_addr, 16);
    packet->address_length = 16;
    packet->port = ntohs(((struct sockaddr_in6 *)&from)->sin6_port);
    packet->scope = ((struct sockaddr_in6 *)&from)->sin6_scope_id;
  }
  return accepted;
}

int linux_connect(
  int fd, int family, const uint8_t *address, uint32_t address_length, uint16_t port,
  uint32_t scope) {
  struct sockaddr_storage storage;
  socklen_t size = fill(&storage, family, address, address_length, port, scope);
  return result(connect(fd, (struct sockaddr *)&storage, size));
}

int linux_socket_error(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0) return errno;
  return error;
}

int linux_set_no_delay(int fd) { return set(fd, IPPROTO_TCP, TCP_NODELAY, 1); }

int linux_unix_socket(void) {
  return result(socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
}

static int fill_path(struct sockaddr_un *address, const char *path) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
  strcpy(address->sun_path, path);
  return 0;
}

int linux_unix_bind(int fd, const char *path) {
  struct sockaddr_un address;
  int status = fill_path(&address, path);
  if (status < 0) return status;
  return result(bind(fd, (struct sockaddr *)&address, sizeof address));
}

int linux_unix_connect(int fd, const char *path) {
  struct sockaddr_un address;
  int status = fill_path(&address, path);
  if (status < 0) return status;
  return result(connect(fd, (struct sockaddr *)&address, sizeof address));
}

int64_t linux_unix_peer_user(int fd) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -errno;
  return credentials.uid;
}

int64_t linux_unix_peer_groups(int fd, uint32_t *groups, int capacity) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (capacity < 1) return -EINVAL;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) < 0) return -errno;
  groups[0] = credentials.gid;
  size = (socklen_t)((size_t)(capacity - 1) * sizeof *groups);
  if (getsockopt(fd, SOL_SOCKET, 59 /* SO_PEERGROUPS */, groups + 1, &size) < 0) return 1;
  return 1 + size / sizeof *groups;
}

int linux_bind_to_interface(int fd, uint32_t interface) {
  return set(fd, SOL_SOCKET, 62 /* SO_BINDTOIFINDEX */, (int)interface);
}

int linux_set_user_timeout(int fd, int milliseconds) {
  return set(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, milliseconds);
}

int linux_route_monitor(void) {
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
  if (fd < 0) return -errno;
  struct sockaddr_nl address = {
    .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR};
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    int status = -errno;
    close(fd);
    return status;
  }
  return fd;
}

int linux_drain(int fd) {
  char room[8192];
  // Whatever it says, the interfaces are looked at anew; bounded, since others may say much.
  for (int turn = 0; turn < 64; turn++)
    if (recv(fd, room, sizeof room, MSG_DONTWAIT) < 0 && errno != ENOBUFS) return turn;
  return 64;
}

int linux_interfaces(struct linux_interface *interfaces, int capacity) {
  struct ifaddrs *all = NULL;
  int count = 0;
  if (getifaddrs(&all) < 0) return -errno;
  for (struct ifaddrs *one = all; one && count < capacity; one = one->ifa_next) {
    if (!one->ifa_addr) continue;
    int family = one->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    struct linux_interface *entry = &interfaces[count++];
    memset(entry, 0, sizeof *entry);
    strncpy(entry->name, one->ifa_name, sizeof entry->name - 1);
    entry->index = if_nametoindex(one->ifa_name);
    entry->family = family == AF_INET ? 4 : 6;
    if (family == AF_INET)
      memcpy(entry->address, &((struct sockaddr_in *)one->ifa_addr)->sin_addr, 4);
    else
      memcpy(entry->address, &((struct sockaddr_in6 *)one->ifa_addr)->sin6_addr, 16);
    entry->up = (one->ifa_flags & IFF_UP) && (one->ifa_flags & IFF_RUNNING);
    entry->loopback = one->ifa_flags & IFF_LOOPBACK;
    entry->multicast = one->ifa_flags & IFF_MULTICAST;
    entry->point_to_point = one->ifa_flags & IFF_POINTOPOINT;
  }
  freeifaddrs(all);
  return count;
}
