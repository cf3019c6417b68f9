// Floods hosts with forged datagrams, as somebody on their network could who does not know the
// passphrase: it listens to the multicast group, takes a real datagram's header for a model, and
// fills in noise behind it, under ever new numbers.
//
//     PacketFlood INTERFACE-ADDRESS RATE SECONDS TARGET[:PORT]...
//
// Half of the packets go to the multicast group, half to the targets in turn. They leave in trains
// that the kernel cuts into datagrams as late as it can (UDP_SEGMENT), so that one processor has
// time for the rate. Prints how many left, and at what rate.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
  group_port = 27767, usual_port = 27768, length = 130, most_targets = 16,
  // Datagrams of a train, and trains that are prepared: they leave one after another.
  train = 50, trains = 32
};

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

  static uint8_t packets[trains][train][length];
  uint8_t header[45];
  learn(interface, header);
  srand(1);
  for (int i = 0; i < trains * train; i++) {
    uint8_t *packet = packets[i / train][i % train];
    memcpy(packet, header, sizeof header);
    packet[1] = 4; // A heartbeat.
    packet[3] = 0;
    packet[4] = length;
    for (int at = 45; at < length; at++) packet[at] = (uint8_t)rand();
  }
  int fd = socket(AF_INET, SOCK_DGRAM, 0), room = 1 << 20;
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
  if (setsockopt(fd, IPPROTO_IP, IP_MULTICAST_IF, &interface, sizeof interface) < 0) fail("out");
  int quiet = 0;
  setsockopt(fd, IPPROTO_IP, IP_MULTICAST_LOOP, &quiet, sizeof quiet);

  int size = length;
  if (setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof size) < 0) fail("UDP_SEGMENT");

  uint64_t number = 1ULL << 40, sent = 0, turn = 0;
  int64_t start = now_ns(), end = start + (int64_t)(seconds * 1e9);
  for (int64_t now = start; now < end; now = now_ns(), turn++) {
    int64_t due = start + (int64_t)((double)sent / rate * 1e9);
    if (due > now) {
      struct timespec until = {.tv_sec = due / 1000000000, .tv_nsec = due % 1000000000};
      clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    uint8_t(*cars)[length] = packets[turn % trains];
    for (int i = 0; i < train; i++, number++)
      for (int byte = 0; byte < 8; byte++)
        cars[i][37 + byte] = (uint8_t)(number >> (56 - 8 * byte));
    struct sockaddr_in *place = turn % 2 ? &group : &to[turn / 2 % (uint64_t)targets];
    ssize_t left =
      sendto(fd, cars, train * length, 0, (struct sockaddr *)place, sizeof *place);
    if (left < 0 && errno != ENOBUFS && errno != EAGAIN && errno != ECONNREFUSED) fail("sendto");
    if (left > 0) sent += (uint64_t)left / length;
  }
  double took = (double)(now_ns() - start) * 1e-9;
  printf("%llu forged packets in %.1f s, %.0f a second\n", (unsigned long long)sent, took,
    (double)sent / took);
  return 0;
}
