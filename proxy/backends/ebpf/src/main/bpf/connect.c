/* Services at connect time: a program of this node that connects to a Service is connected to one of its targets, and
 * told afterwards that its peer is the Service. What these programs leave alone goes on as packets, and meets the layer
 * below. */
#include "tables.h"

#define GO_ON 1
#define STOP 0
#define MOST_TRIES 3

enum way { LEAVE, LEAD, REFUSE };

INLINE struct address mapped(__u32 ip4) {
    return (struct address){{0, 0, 0xffff0000, ip4}};
}

INLINE int is_mapped(const struct address *ip) {
    return ip->part[0] == 0 && ip->part[1] == 0 && ip->part[2] == 0xffff0000;
}

INLINE int is_same(const struct address *one, const struct address *other) {
    return one->part[0] == other->part[0] && one->part[1] == other->part[1] && one->part[2] == other->part[2] &&
           one->part[3] == other->part[3];
}

/* The destination of a call, or the address that a call is about to give back. */
INLINE struct place read4(struct bpf_sock_addr *context, __u8 protocol) {
    return (struct place){mapped(context->user_ip4), (__u16)context->user_port, protocol, 0};
}

INLINE struct place read6(struct bpf_sock_addr *context, __u8 protocol) {
    return (struct place){{{context->user_ip6[0], context->user_ip6[1], context->user_ip6[2], context->user_ip6[3]}},
                          (__u16)context->user_port, protocol, 0};
}

INLINE void write4(struct bpf_sock_addr *context, const struct place *place) {
    context->user_ip4 = place->ip.part[3];
    context->user_port = place->port;
}

INLINE void write6(struct bpf_sock_addr *context, const struct place *place) {
    context->user_ip6[0] = place->ip.part[0];
    context->user_ip6[1] = place->ip.part[1];
    context->user_ip6[2] = place->ip.part[2];
    context->user_ip6[3] = place->ip.part[3];
    context->user_port = place->port;
}

/* Whether the client may be one of the targets. Such a connection needs another source, which only the layer below can
 * give it; so does one of a client whose own address was not seen yet. */
INLINE int may_reach_itself(struct bpf_sock_addr *context, const struct service *found, const struct place *frontend) {
    if (!(found->flags & LOCAL))
        return 0;
    struct client key = {netns_cookie(context), is_mapped(&frontend->ip) ? AF_INET : AF_INET6, 0};
    struct address *own = lookup(&client, &key);
    if (!own)
        return 1;
    struct local pod = {found->set, *own};
    return lookup(&local, &pod) != 0;
}

INLINE __u32 number(const struct service *found) {
    if (!(found->flags & BY_TURNS))
        return (__u32)(((__u64)random_u32() * found->slots) >> 32);
    __u64 first = 0;
    __u64 set = found->set;
    __u64 *next = lookup(&turn, &set);
    if (!next) {
        update(&turn, &set, &first, FAILS_IF_THERE);
        next = lookup(&turn, &set);
        if (!next)
            return 0;
    }
    return __sync_fetch_and_add(next, 1) % (found->slots ? found->slots : 1);
}

/* A set may go while it is read: then the frontend has another by now. */
INLINE enum way choose(struct bpf_sock_addr *context, const struct place *frontend, struct association *chosen) {
#pragma unroll
    for (int i = 0; i < MOST_TRIES; i++) {
        struct service *found = lookup(&service, frontend);
        if (!found)
            return LEAVE;
        if (found->flags & REFUSES)
            return REFUSE;
        if (may_reach_itself(context, found, frontend))
            return LEAVE;
        struct slot key = {found->set, number(found), 0};
        struct place *target = lookup(&endpoint, &key);
        if (target) {
            chosen->set = key.set;
            chosen->target = *target;
            return LEAD;
        }
    }
    return LEAVE;
}

