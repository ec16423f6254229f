package io.fairlead.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// `./fairlead up --ingress`: what it prints works as printed.
@RequiresRoot
final class UpIngressIT {
    private static final Pattern LINE =
            Pattern.compile("(?m)^ *(curl -H 'Host: hello.example.com' http://([0-9.]+)/)$");
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void the_printed_line_reaches_the_sample_and_the_status_names_its_address() throws Exception {
        RunningCluster cluster = RunningCluster.up("fling", "--ingress");
        try {
            await().atMost(LIMIT)
                    .until(() -> LINE.matcher(cluster.process().output()).find());
            Matcher line = LINE.matcher(cluster.process().output());
            assertThat(line.find()).isTrue();

            Command.Result printed = Command.run(List.of("sh", "-c", line.group(1)), "");

            assertThat(printed.succeeded()).as(printed.errors()).isTrue();
            assertThat(printed.output())
                    .as("at once, as printed")
                    .contains("hostname: hello-")
                    .contains("request: GET /");
            await().atMost(LIMIT)
                    .until(() -> Json.list(
                                    cluster.client().get(Kind.INGRESS, new NamespacedName("default", "hello")),
                                    one -> Json.text(one, "ip"),
                                    "status",
                                    "loadBalancer",
                                    "ingress")
                            .equals(List.of(line.group(2))));
            assertThat(new Kubectl(cluster.dir().resolve("kubeconfig")).run("get ingress hello"))
                    .contains("hello.example.com")
                    .contains(line.group(2));
        } finally {
            cluster.end();
        }
    }
}
