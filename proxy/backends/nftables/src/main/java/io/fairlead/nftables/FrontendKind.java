package io.fairlead.nftables;

import io.fairlead.api.Family;
import io.fairlead.forwarding.Frontend;
import java.util.List;

/// By what a connection is recognised, and so in which sets its frontend stands.
enum FrontendKind {
    /// An address and a port.
    ADDRESS(
            "n",
            SetShape.SERVICE,
            SetShape.INSIDE,
            SetShape.ENDPOINT,
            SetShape.STICKY,
            SetShape.SLOT,
            SetShape.BACKEND,
            SetShape.INSIDE_BACKEND),
    /// A port of the node's own addresses.
    NODE_PORT(
            "p",
            SetShape.NODEPORT,
            SetShape.INSIDE_NODEPORT,
            SetShape.NODEPORT_ENDPOINT,
            SetShape.NODEPORT_STICKY,
            SetShape.NODEPORT_SLOT,
            SetShape.NODEPORT_BACKEND,
            SetShape.INSIDE_NODEPORT_BACKEND);

    private final String letter;
    private final SetShape services;
    private final SetShape inside;
    private final SetShape endpoints;
    private final SetShape sticky;
    private final SetShape slots;
    private final SetShape backends;
    private final SetShape insideBackends;

    FrontendKind(
            String letter,
            SetShape services,
            SetShape inside,
            SetShape endpoints,
            SetShape sticky,
            SetShape slots,
            SetShape backends,
            SetShape insideBackends) {
        this.letter = letter;
        this.services = services;
        this.inside = inside;
        this.endpoints = endpoints;
        this.sticky = sticky;
        this.slots = slots;
        this.backends = backends;
        this.insideBackends = insideBackends;
    }

    static FrontendKind of(Frontend frontend) {
        return switch (frontend) {
            case Frontend.VirtualAddress _, Frontend.ExternalAddress _, Frontend.LoadBalancerAddress _ -> ADDRESS;
            case Frontend.NodePort _ -> NODE_PORT;
        };
    }

    /// The key under which a frontend stands in its sets.
    static Bytes key(Frontend frontend) {
        return switch (frontend) {
            case Frontend.VirtualAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.ExternalAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.LoadBalancerAddress(var ip, var protocol, var port) ->
                Bytes.NONE.and(ip).and(protocol).andPort(port);
            case Frontend.NodePort(var _, var protocol, var port) ->
                Bytes.NONE.and(protocol).andPort(port);
        };
    }

    /// Loads the key of a packet's frontend into the first registers.
    List<Expression> load(Family family) {
        return switch (this) {
            case ADDRESS -> Steps.loadAddressAndPort(family);
            case NODE_PORT -> Steps.loadPort();
        };
    }

    /// The register behind that key.
    int next(Family family) {
        return Layout.FIRST_REGISTER + services.keyRegisters(family);
    }

    String letter() {
        return letter;
    }

    SetShape services() {
        return services;
    }

    SetShape inside() {
        return inside;
    }

    SetShape endpoints() {
        return endpoints;
    }

    SetShape sticky() {
        return sticky;
    }

    SetShape slots() {
        return slots;
    }

    SetShape backends(boolean inside) {
        return inside ? insideBackends : backends;
    }
}
