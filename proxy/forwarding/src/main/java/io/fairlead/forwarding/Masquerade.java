package io.fairlead.forwarding;

/// Which connections get the node's own address as source, so that the answers come back this way.
///
/// A pod that reaches itself is masqueraded always: without it the answer would never leave the pod.
public enum Masquerade {
    /// None: ClusterIPs, where the proxy does not know who is a pod.
    NEVER("never"),
    /// Those that do not come from a pod, as [LocalPods] sees it: ClusterIPs.
    OFF_CLUSTER("off-cluster"),
    /// Those of the node's own processes: what comes from outside stays on the node and keeps its source.
    FROM_NODE("from-node"),
    /// All: what may leave for another node.
    ALWAYS("always");

    private final String text;

    Masquerade(String text) {
        this.text = text;
    }

    @Override
    public String toString() {
        return text;
    }
}
