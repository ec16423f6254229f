package io.fairlead.forwarding;

/// Which connections get the node's own address as source, so that the answers come back this way.
///
/// A pod that reaches itself is masqueraded always: without it the answer would never leave the pod.
public enum Masquerade {
    /// Those from outside the pod network: ClusterIPs.
    OFF_CLUSTER("off-cluster"),
    /// All: node ports under the Cluster policy.
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
