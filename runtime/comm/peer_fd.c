/* SPDX-License-Identifier: MIT */
/* peer_fd.c - file descriptors go from process to process (peer_cuda.h). */
#include "peer_cuda.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

/* Names in Linux's abstract space: there is no file to leave behind. */
static socklen_t address_of(const char *name, struct sockaddr_un *a) {
  *a = (struct sockaddr_un){.sun_family = AF_UNIX};
  snprintf(a->sun_path + 1, sizeof a->sun_path - 1, "%.*s", PEER_NAME - 1, name);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name));
}

/* Is the process on the other side one of this user? Anybody may connect to an abstract name. */
static bool is_ours(int s) {
  struct ucred other;
  socklen_t n = sizeof other;
  return !getsockopt(s, SOL_SOCKET, SO_PEERCRED, &other, &n) && other.uid == geteuid();
}

static int new_socket(void) {
  struct timeval most = {.tv_sec = PEER_SECONDS};
  int s = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (s >= 0) setsockopt(s, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  return s;
}

int peer_offer_fd(char name[PEER_NAME]) {
  static unsigned count;
  struct sockaddr_un a;
  int s = new_socket();
  if (s < 0) return -1;
  snprintf(name, PEER_NAME, "vapl-peer-%ld-%u", (long)getpid(), count++);
  socklen_t n = address_of(name, &a);
  if (!bind(s, (struct sockaddr *)&a, n) && !listen(s, 64)) return s;
  close(s);
  return -1;
}

/* One byte, and the descriptor beside it. */
typedef union fd_message {
  struct cmsghdr head;
  char room[CMSG_SPACE(sizeof(int))];
} fd_message;

static int send_fd(int s, int fd) {
  fd_message beside = {.room = {0}};
  struct iovec one = {.iov_base = (char[]){1}, .iov_len = 1};
  struct msghdr m = {.msg_iov = &one,
                     .msg_iovlen = 1,
                     .msg_control = &beside,
                     .msg_controllen = sizeof beside};
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  h->cmsg_level = SOL_SOCKET;
  h->cmsg_type = SCM_RIGHTS;
  h->cmsg_len = CMSG_LEN(sizeof fd);
  memcpy(CMSG_DATA(h), &fd, sizeof fd);
  return sendmsg(s, &m, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int receive_fd(int s) {
  fd_message beside = {.room = {0}};
  char byte;
  int fd = -1;
  struct iovec one = {.iov_base = &byte, .iov_len = 1};
  struct msghdr m = {.msg_iov = &one,
                     .msg_iovlen = 1,
                     .msg_control = &beside,
                     .msg_controllen = sizeof beside};
  if (recvmsg(s, &m, MSG_CMSG_CLOEXEC) != 1) return -1;
  struct cmsghdr *h = CMSG_FIRSTHDR(&m);
  if (h && h->cmsg_type == SCM_RIGHTS) memcpy(&fd, CMSG_DATA(h), sizeof fd);
  return fd;
}

int peer_serve_fd(int socket, int fd) {
  for (;;) {
    int s = accept(socket, NULL, NULL);
    if (s < 0 && errno != EINTR) return -1;
    if (s < 0) continue;
    bool ours = is_ours(s);
    int result = ours ? send_fd(s, fd) : 0;
    close(s);
    if (ours) return result;
  }
}

int peer_fetch_fd(const char *name) {
  struct sockaddr_un a;
  socklen_t n = address_of(name, &a);
  int fd = -1, s = new_socket();
  if (s < 0) return -1;
  if (!connect(s, (struct sockaddr *)&a, n)) {
    errno = EPERM;
    if (is_ours(s)) fd = receive_fd(s);
  }
  close(s);
  return fd;
}
