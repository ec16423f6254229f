package io.fairlead.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The quick part of `bench/run kills`; `-Dkills=100` makes it the whole.
@Timeout(600)
final class KillsIT {
    private static final int KILLS = Integer.getInteger("kills", 5);

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "etcd"})
    void a_server_killed_again_and_again_loses_nothing_and_its_watchers_miss_nothing(String store) throws Exception {
        String line = KillBench.run(store, KILLS);
        assertThat(line).startsWith(store + "," + KILLS + ",").endsWith(",3,0,0,0");
        assertThat(Integer.parseInt(line.split(",", -1)[3]))
                .as("answered writes")
                .isGreaterThan(100);
    }
}