INLINE void count_one(const struct pair *key) {
    __u64 none = 0;
    __u64 *count = lookup(&connection, key);
    if (!count) {
        update(&connection, key, &none, FAILS_IF_THERE);
        count = lookup(&connection, key);
        if (!count)
            return;
    }
    __sync_fetch_and_add(count, 1);
}

/* A connection counts for its Service, and for its target if it has one. */
INLINE void count(struct pair *pair) {
    struct pair whole = {pair->frontend, {}};
    count_one(&whole);
    count_one(pair);
}

INLINE int refuse(const struct place *frontend) {
    struct pair whole = {*frontend, {}};
    count_one(&whole);
    set_retval(-ECONNREFUSED);
    return STOP;
}

/* ---- TCP */

/* What is not remembered is not led: the client would be told another peer than it asked for. */
INLINE enum way connect(struct bpf_sock_addr *context, const struct place *frontend, struct association *chosen) {
    enum way way = choose(context, frontend, chosen);
    if (way != LEAD)
        return way;
    struct pair pair = {*frontend, chosen->target};
    __u64 socket = socket_cookie(context);
    if (update(&peer, &socket, &pair, ANY))
        return LEAVE;
    count(&pair);
    return LEAD;
}

SEC("cgroup/connect4")
int connect4(struct bpf_sock_addr *context) {
    if (context->protocol != IPPROTO_TCP)
        return GO_ON;
    struct place frontend = read4(context, IPPROTO_TCP);
    struct association chosen = {};
    enum way way = connect(context, &frontend, &chosen);
    if (way == LEAD)
        write4(context, &chosen.target);
    return way == REFUSE ? refuse(&frontend) : GO_ON;
}

SEC("cgroup/connect6")
int connect6(struct bpf_sock_addr *context) {
    if (context->protocol != IPPROTO_TCP)
        return GO_ON;
    struct place frontend = read6(context, IPPROTO_TCP);
    struct association chosen = {};
    enum way way = connect(context, &frontend, &chosen);
    if (way == LEAD)
        write6(context, &chosen.target);
    return way == REFUSE ? refuse(&frontend) : GO_ON;
}

INLINE const struct place *asked(struct bpf_sock_addr *context, const struct place *shown) {
    __u64 socket = socket_cookie(context);
    struct pair *pair = lookup(&peer, &socket);
    return pair && is_same(&pair->target.ip, &shown->ip) && pair->target.port == shown->port ? &pair->frontend : 0;
}

SEC("cgroup/getpeername4")
int getpeername4(struct bpf_sock_addr *context) {
    struct place shown = read4(context, IPPROTO_TCP);
    const struct place *frontend = asked(context, &shown);
    if (frontend)
        write4(context, frontend);
    return GO_ON;
}

SEC("cgroup/getpeername6")
int getpeername6(struct bpf_sock_addr *context) {
    struct place shown = read6(context, IPPROTO_TCP);
    const struct place *frontend = asked(context, &shown);
    if (frontend)
        write6(context, frontend);
    return GO_ON;
}

SEC("cgroup/sock_release")
int sock_release(struct bpf_sock *context) {
    __u64 socket = socket_cookie(context);
    delete(&peer, &socket);
    return GO_ON;
}

/* ---- UDP: sockets that name the destination with each datagram. One that is connected sends without a hook, and could
 * not be led elsewhere when its target goes: it is left to the layer below. */

/* The kernel names the destination for a connected socket too, where IPv4 is spoken through an IPv6 socket. */
INLINE int is_connected(struct bpf_sock_addr *context) {
    struct bpf_sock *socket = context->socket;
    return socket && socket->state == CONNECTED;
}

/* The target that this socket had before, if it is still one. */
INLINE int is_kept(const struct talk *key, const struct service *found, struct association *kept) {
    struct association *known = lookup(&association, key);
    if (!known)
        return 0;
    *kept = *known;
    if (kept->set == found->set)
        return 1;
    struct member still = {found->set, kept->target, 0};
    return lookup(&member, &still) != 0;
}

