package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The error for what a user gets wrong names the field and the rule, and nothing changes.
@RequiresRoot
final class BadInputIT {
    private static RunningCluster cluster;

    @TempDir
    Path scratch;

    @BeforeAll
    static void up() throws Exception {
        cluster = RunningCluster.up("flbad");
    }

    @AfterAll
    static void down() throws Exception {
        if (cluster != null) {
            cluster.end();
        }
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(
                        "broken YAML", "apiVersion: v1\nkind: Service\n  metadata: {name: a", new String[] {"line 3"}),
                Arguments.of(
                        "a missing space",
                        service("sessionAffinity:ClientIP\n  ports: [{port: 80}]"),
                        new String[] {"line"}),
                Arguments.of("an unknown kind", "apiVersion: v1\nkind: Servise\nmetadata: {name: bad}", new String[] {
                    "Servise"
                }),
                Arguments.of("a port of 70000", service("ports: [{port: 70000}]"), new String[] {
                    "spec.ports[0].port", "70000", "between 1 and 65535"
                }),
                Arguments.of(
                        "a VIP outside the range",
                        service("clusterIP: 10.200.0.1\n  ports: [{port: 80}]"),
                        new String[] {"spec.clusterIPs", "10.200.0.1", "not in the valid range", "10.96.0.0/16"}),
                Arguments.of(
                        "a taken node port",
                        service("type: NodePort\n  ports: [{port: 80, nodePort: %d}]"),
                        new String[] {"spec.ports[0].nodePort", "provided port is already allocated"}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void a_mistake_is_explained_and_changes_nothing(String name, String manifest, String[] words) throws Exception {
        var before = cluster.serviceNames();
        Path file = Files.writeString(scratch.resolve("bad.yaml"), manifest.replace("%d", "" + cluster.nodePort()));

        Launched.Result result = Launched.run(cluster.dir(), "apply", "-f", file.toString());

        assertThat(result.exit()).as(result.output()).isNotZero();
        assertThat(result.output()).contains(words).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(cluster.serviceNames()).isEqualTo(before);
    }

    private static String service(String spec) {
        return "apiVersion: v1\nkind: Service\nmetadata: {name: bad}\nspec:\n  " + spec + "\n";
    }
}
