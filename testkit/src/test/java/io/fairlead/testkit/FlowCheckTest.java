package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fairlead.api.IpPort;
import io.fairlead.forwarding.AffinityTracer;
import io.fairlead.forwarding.Packet;
import io.fairlead.forwarding.Trace;
import io.fairlead.forwarding.Trace.Delivery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FlowCheckTest {
    private static final String CLUSTER = """
            {apiVersion: v1, kind: Node, metadata: {name: node-a},
             status: {addresses: [{type: InternalIP, address: 10.210.0.11}]}}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: node-b},
             status: {addresses: [{type: InternalIP, address: 10.210.0.12}]}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: one}, spec: {nodeName: node-a}, status: {podIP: 10.244.1.1}}
            ---
            {apiVersion: v1, kind: Pod, metadata: {name: two}, spec: {nodeName: node-b}, status: {podIP: 10.244.2.1}}
            """;
    private static final Delivery ONE = new Delivery(IpPort.parse("10.244.1.1:80"), false);
    private static final Delivery TWO = new Delivery(IpPort.parse("10.244.2.1:80"), false);
    private static final Delivery TWO_MASQUERADED = new Delivery(IpPort.parse("10.244.2.1:80"), true);

    @TempDir
    Path folder;

    @Test
    void it_passes_when_all_pods_are_possible_and_no_other() {
        assertThatCode(() -> check("pod/one -> 10.96.0.10:80/tcp => one:80 two:80, source kept", delivered(ONE, TWO)))
                .doesNotThrowAnyException();
    }

    @Test
    void it_fails_when_a_pod_is_not_possible() {
        assertFails("pod/one -> 10.96.0.10:80/tcp => one:80 two:80, source kept", delivered(ONE));
    }

    @Test
    void it_fails_when_another_pod_is_possible() {
        assertFails("pod/one -> 10.96.0.10:80/tcp => one:80, source kept", delivered(ONE, TWO));
    }

    @Test
    void it_fails_when_the_source_is_another() {
        assertFails("pod/one -> 10.96.0.10:80/tcp => two:80, source kept", delivered(TWO_MASQUERADED));
        assertFails("pod/one -> 10.96.0.10:80/tcp => two:80, source node-b", delivered(TWO_MASQUERADED));
    }

    @Test
    void it_fails_when_a_refusal_is_a_drop_or_goes_by() {
        assertFails("pod/one -> 10.96.0.10:80/tcp => refused", new Trace.Dropped());
        assertFails("pod/one -> 10.96.0.10:80/tcp => dropped", new Trace.Refused());
        assertFails("pod/one -> 10.96.0.10:80/tcp => refused", new Trace.Untouched());
    }

    @Test
    void what_is_untouched_reaches_the_pod_it_bears_the_address_of() {
        assertThatCode(() -> check("pod/one -> 10.244.2.1:80/tcp => two:80, source kept", new Trace.Untouched()))
                .doesNotThrowAnyException();
    }

    @Test
    void what_bears_the_address_of_another_node_is_looked_at_there() {
        Scenario scenario = scenario("pod/one -> node-b:30080/tcp => two:80, source node-b");
        assertThatCode(() -> FlowCheck.check(
                        scenario,
                        node -> packet ->
                                node.name().equals("node-b") ? delivered(TWO_MASQUERADED) : new Trace.Untouched()))
                .doesNotThrowAnyException();
    }

    @Test
    void it_fails_when_one_pod_each_time_is_promised_and_nothing_asks_for_it() {
        assertFails("pod/one -> 10.96.0.10:80/tcp => always one of one:80 two:80, source kept", delivered(ONE, TWO));
    }

    @Test
    void it_fails_when_a_client_is_remembered_and_led_elsewhere_all_the_same() {
        Scenario scenario = scenario("pod/one -> 10.96.0.10:80/tcp => always one of one:80 two:80, source kept");
        assertThatCode(() -> FlowCheck.check(scenario, _ -> remembering(delivered(ONE), delivered(ONE))))
                .doesNotThrowAnyException();
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> FlowCheck.check(scenario, _ -> remembering(delivered(ONE), delivered(TWO))));
    }

    /// A tracer whose second packet goes its own way.
    private static AffinityTracer remembering(Trace first, Trace second) {
        return new AffinityTracer() {
            @Override
            public Trace trace(Packet packet) {
                return delivered(ONE, TWO);
            }

            @Override
            public Set<List<Trace>> traceAll(List<Packet> packets) {
                return Set.of(List.of(first, second));
            }
        };
    }

    private void assertFails(String flow, Trace everywhere) {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> check(flow, everywhere))
                .withMessageContaining(flow);
    }

    private void check(String flow, Trace everywhere) {
        FlowCheck.check(scenario(flow), node -> packet -> everywhere);
    }

    private Scenario scenario(String flows) {
        try {
            Files.writeString(folder.resolve("cluster.yaml"), CLUSTER);
            Files.writeString(folder.resolve("flows.txt"), flows);
            return Scenario.load(folder);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static Trace delivered(Delivery... deliveries) {
        return new Trace.Delivered(Set.of(deliveries));
    }
}