INLINE enum way send(struct bpf_sock_addr *context, const struct place *frontend, struct association *chosen) {
    struct service *found = lookup(&service, frontend);
    if (!found)
        return LEAVE;
    struct talk asked = {socket_cookie(context), *frontend, 0};
    if (!(found->flags & REFUSES) && !may_reach_itself(context, found, frontend) && is_kept(&asked, found, chosen))
        return LEAD;
    enum way way = choose(context, frontend, chosen);
    if (way != LEAD)
        return way;
    struct talk answered = {asked.socket, chosen->target, 0};
    if (update(&reply, &answered, frontend, ANY) || update(&association, &asked, chosen, ANY))
        return LEAVE;
    struct pair pair = {*frontend, chosen->target};
    count(&pair);
    return LEAD;
}

SEC("cgroup/sendmsg4")
int sendmsg4(struct bpf_sock_addr *context) {
    if (is_connected(context))
        return GO_ON;
    struct place frontend = read4(context, IPPROTO_UDP);
    struct association chosen = {};
    enum way way = send(context, &frontend, &chosen);
    if (way == LEAD)
        write4(context, &chosen.target);
    return way == REFUSE ? refuse(&frontend) : GO_ON;
}

SEC("cgroup/sendmsg6")
int sendmsg6(struct bpf_sock_addr *context) {
    if (is_connected(context))
        return GO_ON;
    struct place frontend = read6(context, IPPROTO_UDP);
    struct association chosen = {};
    enum way way = send(context, &frontend, &chosen);
    if (way == LEAD)
        write6(context, &chosen.target);
    return way == REFUSE ? refuse(&frontend) : GO_ON;
}

SEC("cgroup/recvmsg4")
int recvmsg4(struct bpf_sock_addr *context) {
    struct talk key = {socket_cookie(context), read4(context, IPPROTO_UDP), 0};
    struct place *frontend = lookup(&reply, &key);
    if (frontend)
        write4(context, frontend);
    return GO_ON;
}

SEC("cgroup/recvmsg6")
int recvmsg6(struct bpf_sock_addr *context) {
    struct talk key = {socket_cookie(context), read6(context, IPPROTO_UDP), 0};
    struct place *frontend = lookup(&reply, &key);
    if (frontend)
        write6(context, frontend);
    return GO_ON;
}

/* ---- The client's own address: seen when a socket is bound to one, and when the kernel has chosen one. */

INLINE void learn(__u64 netns, const struct address *ip) {
    int four = is_mapped(ip);
    if (four ? (ip->part[3] & 0xff) == 127 || !ip->part[3] : !(ip->part[0] | ip->part[1] | ip->part[2]))
        return; /* loopback, or none */
    struct client key = {netns, four ? AF_INET : AF_INET6, 0};
    struct address *known = lookup(&client, &key);
    if (!known || !is_same(known, ip))
        update(&client, &key, ip, ANY);
}

SEC("cgroup/post_bind4")
int post_bind4(struct bpf_sock *context) {
    struct address ip = mapped(context->src_ip4);
    learn(netns_cookie(context), &ip);
    return GO_ON;
}

SEC("cgroup/post_bind6")
int post_bind6(struct bpf_sock *context) {
    struct address ip = {{context->src_ip6[0], context->src_ip6[1], context->src_ip6[2], context->src_ip6[3]}};
    learn(netns_cookie(context), &ip);
    return GO_ON;
}

SEC("sockops")
int sock_ops(struct bpf_sock_ops *context) {
    if (context->op != TCP_CONNECT_CB)
        return GO_ON;
    struct address ip = mapped(context->local_ip4);
    if (context->family == AF_INET6) {
        ip.part[0] = context->local_ip6[0];
        ip.part[1] = context->local_ip6[1];
        ip.part[2] = context->local_ip6[2];
        ip.part[3] = context->local_ip6[3];
    }
    learn(netns_cookie(context), &ip);
    return GO_ON;
}

char terms[] SEC("license") = "Apache-2.0";
