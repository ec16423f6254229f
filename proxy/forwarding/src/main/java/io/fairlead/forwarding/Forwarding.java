package io.fairlead.forwarding;

import io.fairlead.api.IpPort;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// One row: connections to `frontend` get the verdict of `verdicts`.
///
/// The verdicts for inside and for others differ only where a Service keeps outside connections on the node
/// they came to (`externalTrafficPolicy: Local`). [LocalPods] says who is a pod of this node.
public record Forwarding(
        Frontend frontend,
        ServicePortName service,
        Verdicts verdicts,
        Balance balance,
        SourcePolicy passage,
        AddressTraits traits) {

    /// A row that is the same for every client, remembers none and lets all in.
    public static Forwarding of(Frontend frontend, ServicePortName service, Verdict verdict, Masquerade masquerade) {
        boolean virtual = frontend instanceof Frontend.VirtualAddress;
        return new Forwarding(
                frontend,
                service,
                Verdicts.of(verdict),
                Balance.ANY,
                new SourcePolicy(Sources.ALL, masquerade),
                new AddressTraits(virtual, virtual, false));
    }

    public Forwarding withInside(Verdict inside) {
        return new Forwarding(frontend, service, new Verdicts(verdict(), inside), balance, passage, traits);
    }

    public Forwarding with(Balance balance) {
        return new Forwarding(frontend, service, verdicts, balance, passage, traits);
    }

    public Forwarding withAffinity(Affinity affinity) {
        return with(balance.withAffinity(affinity));
    }

    public Forwarding withSources(Sources sources) {
        return new Forwarding(frontend, service, verdicts, balance, new SourcePolicy(sources, masquerade()), traits);
    }

    public Forwarding with(AddressTraits traits) {
        return new Forwarding(frontend, service, verdicts, balance, passage, traits);
    }

    /// What connections get that begin outside of this node; or all of them, where the row is not divided.
    public Verdict verdict() {
        return verdicts.others();
    }

    /// What connections get that begin inside this node, in its own pods and processes.
    public Verdict inside() {
        return verdicts.inside();
    }

    public Affinity affinity() {
        return balance.affinity();
    }

    public Scheduler scheduler() {
        return balance.scheduler();
    }

    /// How long connections to a removed target may go on; nothing where the node decides.
    public Optional<Duration> drain() {
        return balance.drain();
    }

    public Sources sources() {
        return passage.sources();
    }

    public Masquerade masquerade() {
        return passage.masquerade();
    }

    public boolean refusesOtherPorts() {
        return traits.refusesOtherPorts();
    }

    /// Whether what begins inside is led otherwise than the rest.
    public boolean isDivided() {
        return verdicts.isDivided();
    }

    /// A note on this row, for what a backend cannot do.
    public Note note(String asked, String done) {
        return new Note(service, frontend.toString(), asked, done);
    }

    /// How many targets these rows lead to, for insiders or others; each port of a Service has its own.
    static int targets(List<Forwarding> rows) {
        record OfPort(ServicePortName port, IpPort address) {}
        Set<OfPort> targets = new HashSet<>();
        for (Forwarding row : rows) {
            for (Verdict verdict : List.of(row.verdict(), row.inside())) {
                if (verdict instanceof Verdict.SendTo(List<Target> some)) {
                    some.forEach(target -> targets.add(new OfPort(row.service, target.address())));
                }
            }
        }
        return targets.size();
    }

    /// Whether `target` may come to this row itself, and so reach itself: then it is masqueraded, whatever the
    /// row says of others.
    ///
    /// A pod of another node comes here for a node port alone: all else was translated where it runs.
    public boolean mayLeadBack(Target target) {
        return target.local()
                || target.unplaced()
                || (frontend instanceof Frontend.NodePort && masquerade() == Masquerade.FROM_NODE);
    }
}
