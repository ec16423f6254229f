package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class HealthTest {
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    private final Health health = new Health(Duration.ofSeconds(60), START);

    @Test
    void a_proxy_that_waits_for_its_first_snapshot_is_healthy() {
        assertThat(health.report(at(3600)).healthy()).isTrue();
    }

    @Test
    void a_change_may_wait_for_a_while() {
        health.pending(at(10));
        assertThat(health.report(at(70)).healthy()).isTrue();
        assertThat(health.report(at(71)).healthy()).isFalse();
    }

    @Test
    void later_changes_do_not_give_the_first_one_more_time() {
        health.pending(at(10));
        health.pending(at(60));
        assertThat(health.report(at(71)).healthy()).isFalse();
    }

    @Test
    void it_is_healthy_again_once_the_kernel_has_got_it() {
        health.pending(at(10));
        assertThat(health.report(at(200)).healthy()).isFalse();
        health.synced(at(201));
        assertThat(health.report(at(900)).healthy()).isTrue();
    }

    @Test
    void without_a_waiting_change_the_kernel_is_up_to_date_now() {
        health.pending(at(10));
        health.synced(at(11));
        assertThat(health.report(at(500)).lastUpdated()).isEqualTo(at(500));
        health.pending(at(600));
        assertThat(health.report(at(601)).lastUpdated()).isEqualTo(at(11));
    }

    @Test
    void a_report_is_json() {
        assertThat(health.report(at(1)).json()).isEqualToNormalizingWhitespace("""
                {
                  "lastUpdated" : "2026-01-31T12:00:01Z",
                  "currentTime" : "2026-01-31T12:00:01Z", "nodeEligible" : true, "healthy" : true,
                  "status" : {
                    "IPv4" : { "lastUpdated" : "2026-01-31T12:00:01Z", "healthy" : true },
                    "IPv6" : { "lastUpdated" : "2026-01-31T12:00:01Z", "healthy" : true } } }
                """);
    }

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }
}
