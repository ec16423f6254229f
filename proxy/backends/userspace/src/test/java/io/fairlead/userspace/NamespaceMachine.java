package io.fairlead.userspace;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.BackendContract;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/// A fresh network namespace. The backend does all its work inside; `nft` says what is there.
final class NamespaceMachine implements BackendContract.Machine<UserspaceEntry> {
    static final NodeFacts NODE =
            NodeFacts.of("node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")));

    private final NetworkNamespace namespace =
            NetworkNamespace.create("flusm" + ProcessHandle.current().pid());

    @Override
    public Backend<UserspaceEntry> open() {
        return new Inside(
                UserspaceBackend.open(Preamble.NONE, RelayLimits.ofNode(2).withDrain(Duration.ZERO)));
    }

    @Override
    public String leftovers() {
        return nft("list", "ruleset");
    }

    NetworkNamespace namespace() {
        return namespace;
    }

    /// What `nft` prints; an error of it is one of the test.
    String nft(String... arguments) {
        ProcessBuilder builder = new ProcessBuilder("nft").redirectErrorStream(true);
        builder.command().addAll(List.of(arguments));
        return namespace.call(() -> {
            Process process = builder.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IOException("nft %s: %s".formatted(String.join(" ", arguments), output));
            }
            return output;
        });
    }

    @Override
    public void close() {
        namespace.delete();
    }

    private final class Inside implements Backend<UserspaceEntry> {
        private final UserspaceBackend backend;

        Inside(UserspaceBackend backend) {
            this.backend = backend;
        }

        @Override
        public Support support() {
            return namespace.call(backend::support);
        }

        @Override
        public Compiler<UserspaceEntry> compiler() {
            return backend.compiler();
        }

        @Override
        public Program<UserspaceEntry> observe(Extent extent) {
            return namespace.call(() -> backend.observe(extent));
        }

        @Override
        public Abilities abilities() {
            return Abilities.PROCESS_BOUND;
        }

        @Override
        public void apply(Patch<UserspaceEntry> patch) {
            namespace.run(() -> backend.apply(patch));
        }

        @Override
        public void close() {
            namespace.run(backend::close);
        }
    }
}
