/* What these programs need of the kernel's interface to BPF (include/uapi/linux/bpf.h), and nothing else: so that the
 * build needs clang and no headers. */
#pragma once

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;

#define SEC(name) __attribute__((section(name), used))
#define INLINE static inline __attribute__((always_inline))

/* The loader makes a map for each variable of this type; its name is the map's. */
struct map {
    __u32 type;
    __u32 key_size;
    __u32 value_size;
    __u32 max_entries;
    __u32 flags;
};
#define HASH 1
#define ARRAY 2
#define LRU_HASH 9
#define NO_PREALLOC 1

/* A socket, and the context of the hooks that see one. */
struct bpf_sock {
    __u32 bound_dev_if;
    __u32 family;
    __u32 type;
    __u32 protocol;
    __u32 mark;
    __u32 priority;
    __u32 src_ip4;
    __u32 src_ip6[4];
    __u32 src_port;
    __u16 dst_port;
    __u16 unused;
    __u32 dst_ip4;
    __u32 dst_ip6[4];
    __u32 state;
};
#define CONNECTED 1

/* The context of the hooks that see an address on its way between a program and its socket. Addresses and ports are in
 * network order. */
struct bpf_sock_addr {
    __u32 user_family;
    __u32 user_ip4;
    __u32 user_ip6[4];
    __u32 user_port;
    __u32 family;
    __u32 type;
    __u32 protocol;
    __u32 msg_src_ip4;
    __u32 msg_src_ip6[4];
    struct bpf_sock *socket __attribute__((aligned(8)));
};

/* The context of the hook that sees what TCP does. */
struct bpf_sock_ops {
    __u32 op;
    __u32 args[4];
    __u32 family;
    __u32 remote_ip4;
    __u32 local_ip4;
    __u32 remote_ip6[4];
    __u32 local_ip6[4];
};
#define TCP_CONNECT_CB 3

#define AF_INET 2
#define AF_INET6 10
#define IPPROTO_TCP 6
#define IPPROTO_UDP 17
#define ECONNREFUSED 111

#define ANY 0
#define FAILS_IF_THERE 1

static void *(*lookup)(void *map, const void *key) = (void *)1;
static long (*update)(void *map, const void *key, const void *value, __u64 flags) = (void *)2;
static long (*delete)(void *map, const void *key) = (void *)3;
static __u32 (*random_u32)(void) = (void *)7;
static __u64 (*socket_cookie)(void *context) = (void *)46;
static __u64 (*netns_cookie)(void *context) = (void *)122;
static int (*set_retval)(int retval) = (void *)187;
