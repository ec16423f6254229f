package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.fairlead.api.IpPort;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Protocol;
import io.fairlead.forwarding.ConnectionCount;
import io.fairlead.forwarding.ServicePortName;
import io.fairlead.sync.ConnectionTotals.Series;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ConnectionTotalsTest {
    private static final ServicePortName WEB =
            new ServicePortName(new NamespacedName("default", "web"), "http", Protocol.TCP);
    private static final Series WEB_TOTAL = new Series.OfService(WEB);

    private final ConnectionTotals totals = new ConnectionTotals();

    @Test
    void the_counters_of_one_service_add_up() {
        assertThat(read(counter("vip", 10), counter("node port", 5))).containsExactly(entry(WEB_TOTAL, 15L));
        assertThat(read(counter("vip", 11), counter("node port", 7))).containsExactly(entry(WEB_TOTAL, 18L));
    }

    @Test
    void a_counter_that_begins_anew_takes_nothing_away() {
        read(counter("vip", 10), counter("node port", 5));
        assertThat(read(counter("vip", 2), counter("node port", 5))).containsExactly(entry(WEB_TOTAL, 17L));
        assertThat(read(counter("vip", 4), counter("node port", 5))).containsExactly(entry(WEB_TOTAL, 19L));
    }

    @Test
    void a_counter_that_goes_takes_nothing_away() {
        read(counter("vip", 10), counter("node port", 5));
        assertThat(read(counter("vip", 10))).containsExactly(entry(WEB_TOTAL, 15L));
        assertThat(read(counter("vip", 10), counter("node port", 1))).containsExactly(entry(WEB_TOTAL, 16L));
    }

    @Test
    void what_a_counter_took_before_a_change_ended_it_is_kept() {
        read(counter("vip", 10));
        totals.end(List.of(counter("vip", 14)));
        assertThat(read(counter("vip", 20)))
                .as("the next counter has more than the one before it")
                .containsExactly(entry(WEB_TOTAL, 34L));
    }

    @Test
    void what_ends_while_all_counters_are_read_is_counted_once() {
        read(counter("vip", 10));
        Map<Series, Long> told = totals.at(() -> {
            totals.end(List.of(counter("vip", 14)));
            return List.of(counter("vip", 13)); // was read before the change
        });
        assertThat(told).containsExactly(entry(WEB_TOTAL, 14L));
        assertThat(read(counter("vip", 3))).as("the next counter").containsExactly(entry(WEB_TOTAL, 17L));
    }

    @Test
    void a_proxy_that_restarts_goes_on_with_what_the_kernel_has_counted() {
        assertThat(new ConnectionTotals().at(() -> List.of(counter("vip", 1000))))
                .containsExactly(entry(WEB_TOTAL, 1000L));
    }

    @Test
    void an_endpoint_that_moves_to_another_counter_keeps_its_sum() {
        read(endpoint("slot 0", "10.244.1.5:8080", 10), endpoint("slot 1", "10.244.1.6:8080", 20));
        assertThat(read(endpoint("slot 0", "10.244.1.6:8080", 1)))
                .containsExactly(entry(new Series.OfEndpoint(WEB, "10.244.1.6:8080"), 21L));
    }

    @Test
    void what_is_no_longer_told_is_forgotten() {
        read(endpoint("slot 0", "10.244.1.5:8080", 10));
        assertThat(read()).isEmpty();
        assertThat(totals.last()).isEmpty();
    }

    private Map<Series, Long> read(ConnectionCount... counts) {
        return totals.at(() -> List.of(counts));
    }

    private static ConnectionCount counter(String key, long connections) {
        return new ConnectionCount.ToService(key, WEB, connections);
    }

    private static ConnectionCount endpoint(String key, String target, long connections) {
        return new ConnectionCount.ToTarget(key, WEB, IpPort.parse(target), connections);
    }
}
