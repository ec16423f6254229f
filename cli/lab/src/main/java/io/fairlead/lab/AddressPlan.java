package io.fairlead.lab;

import io.fairlead.api.Cidr;
import io.fairlead.api.Family;
import io.fairlead.api.Ip;

/// The addresses of a cluster in one family: which block is for whom, and who in it has which address.
///
/// The first address of each block belongs to the outer namespace, which is the router of all.
public record AddressPlan(Cidr nodes, Cidr pods, Cidr services, Cidr clients, Cidr host) {

    public static final AddressPlan IPV4 = new AddressPlan(
            Cidr.parse("10.210.0.0/24"),
            Cidr.parse("10.244.0.0/16"),
            Cidr.parse("10.96.0.0/16"),
            Cidr.parse("198.51.100.0/24"),
            Cidr.parse("10.211.0.0/30"));

    public static final AddressPlan IPV6 = new AddressPlan(
            Cidr.parse("fd00:210::/64"),
            Cidr.parse("fd00:244::/32"),
            Cidr.parse("fd00:96::/112"),
            Cidr.parse("2001:db8::/64"),
            Cidr.parse("fd00:211::/126"));

    public Family family() {
        return nodes.family();
    }

    /// The control plane, and the router of the nodes.
    public Ip router() {
        return nodes.at(1);
    }

    /// The node of this number, from 1: `10.210.0.11`, `fd00:210::11`.
    public Ip node(int number) {
        return nodes.at(ten() + number);
    }

    /// The addresses of one node's pods: `10.244.1.0/24`, `fd00:244:1::/64`.
    public Cidr podCidr(int node) {
        Ip all = pods.network();
        return switch (family()) {
            case IPV4 -> new Cidr(all.plus(256L * node), 24);
            case IPV6 -> new Cidr(new Ip(Family.IPV6, all.high() + ((long) node << 16), all.low()), 64);
        };
    }

    /// The outside client: `198.51.100.10`.
    public Ip client() {
        return clients.at(ten());
    }

    /// The outside client's router.
    public Ip clientRouter() {
        return clients.at(1);
    }

    /// This machine's end of its link into the cluster.
    public Ip hostEnd() {
        return host.at(1);
    }

    /// The cluster's end of the link to this machine.
    public Ip clusterEnd() {
        return host.at(2);
    }

    /// The addresses for load balancers, on the network of the nodes: `10.210.0.200-10.210.0.250`.
    public String balancers() {
        return family() == Family.IPV4 ? nodes.at(200) + "-" + nodes.at(250) : nodes.at(0x200) + "-" + nodes.at(0x250);
    }

    /// Written as 10 in both families, so that the addresses of a node look alike.
    private int ten() {
        return family() == Family.IPV4 ? 10 : 0x10;
    }
}
