package io.fairlead.dist;

import static io.fairlead.dist.IngressCluster.LIMIT;
import static io.fairlead.dist.IngressCluster.curl;
import static io.fairlead.dist.IngressCluster.ingress;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.Deletion;
import io.fairlead.client.Interest;
import io.fairlead.kernel.Command;
import io.fairlead.testkit.RequiresRoot;
import io.fairlead.yaml.Yaml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `fairlead ingress` alone, beside an API server, with the rights that `docs/examples/fairlead-ingress.yaml` gives it.
@RequiresRoot
final class IngressProgramIT {
    private static final int PORT = 18090;

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

    private static String door() {
        return curl("-H", "Host: door.example.com", "http://127.0.0.1:18090/");
    }

    @Test
    void it_serves_tells_its_address_and_leaves_in_good_order() throws Exception {
        cluster.create(ingress("door", "door.example.com", ""));
        cluster.create(ingress("bad", "bad.example.com", "fairlead.io/proxy-body-size: large"));
        Launched launched = cluster.launch(PORT, "nginx");
        await().atMost(LIMIT).until(() -> {
            launched.requireAlive();
            return door().equals("web\n200");
        });
        await().atMost(LIMIT).until(() -> cluster.addresses("door").equals(List.of("192.0.2.10")));
        assertThat(curl("http://127.0.0.1:18092/healthz")).isEqualTo("ok\n200");
        assertThat(curl("http://127.0.0.1:18092/readyz")).isEqualTo("ok\n200");
        await().atMost(LIMIT)
                .until(() -> curl("http://127.0.0.1:18092/metrics")
                        .contains(
                                "requests_total{ingress=\"default/door\",service=\"default/web:80\",status=\"200\"}"));
        await().atMost(LIMIT).until(() -> events().stream().anyMatch(text -> text.contains("must be a size")));
        assertThat(curl("-H", "Host: bad.example.com", "http://127.0.0.1:18090/"))
                .endsWith("404");
        assertThat(Files.readString(folder.resolve("nginx/access.log")))
                .contains("\"ingress\":\"default/door\",\"service\":\"default/web:80\"");
        long nginx = cluster.nginx("nginx");

        Launched.Result result = launched.end();

        assertThat(result.output()).doesNotContain("forbidden").doesNotContain("Exception");
        assertThat(cluster.addresses("door")).as("taken out of the status").isEmpty();
        assertThat(ProcessHandle.of(nginx).filter(ProcessHandle::isAlive)).isEmpty();
        assertThat(Json.text(
                        cluster.administrator().get(Kind.LEASE, new NamespacedName("kube-system", "fairlead-ingress")),
                        "spec",
                        "holderIdentity"))
                .as("given up for the next")
                .isEmpty();
    }

    private List<String> events() throws InterruptedException {
        return cluster.administrator()
                .list(Interest.all(Kind.EVENT), "default")
                .path("items")
                .valueStream()
                .map(event -> Json.text(event, "message"))
                .toList();
    }

    @Test
    void killed_it_leaves_nginx_serving_and_the_next_goes_on_with_it() throws Exception {
        cluster.create(ingress("door", "door.example.com", ""));
        Launched first = cluster.launch(PORT, "nginx");
        await().atMost(LIMIT).until(() -> {
            first.requireAlive();
            return door().equals("web\n200");
        });
        long nginx = cluster.nginx("nginx");
        first.kill();
        for (int i = 0; i < 20; i++) {
            assertThat(door()).isEqualTo("web\n200");
        }
        assertThat(cluster.nginx("nginx")).isEqualTo(nginx);
        cluster.create(ingress("more", "more.example.com", ""));
        Launched second = cluster.launch(PORT, "nginx");
        await().atMost(LIMIT).until(() -> {
            second.requireAlive();
            assertThat(door()).as("no client notices").isEqualTo("web\n200");
            return curl("-H", "Host: more.example.com", "http://127.0.0.1:18090/")
                    .equals("web\n200");
        });
        assertThat(cluster.nginx("nginx")).isEqualTo(nginx);
        cluster.administrator().delete(Kind.INGRESS, new NamespacedName("default", "door"), Deletion.DEFAULT);
        await().atMost(LIMIT).until(() -> door().endsWith("404"));
    }

    @Test
    void check_says_of_a_cluster_and_of_files_what_works_here() throws Exception {
        cluster.create(ingress("door", "door.example.com", "nginx.ingress.kubernetes.io/rewrite-target: /x"));
        String settings = """
            {apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: ingress-nginx-controller},
             data: {use-gzip: 'true', enable-brotli: 'true', hsts-max-age: long}}
            """;
        cluster.create(Yaml.parseAll(settings).getFirst());
        Launched.Result live = Launched.run(
                folder,
                "--kubeconfig",
                folder.resolve("kubeconfig").toString(),
                "ingress",
                "check",
                "--configmap",
                "default/ingress-nginx-controller");
        assertThat(live.exit()).as(live.output()).isZero();
        assertThat(live.output())
                .contains("default/door  served")
                .contains("taken    nginx.ingress.kubernetes.io/rewrite-target")
                .contains("default/ingress-nginx-controller  settings")
                .contains("taken    use-gzip")
                .contains("unknown  enable-brotli: no such key here")
                .contains("refused  hsts-max-age: must be a number");

        Path file = Files.writeString(
                folder.resolve("mine.yaml"),
                Json.pretty(ingress(
                                "snippet",
                                "a.example.com",
                                "nginx.ingress.kubernetes.io/configuration-snippet: \"return 200;\""))
                        + "\n---\n" + settings);
        Launched.Result files = Launched.run(folder, "ingress", "check", "-f", file.toString());
        assertThat(files.exit()).isEqualTo(1);
        assertThat(files.output())
                .contains("default/snippet  not served")
                .contains("unknown  enable-brotli: no such key here")
                .contains("use custom-headers, rewrite-target, enable-cors or the redirects")
                .doesNotContain("Exception");
    }

    @Test
    void an_annotation_that_it_does_not_know_is_told_when_the_ingress_is_created() throws Exception {
        Path file = Files.writeString(
                folder.resolve("unknown.yaml"),
                Json.pretty(ingress("unknown", "u.example.com", "nginx.ingress.kubernetes.io/no-such-thing: x")));
        Command.Result result = Command.run(
                List.of(
                        "kubectl",
                        "--kubeconfig",
                        folder.resolve("kubeconfig").toString(),
                        "create",
                        "-f",
                        file.toString()),
                "");
        assertThat(result.succeeded()).as(result.errors()).isTrue();
        assertThat(result.errors())
                .contains("Warning: metadata.annotations: nginx.ingress.kubernetes.io/no-such-thing: no such option"
                        + " here");
    }
}
