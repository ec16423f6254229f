package io.fairlead.iptables;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.ServicePortName;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

/// The names of our chains: those of kube-proxy 1.36, which operators know and other tools look for.
final class ChainNames {
    static final String SERVICES = "KUBE-SERVICES";
    static final String EXTERNAL_SERVICES = "KUBE-EXTERNAL-SERVICES";
    static final String NODE_PORTS = "KUBE-NODEPORTS";
    static final String FORWARD = "KUBE-FORWARD";
    static final String FIREWALL = "KUBE-PROXY-FIREWALL";
    static final String POSTROUTING = "KUBE-POSTROUTING";
    static final String MARK_MASQUERADE = "KUBE-MARK-MASQ";
    static final String CANARY = "KUBE-PROXY-CANARY";
    /// Not of kube-proxy: the addresses of Services, whose other ports are refused.
    static final String CLUSTER_IPS = "KUBE-CLUSTER-IPS";
    /// Not of kube-proxy: the same for those that are in no network of Services that the node knows.
    static final String STRAY_IPS = "KUBE-STRAY-IPS";
    /// Not of kube-proxy: marks what comes from outside of several pod networks.
    static final String MARK_OFF_CLUSTER = "KUBE-MARK-OFF-CLUSTER";
    /// Not of kube-proxy: keeps others away from 127.0.0.1 where node ports answer there. (Its own name for this,
    /// KUBE-FIREWALL, belongs to the kubelet too.)
    static final String LOCALNET = "KUBE-LOCALNET";

    private static final Set<String> SHARED =
            Set.of(SERVICES, EXTERNAL_SERVICES, NODE_PORTS, FIREWALL, CLUSTER_IPS, STRAY_IPS);
    private static final Set<String> FIXED =
            Set.of(FORWARD, POSTROUTING, MARK_MASQUERADE, CANARY, MARK_OFF_CLUSTER, LOCALNET);

    private static final String SERVICE_PREFIX = "KUBE-SVC-";
    private static final String LOCAL_PREFIX = "KUBE-SVL-";
    private static final String EXTERNAL_PREFIX = "KUBE-EXT-";
    private static final String FIREWALL_PREFIX = "KUBE-FW-";
    private static final String ENDPOINT_PREFIX = "KUBE-SEP-";
    private static final List<String> PREFIXES =
            List.of(SERVICE_PREFIX, LOCAL_PREFIX, EXTERNAL_PREFIX, FIREWALL_PREFIX, ENDPOINT_PREFIX);

    private static final String BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    private static final int HASH_LENGTH = 16;

    private ChainNames() {}

    /// Chooses among all endpoints of a port.
    static String service(ServicePortName name) {
        return SERVICE_PREFIX + hashOf(text(name));
    }

    /// Chooses among the endpoints of a port that are on this node.
    static String local(ServicePortName name) {
        return LOCAL_PREFIX + hashOf(text(name));
    }

    /// Takes what comes to a port from outside.
    static String external(ServicePortName name) {
        return EXTERNAL_PREFIX + hashOf(text(name));
    }

    /// Lets the allowed sources pass to a port.
    static String firewall(ServicePortName name) {
        return FIREWALL_PREFIX + hashOf(text(name));
    }

    /// Leads to one endpoint of a port.
    static String endpoint(ServicePortName name, IpPort endpoint) {
        return ENDPOINT_PREFIX + hashOf(text(name) + endpoint);
    }

    /// Whether a chain of this name is ours, in whichever table.
    static boolean isOurs(String chain) {
        return SHARED.contains(chain)
                || FIXED.contains(chain)
                || PREFIXES.stream().anyMatch(chain::startsWith);
    }

    /// Whether many Services have a line in the chain: then lines come and go one by one.
    static boolean isShared(String chain) {
        return SHARED.contains(chain);
    }

    static boolean isEndpoint(String chain) {
        return chain.startsWith(ENDPOINT_PREFIX);
    }

    /// What the names of all chains of one port end with, but for those of its endpoints.
    static String hash(String chain) {
        return chain.substring(chain.lastIndexOf('-') + 1);
    }

    private static String text(ServicePortName name) {
        return name + name.protocol().lowerCase();
    }

    /// The first 80 bits of the SHA-256, in base 32.
    private static String hashOf(String text) {
        byte[] digest = sha256(text);
        StringBuilder hash = new StringBuilder(HASH_LENGTH);
        for (int i = 0; i < HASH_LENGTH; i++) {
            int bit = i * 5;
            int word = ((digest[bit / 8] & 0xff) << 8) | (digest[bit / 8 + 1] & 0xff);
            hash.append(BASE32.charAt((word >> (11 - bit % 8)) & 31));
        }
        return hash.toString();
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
