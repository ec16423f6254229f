/* What user space and the programs have in common: the maps. EbpfTable.java names them with the same sizes. */
#pragma once
#include "kernel.h"

/* An IPv4 address stands here as ::ffff:a.b.c.d: so every table holds both families, and a client that speaks IPv4
 * through an IPv6 socket finds the same entries. */
struct address {
    __u32 part[4];
};

struct place { /* a frontend or a target */
    struct address ip;
    __u16 port; /* network order */
    __u8 protocol;
    __u8 unused;
};

/* What a frontend leads to. The targets are a set that never changes: other targets are another set. */
struct service {
    __u64 set;
    __u32 slots;
    __u32 flags;
};
#define REFUSES 1  /* there is no target: the program tells the client so */
#define LOCAL 2    /* a pod of this node is among the targets: it may be the client itself */
#define BY_TURNS 4 /* round robin; else by chance */

struct slot {
    __u64 set;
    __u32 number;
    __u32 unused;
};

struct member {
    __u64 set;
    struct place target;
    __u32 unused;
};

struct local {
    __u64 set;
    struct address ip;
};

struct name {
    char text[192];
};

/* Written by user space. */
struct map SEC("maps") service = {HASH, sizeof(struct place), sizeof(struct service), 131072, NO_PREALLOC};
struct map SEC("maps") endpoint = {HASH, sizeof(struct slot), sizeof(struct place), 524288, NO_PREALLOC};
struct map SEC("maps") member = {HASH, sizeof(struct member), sizeof(__u32), 131072, NO_PREALLOC};
struct map SEC("maps") local = {HASH, sizeof(struct local), sizeof(__u32), 65536, NO_PREALLOC};
struct map SEC("maps") name = {HASH, sizeof(struct place), sizeof(struct name), 131072, NO_PREALLOC};

/* Written by the programs. */

struct pair { /* what a socket was told, and where it was led */
    struct place frontend;
    struct place target;
};

struct talk { /* a socket and one other end */
    __u64 socket;
    struct place other;
    __u32 unused;
};

struct association {
    __u64 set;
    struct place target;
    __u32 unused;
};

struct client {
    __u64 netns;
    __u32 family;
    __u32 unused;
};

struct map SEC("maps") peer = {HASH, sizeof(__u64), sizeof(struct pair), 262144, NO_PREALLOC};
struct map SEC("maps") association = {LRU_HASH, sizeof(struct talk), sizeof(struct association), 16384, 0};
struct map SEC("maps") reply = {LRU_HASH, sizeof(struct talk), sizeof(struct place), 16384, 0};
struct map SEC("maps") client = {LRU_HASH, sizeof(struct client), sizeof(struct address), 4096, 0};
struct map SEC("maps") turn = {LRU_HASH, sizeof(__u64), sizeof(__u64), 4096, 0};
struct map SEC("maps") connection = {LRU_HASH, sizeof(struct pair), sizeof(__u64), 65536, 0};
