package io.fairlead.dist;

import static io.fairlead.dist.IngressCluster.LIMIT;
import static io.fairlead.dist.IngressCluster.curl;
import static io.fairlead.dist.IngressCluster.ingress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two controllers on one cluster: both serve, one writes the status.
@RequiresRoot
final class IngressLeadersIT {
    private static final int COUNT = 20;
    private static final List<String> FIRST = List.of("192.0.2.1");
    private static final List<String> SECOND = List.of("192.0.2.2");
    private static final NamespacedName LEASE = new NamespacedName("kube-system", "fairlead-ingress");

    @TempDir
    Path folder;

    private IngressCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new IngressCluster(folder);
    }

    @AfterEach
    void stop() throws Exception {
        cluster.end();
    }

    private static boolean serves(int port) {
        return curl("-H", "Host: h1.example.com", "http://127.0.0.1:%d/".formatted(port))
                .equals("web\n200");
    }

    private List<List<String>> addresses() throws InterruptedException {
        List<List<String>> all = new ArrayList<>();
        for (int i = 1; i <= COUNT; i++) {
            all.add(cluster.addresses("i" + i));
        }
        return all.stream().distinct().toList();
    }

    private String holder() throws InterruptedException {
        return Json.text(cluster.administrator().get(Kind.LEASE, LEASE), "spec", "holderIdentity");
    }

    @Test
    void one_writes_the_status_and_another_takes_over_from_a_dead_one_and_from_one_that_leaves() throws Exception {
        for (int i = 1; i <= COUNT; i++) {
            cluster.create(ingress("i" + i, "h%d.example.com".formatted(i), ""));
        }
        Launched first = cluster.launch(18090, "one", "--publish-address", "192.0.2.1");
        await().atMost(LIMIT).until(() -> serves(18090) && addresses().equals(List.of(FIRST)));
        String leader = holder();

        Launched second = cluster.launch(18190, "two", "--publish-address", "192.0.2.2");
        await().atMost(LIMIT).until(() -> {
            second.requireAlive();
            return serves(18190);
        });
        cluster.create(ingress("late", "late.example.com", ""));
        await().atMost(LIMIT).until(() -> cluster.addresses("late").equals(FIRST));
        assertThat(addresses()).as("the second serves and writes nothing").containsExactly(FIRST);
        assertThat(holder()).isEqualTo(leader);

        first.kill();
        await("the second took over").atMost(LIMIT).until(() -> addresses().equals(List.of(SECOND)));
        assertThat(holder()).isNotEqualTo(leader).isNotEmpty();
        assertThat(serves(18090)).as("the nginx of the dead one goes on").isTrue();

        cluster.launch(18090, "one", "--publish-address", "192.0.2.1");
        await().atMost(LIMIT).until(() -> curl("http://127.0.0.1:18092/readyz").equals("ok\n200"));
        second.end();
        await("released, and taken by the first")
                .atMost(LIMIT)
                .until(() -> addresses().equals(List.of(FIRST)) && !holder().isEmpty());
        assertThat(second.output()).doesNotContain("Exception").doesNotContain("forbidden");
    }
}
