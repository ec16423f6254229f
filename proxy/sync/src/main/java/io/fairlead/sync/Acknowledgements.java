package io.fairlead.sync;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.EndpointSlice.Endpoint;
import io.fairlead.api.Ip;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Node;
import io.fairlead.api.Revision;
import io.fairlead.api.Snapshot;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.runtime.ApplyLoop;
import io.fairlead.runtime.ApplyLoop.Reason;
import io.fairlead.runtime.Backoff;
import io.fairlead.runtime.Latest;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/// Tells node agents which EndpointSlices this kernel follows, so that none ends a pod to which we still lead clients.
///
/// It is an annotation of the Node, written at the start, when an endpoint began to leave, and where it is missing. So
/// a quiet cluster writes nothing; and at most one write is under way, with the newest revision.
final class Acknowledgements {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledgements.class);

    private final NamespacedName node;
    private final Latest<Revision> due = new Latest<>();
    private Revision newest = Revision.ZERO; // of the sync loop alone

    Acknowledgements(String node) {
        this.node = new NamespacedName("", node);
    }

    /// The kernel has got all of `now`, and had `before`; nothing of it, in the first round.
    void programmed(Snapshot before, Snapshot now) {
        Set<NamespacedName> changed = new HashSet<>();
        now.endpointSlices().changedSince(before.endpointSlices(), changed::add);
        boolean left = false;
        for (NamespacedName key : changed) {
            Optional<EndpointSlice> slice = now.endpointSlices().find(key);
            Revision revision = slice.map(found -> found.metadata().revision()).orElse(Revision.ZERO);
            newest = revision.isAfter(newest) ? revision : newest;
            left = left
                    || before.endpointSlices()
                            .find(key)
                            .filter(older -> isLeft(older, slice))
                            .isPresent();
        }
        if (left || before.equals(Snapshot.EMPTY) || isMissing(now)) {
            due.offer(newest);
        }
    }

    /// Whether an endpoint stopped being ready, became terminating or went. With `publishNotReadyAddresses` it is
    /// ready to the end, and without readiness it never was: node agents wait for the word of those as well.
    private static boolean isLeft(EndpointSlice before, Optional<EndpointSlice> now) {
        return !addresses(now.stream(), Endpoint::ready).containsAll(addresses(Stream.of(before), Endpoint::ready))
                || !addresses(now.stream(), Acknowledgements::stays)
                        .containsAll(addresses(Stream.of(before), Acknowledgements::stays));
    }

    private static boolean stays(Endpoint endpoint) {
        return !endpoint.terminating();
    }

    /// Of those to which the condition applies; what a proxy remembers of an endpoint may lack the pod, but has these.
    private static Set<Ip> addresses(Stream<EndpointSlice> slices, Predicate<Endpoint> condition) {
        return slices.flatMap(slice -> slice.endpoints().stream())
                .filter(condition)
                .flatMap(endpoint -> endpoint.addresses().stream())
                .collect(Collectors.toSet());
    }

    private boolean isMissing(Snapshot snapshot) {
        return snapshot.nodes()
                .find(node)
                .filter(own -> own.programmed().isEmpty())
                .isPresent();
    }

    /// What is to be written now, if anything.
    Optional<Revision> due() {
        return due.peek();
    }

    /// Writes what is due, until it is interrupted.
    void run(ApiClient client) throws InterruptedException {
        Backoff backoff = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5), RandomGenerator.getDefault());
        new ApplyLoop<>(due, new Writer(client), backoff).run();
    }

    private final class Writer implements ApplyLoop.Work<Revision> {
        private final ApiClient client;

        Writer(ApiClient client) {
            this.client = client;
        }

        @Override
        public void apply(Revision revision, Reason reason) throws InterruptedException {
            client.mergePatch(Kind.NODE, node, patch(revision));
        }

        @Override
        public boolean isRefusal(RuntimeException failure) {
            return failure instanceof ApiException;
        }

        @Override
        public void refused(RuntimeException refusal, Duration pause) {
            LOG.warn("event=acknowledge-failed retry={}ms reason=\"{}\"", pause.toMillis(), refusal.getMessage());
        }
    }

    private static ObjectNode patch(Revision revision) {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").putObject("annotations").put(Node.PROGRAMMED, revision.toString());
        return patch;
    }
}
