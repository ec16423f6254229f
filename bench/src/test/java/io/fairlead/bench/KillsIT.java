package io.fairlead.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.RequiresRoot;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The quick part of `bench/run kills`: a few faults of each kind; `-Dkills=20` makes it the whole.
@RequiresRoot
@Timeout(600)
final class KillsIT {
    private static final int FAULTS = Integer.getInteger("kills", 2);

    @ParameterizedTest
    @CsvSource({"sqlite, 3", "etcd, 5"})
    void faults_lose_no_answered_write_and_no_event_and_leave_the_counter_right(String store, int kinds)
            throws Exception {
        List<String> cells = List.of(KillBench.run(store, FAULTS, List.of()).split(",", -1));
        List<String> names = List.of(KillBench.HEADER.split(",", -1));
        assertThat(cells).hasSameSizeAs(names);
        assertThat(cells.subList(1, 7).stream().mapToInt(Integer::parseInt).sum())
                .as("faults that were made")
                .isEqualTo(kinds * FAULTS);
        assertThat(cells.subList(names.indexOf("miscounted"), names.size())).containsOnly("0");
        assertThat(Integer.parseInt(cells.get(names.indexOf("answered"))))
                .as("answered writes")
                .isGreaterThan(100);
    }
}
