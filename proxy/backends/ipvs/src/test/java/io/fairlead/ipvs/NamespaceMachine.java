package io.fairlead.ipvs;

import io.fairlead.api.Cidr;
import io.fairlead.forwarding.Abilities;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Compiler;
import io.fairlead.forwarding.Extent;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Patch;
import io.fairlead.forwarding.Program;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.Command;
import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.BackendContract;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/// A fresh network namespace of the guest. The backend does all its work inside; the usual tools say what is there.
final class NamespaceMachine implements BackendContract.Machine<IpvsEntry> {
    static final NodeFacts NODE = NodeFacts.of(
                    "node-1", List.of(Cidr.parse("10.244.0.0/16"), Cidr.parse("fd00:244::/48")))
            .withServiceNetworks(List.of(Cidr.parse("10.96.0.0/16"), Cidr.parse("fd00:96::/112")));
    static final IpvsOptions OPTIONS = IpvsOptions.DEFAULT.withCompare(Duration.ZERO);

    private final NetworkNamespace namespace =
            NetworkNamespace.create("flipvs" + ProcessHandle.current().pid());

    @Override
    public Inside open() {
        return open(OPTIONS);
    }

    Inside open(IpvsOptions options) {
        return new Inside(namespace.call(() -> IpvsBackend.open(NODE, options)));
    }

    @Override
    public String leftovers() {
        String rules = (run("iptables-save") + run("ip6tables-save"))
                .lines()
                .filter(line -> line.contains("KUBE-"))
                .collect(Collectors.joining("\n"));
        String marked = (run("ip rule") + run("ip -6 rule"))
                .lines()
                .filter(line -> line.contains("fwmark"))
                .collect(Collectors.joining("\n"));
        String addresses = run("ip -o address")
                .lines()
                .filter(line -> line.contains("kube-ipvs0"))
                .collect(Collectors.joining("\n"));
        return run("ipvsadm -Sn") + run("ipset save -sorted") + rules + marked + addresses;
    }

    String sysctl(String key) {
        return namespace.call(
                () -> Files.readString(Path.of("/proc/sys/net", key)).strip());
    }

    String run(String command) {
        Command.Result result = namespace.call(() -> Command.run(List.of(command.split(" ", -1)), ""));
        if (!result.succeeded()) {
            throw new AssertionError("%s: %s".formatted(command, result.errors()));
        }
        return result.output();
    }

    @Override
    public void close() {
        namespace.delete();
    }

    final class Inside implements Backend<IpvsEntry> {
        private final IpvsBackend backend;

        Inside(IpvsBackend backend) {
            this.backend = backend;
        }

        @Override
        public Support support() {
            return namespace.call(backend::support);
        }

        @Override
        public Compiler<IpvsEntry> compiler() {
            return backend.compiler();
        }

        @Override
        public Program<IpvsEntry> observe(Extent extent) {
            return namespace.call(() -> backend.observe(extent));
        }

        @Override
        public Abilities abilities() {
            return backend.abilities();
        }

        @Override
        public void apply(Patch<IpvsEntry> patch) {
            namespace.run(() -> backend.apply(patch));
        }

        List<String> findings() {
            return abilities().drift().orElseThrow().findings();
        }

        boolean drifted() {
            return namespace.call(() -> abilities().drift().orElseThrow().drifted());
        }

        @Override
        public void close() {
            backend.close();
        }
    }
}
