#include "CLinux.h"

#include <errno.h>
#include <linux/wireless.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

int linux_wireless_power_save(const char *name) {
  struct iwreq request;
  memset(&request, 0, sizeof request);
  size_t length = strlen(name);
  if (length >= sizeof request.ifr_name) return -ENAMETOOLONG;
  memcpy(request.ifr_name, name, length);
  int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return -errno;
  int status = ioctl(descriptor, SIOCGIWPOWER, &request) < 0 ? -errno : 0;
  close(descriptor);
  return status < 0 ? status : !request.u.power.disabled;
}
