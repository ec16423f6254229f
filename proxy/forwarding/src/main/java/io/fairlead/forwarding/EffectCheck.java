package io.fairlead.forwarding;

import io.fairlead.api.Cidr;
import java.util.List;
import java.util.Optional;

/// Looks whether what a [Backend] programmed has its effect where the pods of the node are.
///
/// Called by a thread of its own, now and then.
public interface EffectCheck {
    /// What is wrong; nothing where all is well. `podNetworks` are those of this node's own pods.
    Optional<String> problem(List<Cidr> podNetworks);
}
