// Floods hosts with forged datagrams, as somebody on their network could who does not know the
// passphrase: it listens to the multicast group, takes a real datagram's header for a model, and
// fills in noise behind it, under ever new numbers.
//
//     PacketFlood INTERFACE-ADDRESS RATE SECONDS TARGET[:PORT]...
//
// Half of the packets go to the multicast group, half to the targets in turn. Prints how many
// left, and at what rate.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { group_port = 27767, usual_port = 27768, batch = 256, length = 130, most_targets = 16 };

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

// Waits for one genuine datagram and keeps its first 45 bytes: they travel in clear.
static void learn(struct in_addr interface, uint8_t *header) {
  int fd = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(group_port)};
  inet_pton(AF_INET, "239.255.77.67", &group.sin_addr);
  if (bind(fd, (struct sockaddr *)&group, sizeof group) < 0) fail("bind");
  struct ip_mreq join = {.imr_multiaddr = group.sin_addr, .imr_interface = interface};
  if (setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &join, sizeof join) < 0) fail("join");
  struct timeval patience = {.tv_sec = 10};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  uint8_t packet[2048];
  ssize_t count = recv(fd, packet, sizeof packet, 0);
  if (count < 85) fail("nothing was heard");
  memcpy(header, packet, 45);
  close(fd);
}

int main(int count, char **words) {
  if (count < 5 || count - 4 > most_targets) {
    fprintf(stderr, "usage: PacketFlood INTERFACE-ADDRESS RATE SECONDS TARGET[:PORT]...\n");
    return 64;
  }
  struct in_addr interface;
  if (inet_pton(AF_INET, words[1], &interface) != 1) fail("address");
  double rate = atof(words[2]), seconds = atof(words[3]);
  struct sockaddr_in to[most_targets + 1] = {0};
  int targets = count - 4;
  for (int i = 0; i < targets; i++) {
    char *colon = strchr(words[4 + i], ':');
    if (colon) *colon = 0;
    to[i].sin_family = AF_INET;
    to[i].sin_port = htons(colon ? atoi(colon + 1) : usual_port);
    if (inet_pton(AF_INET, words[4 + i], &to[i].sin_addr) != 1) fail("target");
  }
  struct sockaddr_in group = {.sin_family = AF_INET, .sin_port = htons(group_port)};
  inet_pton(AF_INET, "239.255.77.67", &group.sin_addr);

  uint8_t packets[batch][length];
  struct iovec parts[batch];
  struct mmsghdr messages[batch];
  memset(messages, 0, sizeof messages);
  uint8_t header[45];
  learn(interface, header);
  srand(1);
  for (int i = 0; i < batch; i++) {
    memcpy(packets[i], header, sizeof header);
    packets[i][1] = 4; // A heartbeat.
    packets[i][3] = 0;
    packets[i][4] = length;
    for (int at = 45; at < length; at++) packets[i][at] = (uint8_t)rand();
    parts[i] = (struct iovec){packets[i], length};
    struct sockaddr_in *place = i % 2 ? &group : &to[i / 2 % targets];
    messages[i].msg_hdr = (struct msghdr){
      .msg_name = place, .msg_namelen = sizeof *place, .msg_iov = &parts[i], .msg_iovlen = 1};
  }
  int fd = socket(AF_INET, SOCK_DGRAM, 0), room = 1 << 20;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface) < 0) fail("out");
  int quiet = 0;
  setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &quiet, sizeof quiet);

  uint64_t number = 1ULL << 40, sent = 0;
  int64_t start = now_ns(), end = start + (int64_t)(seconds * 1e9);
  for (int64_t now = start; now < end; now = now_ns()) {
    if ((double)sent > (double)(now - start) * 1e-9 * rate) {
      usleep(200);
      continue;
    }
    for (int i = 0; i < batch; i++, number++)
      for (int byte = 0; byte < 8; byte++)
        packets[i][37 + byte] = (uint8_t)(number >> (56 - 8 * byte));
    int left = sendmmsg(fd, messages, batch, 0);
    if (left < 0 && errno != ENOBUFS && errno != EAGAIN && errno != ECONNREFUSED) fail("sendmmsg");
    if (left > 0) sent += (uint64_t)left;
  }
  double took = (double)(now_ns() - start) * 1e-9;
  printf("%llu forged packets in %.1f s, %.0f a second\n", (unsigned long long)sent, took,
    (double)sent / took);
  return 0;
}
