package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Json;
import java.time.Instant;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class PodColumnsTest {
    private static final String SPEC = """
        'spec': {'initContainers': [{'name': 'setup'}, {'name': 'side', 'restartPolicy': 'Always'}],
                 'containers': [{'name': 'main'}]}\
        """;
    private static final String DONE = "{'name': 'setup', 'state': {'terminated': {'exitCode': 0}}}";

    @Test
    void init_containers_are_counted_until_all_have_done_what_the_others_wait_for() {
        assertThat(row("{'name': 'setup', 'state': {'running': {}}}", waiting("main", "PodInitializing")))
                .isEqualTo("web|0/2|Init:0/2|0");
        assertThat(row(DONE + "," + side(false, 0), waiting("main", "PodInitializing")))
                .isEqualTo("web|0/2|Init:1/2|0");
        assertThat(row(waiting("setup", "CrashLoopBackOff"), waiting("main", "PodInitializing")))
                .isEqualTo("web|0/2|Init:CrashLoopBackOff|0");
    }

    @Test
    void a_sidecar_that_runs_is_one_of_the_containers() {
        String main = "{'name': 'main', 'ready': true, 'restartCount': 1, 'state': {'running': {}}}";

        assertThat(row(DONE + "," + side(true, 2), main)).isEqualTo("web|2/2|Running|3");
        assertThat(row(DONE + "," + side(true, 0), waiting("main", "ErrImagePull")))
                .isEqualTo("web|1/2|ErrImagePull|0");
    }

    private static String side(boolean started, int restarts) {
        return "{'name': 'side', 'started': %1$b, 'ready': %1$b, 'restartCount': %2$d, 'state': {'running': {}}}"
                .formatted(started, restarts);
    }

    private static String waiting(String name, String reason) {
        return "{'name': '%s', 'state': {'waiting': {'reason': '%s'}}}".formatted(name, reason);
    }

    /// Name, ready, status and restarts.
    private static String row(String init, String main) {
        String pod = """
            {'metadata': {'name': 'web'}, %s,
             'status': {'phase': 'Running', 'initContainerStatuses': [%s], 'containerStatuses': [%s]}}\
            """.formatted(SPEC, init, main).replace('\'', '"');
        return PodColumns.all().stream()
                .limit(4)
                .map(column -> String.valueOf(column.cell().apply(Json.parse(pod), Instant.EPOCH)))
                .collect(Collectors.joining("|"));
    }
}
