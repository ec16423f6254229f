package io.fairlead.sync;

import io.fairlead.api.EndpointSlice;
import io.fairlead.api.Service;
import io.fairlead.api.Snapshot;
import io.fairlead.forwarding.ForwardingTable;
import io.fairlead.forwarding.NodeFacts;
import io.fairlead.forwarding.Program;
import io.fairlead.testkit.MemoryBackend;
import io.fairlead.testkit.MemoryCompiler;
import io.fairlead.testkit.MemoryEntry;
import io.fairlead.testkit.MemoryKernel;
import io.fairlead.yaml.Yaml;
import java.util.List;

/// Snapshots of a cluster with one Service `web`, and what must come of them.
final class TestCluster {
    static final NodeFacts NODE = NodeFacts.of("node-a", List.of());

    private static final Service WEB = Service.of(Yaml.parseAll("""
        metadata: {namespace: default, name: web}
        spec: {clusterIP: 10.96.0.10, ports: [{name: http, port: 80}]}
        """).getFirst());

    private TestCluster() {}

    /// `web` over one pod, which is another for each number from 1 to 250.
    static Snapshot withPod(int number) {
        return withPod(number, "");
    }

    /// The slice was written because of a change at `triggerTime`.
    static Snapshot withPod(int number, String triggerTime) {
        EndpointSlice slice = EndpointSlice.of(
                Yaml.parseAll("""
                    metadata:
                      namespace: default
                      name: web-1
                      labels: {kubernetes.io/service-name: web}
                      annotations: {endpoints.kubernetes.io/last-change-trigger-time: "%s"}
                    addressType: IPv4
                    ports: [{name: http, port: 8080}]
                    endpoints: [{addresses: [10.244.1.%d], nodeName: node-a}]
                    """.formatted(triggerTime, number)).getFirst());
        return Snapshot.EMPTY.with(WEB).with(slice);
    }

    /// A mode of one layer that bears its name, for openers that know what to open.
    static Mode mode(String name) {
        return Mode.of(layer(name));
    }

    static Mode.Layer layer(String name) {
        return new Mode.Layer(name, _ -> new MemoryBackend(new MemoryKernel()), List.of());
    }

    static final Mode MEMORY = mode("memory");

    static Program<MemoryEntry> program(Snapshot snapshot) {
        return Program.of(new MemoryCompiler(), ForwardingTable.of(snapshot, NODE));
    }
}
