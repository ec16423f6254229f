package io.fairlead.sync;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConntrackSettingsTest {
    private final ConntrackSettings settings =
            ConntrackSettings.of(Json.parse("{\"min\": 200000, \"maxPerCore\": 1, \"tcpCloseWaitTimeout\": \"0s\"}"));

    @TempDir
    Path folder;

    private ConntrackSettings.Outcome applied() {
        return settings.apply(folder, folder.resolve("hashsize"));
    }

    private void has(String name, String value) throws IOException {
        Files.writeString(folder.resolve(name), value + "\n");
    }

    @Test
    void what_is_not_there_yet_is_told_and_can_be_written_later() throws Exception {
        assertThat(applied().absent())
                .containsExactly("nf_conntrack_max", "hashsize", "nf_conntrack_tcp_timeout_established");
        has("nf_conntrack_max", "65536");
        has("hashsize", "65536");
        has("nf_conntrack_tcp_timeout_established", "432000");
        assertThat(applied()).isEqualTo(new ConntrackSettings.Outcome(java.util.List.of(), java.util.List.of()));
        assertThat(folder.resolve("nf_conntrack_max")).content().isEqualTo("200000");
        assertThat(folder.resolve("hashsize")).as("large enough").content().isEqualTo("65536\n");
        assertThat(folder.resolve("nf_conntrack_tcp_timeout_established"))
                .content()
                .isEqualTo("86400");
    }

    @Test
    void what_is_refused_is_told_with_its_file() throws Exception {
        has("nf_conntrack_max", "no number");
        has("hashsize", "1");
        has("nf_conntrack_tcp_timeout_established", "1");
        assertThat(applied().refused()).singleElement().asString().contains("nf_conntrack_max", "no number");
    }

    @Test
    void a_node_sets_how_long_connections_are_remembered_and_not_how_many() throws Exception {
        has("nf_conntrack_max", "65536");
        has("nf_conntrack_tcp_timeout_established", "432000");
        has("nf_conntrack_tcp_timeout_close_wait", "60");
        ConntrackSettings.timeouts().apply(folder, folder.resolve("hashsize"));
        assertThat(folder.resolve("nf_conntrack_max")).content().isEqualTo("65536\n");
        assertThat(folder.resolve("nf_conntrack_tcp_timeout_established"))
                .content()
                .isEqualTo("86400");
        assertThat(folder.resolve("nf_conntrack_tcp_timeout_close_wait"))
                .content()
                .isEqualTo("3600");
    }

    @Test
    void the_processors_of_the_machine_count() {
        assertThat(ConntrackSettings.cores("0")).isEqualTo(1);
        assertThat(ConntrackSettings.cores("0-3,8")).isEqualTo(5);
    }
}
