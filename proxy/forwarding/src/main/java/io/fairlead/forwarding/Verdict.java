package io.fairlead.forwarding;

import java.util.List;

/// What becomes of a new connection.
public sealed interface Verdict {
    /// One of the targets gets it, each with the same chance; sorted by address.
    record SendTo(List<Target> targets) implements Verdict {
        public SendTo {
            targets = targets.stream().sorted().toList();
            if (targets.isEmpty()) {
                throw new IllegalArgumentException("no targets: use Reject or Drop");
            }
        }
    }

    /// The node tells the client at once that no endpoint answers.
    record Reject() implements Verdict {}

    /// The node tells the client nothing.
    record Drop() implements Verdict {}
}
