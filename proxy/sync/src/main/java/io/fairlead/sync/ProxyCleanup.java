package io.fairlead.sync;

import io.fairlead.forwarding.ApplyException;
import io.fairlead.forwarding.Backend;
import io.fairlead.forwarding.Entry;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Support;
import io.fairlead.kernel.KernelException;
import io.fairlead.nftables.NftablesBackend;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Takes the rules of every mode away from this machine, and those of kube-proxy's.
///
/// Our mode iptables and kube-proxy's have the same chains, so they go together.
public final class ProxyCleanup {
    private static final NodeFacts ANYWHERE = NodeFacts.of("cleanup", List.of());
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long NET_ADMIN = 1L << 12;

    /// What was taken away, and what could not be, with the reason.
    public record Report(List<String> removed, List<String> failed) {
        public Report {
            removed = List.copyOf(removed);
            failed = List.copyOf(failed);
        }
    }

    /// One way to leave rules on a machine.
    record Sweep(String name, Broom broom) {}

    /// Takes rules away; true if there were any.
    interface Broom {
        boolean sweep();
    }

    private ProxyCleanup() {}

    public static Report removeAll() {
        if (!mayChangeTheNetwork(status())) {
            return new Report(List.of(), List.of("rules can be removed by root only (with CAP_NET_ADMIN)"));
        }
        Stream<Sweep> ours = ProxyModes.ALL.stream()
                .flatMap(mode -> mode.layers().stream())
                .distinct()
                .flatMap(layer -> layer.sweeps().stream())
                .map(sweep -> new Sweep(
                        sweep.name(),
                        () -> sweep.isThere().getAsBoolean()
                                && withdraw(sweep.opener().apply(ANYWHERE))));
        Stream<Sweep> foreign = Stream.of(
                new Sweep("kube-proxy's mode nftables", () -> NftablesBackend.removeForeignTables("kube-proxy")));
        return removeAll(Stream.concat(ours, foreign).toList());
    }

    /// What fails does not keep the others.
    static Report removeAll(List<Sweep> sweeps) {
        List<String> removed = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (Sweep sweep : sweeps) {
            try {
                if (sweep.broom().sweep()) {
                    removed.add(sweep.name());
                }
            } catch (ApplyException | KernelException e) {
                failed.add("%s: %s".formatted(sweep.name(), e.getMessage()));
            }
        }
        return new Report(removed, failed);
    }

    /// Whether the status of a process, as the kernel tells it, has the capability that all of this needs.
    static boolean mayChangeTheNetwork(Stream<String> status) {
        return status.filter(line -> line.startsWith("CapEff:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .anyMatch(set -> (Long.parseUnsignedLong(set, 16) & NET_ADMIN) != 0);
    }

    private static Stream<String> status() {
        try {
            return Files.readAllLines(STATUS).stream();
        } catch (IOException e) {
            throw new ProxyException("cannot read %s: %s".formatted(STATUS, e), e);
        }
    }

    /// A mode that cannot run here has left nothing here.
    private static boolean withdraw(Backend<?> backend) {
        try (Programmer<?> programmer = programmer(backend)) {
            return !(backend.support() instanceof Support.Unsupported) && programmer.withdraw();
        }
    }

    private static <E extends Entry> Programmer<E> programmer(Backend<E> backend) {
        return new Programmer<>("cleanup", backend, new ConnectionTotals());
    }
}
