#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

int linux_enable_stamps(int fd, bool scheduled, bool software) {
  int flags = SOF_TIMESTAMPING_SOFTWARE | SOF_TIMESTAMPING_RX_SOFTWARE;
  if (scheduled) flags |= SOF_TIMESTAMPING_TX_SCHED;
  if (software) flags |= SOF_TIMESTAMPING_TX_SOFTWARE;
  if (setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof flags) < 0) return -errno;
  return 0;
}

static void take_address(const struct sockaddr_storage *from, struct linux_packet *packet) {
  packet->address_length = 0;
  if (from->ss_family == AF_INET) {
    const struct sockaddr_in *in = (const struct sockaddr_in *)from;
    memcpy(packet->address, &in->sin_addr, 4);
    packet->address_length = 4;
    packet->port = ntohs(in->sin_port);
  } else if (from->ss_family == AF_INET6) {
    const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)from;
    memcpy(packet->address, &in->sin6_addr, 16);
    packet->address_length = 16;
    packet->port = ntohs(in->sin6_port);
    packet->scope = in->sin6_scope_id;
  }
}

static void take_control(struct msghdr *message, struct linux_packet *packet) {
  for (struct cmsghdr *part = CMSG_FIRSTHDR(message); part; part = CMSG_NXTHDR(message, part)) {
    if (part->cmsg_level == SOL_SOCKET && part->cmsg_type == SO_TIMESTAMPING) {
      struct timespec stamp;
      memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
      packet->stamp_realtime_ns = stamp.tv_sec * 1000000000LL + stamp.tv_nsec;
    } else if (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_PKTINFO) {
      struct in_pktinfo info;
      memcpy(&info, CMSG_DATA(part), sizeof info);
      packet->interface = (uint32_t)info.ipi_ifindex;
    } else if (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_PKTINFO) {
      struct in6_pktinfo info;
      memcpy(&info, CMSG_DATA(part), sizeof info);
      packet->interface = info.ipi6_ifindex;
    } else if (
      (part->cmsg_level == IPPROTO_IP && part->cmsg_type == IP_RECVERR) ||
      (part->cmsg_level == IPPROTO_IPV6 && part->cmsg_type == IPV6_RECVERR)) {
      struct sock_extended_err extended;
      memcpy(&extended, CMSG_DATA(part), sizeof extended);
      if (extended.ee_origin == SO_EE_ORIGIN_TIMESTAMPING)
        packet->stamp_kind = extended.ee_info == SCM_TSTAMP_SCHED ? 1 : 0;
    }
  }
}

static int receive(
  int fd, uint8_t *bytes, size_t capacity, struct linux_packet *packet, int flags) {
  struct sockaddr_storage from = {0};
  char control[512];
  struct iovec room = {bytes, capacity};
  struct msghdr message = {
    .msg_name = &from, .msg_namelen = sizeof from, .msg_iov = &room, .msg_iovlen = 1,
    .msg_control = control, .msg_controllen = sizeof control,
  };
  memset(packet, 0, sizeof *packet);
  ssize_t length = recvmsg(fd, &message, flags | MSG_DONTWAIT);
  if (length < 0) return -errno;
  packet->length = length;
  packet->truncated = message.msg_flags & MSG_TRUNC;
  take_address(&from, packet);
  take_control(&message, packet);
  return 0;
}

int linux_receive(int fd, uint8_t *bytes, size_t capacity, struct linux_packet *packet) {
  return receive(fd, bytes, capacity, packet, 0);
}

int linux_receive_stamp(int fd, uint8_t *bytes, size_t capacity, struct linux_packet *packet) {
  return receive(fd, bytes, capacity, packet, MSG_ERRQUEUE);
}

int64_t linux_send(
  int fd, const uint8_t *bytes, size_t length, const uint8_t *address, uint32_t address_length,
  uint16_t port, uint32_t interface) {
  struct iovec part = {(void *)bytes, length};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  struct sockaddr_in to4 = {.sin_family = AF_INET, .sin_port = htons(port)};
  struct sockaddr_in6 to6 = {
    .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_scope_id = interface};
  char control[CMSG_SPACE(sizeof(struct in_pktinfo))] = {0};
  if (address_length == 4) {
    memcpy(&to4.sin_addr, address, 4);
    message.msg_name = &to4;
    message.msg_namelen = sizeof to4;
    if (interface) {
      struct in_pktinfo info = {.ipi_ifindex = (int)interface};
      message.msg_control = control;
      message.msg_controllen = sizeof control;
      struct cmsghdr *head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = IPPROTO_IP;
      head->cmsg_type = IP_PKTINFO;
      head->cmsg_len = CMSG_LEN(sizeof info);
      memcpy(CMSG_DATA(head), &info, sizeof info);
    }
  } else if (address_length == 16) {
    memcpy(&to6.sin6_addr, address, 16);
    message.msg_name = &to6;
    message.msg_namelen = sizeof to6;
  } else {
    return -EINVAL;
  }
  ssize_t sent = sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  return sent < 0 ? -errno : sent;
}
