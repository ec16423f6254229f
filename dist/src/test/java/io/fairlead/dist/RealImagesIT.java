package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.NetworkNamespace;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster whose nodes ask a registry for their images: what the documents print, with a real nginx and a real
/// busybox; and neighbours that take all they can get.
@RequiresRoot
final class RealImagesIT implements BadNeighbours {
    private static ImageRegistry registry;
    private static Workbench bench;

    @TempDir
    private static Path folder;

    @BeforeAll
    static void up() throws Exception {
        RunningCluster cluster = RunningCluster.up(
                "flreal",
                "--registries-conf",
                ImageRegistry.configuration(folder).toString());
        bench = Workbench.of(cluster);
        cluster.createClientPods();
        registry = ImageRegistry.start(
                folder, NetworkNamespace.find(cluster.name()).orElseThrow());
        registry.makeImages();
        registry.push("nginx", "library/nginx:latest");
        registry.push("nginx", "jasonn/php-echoserver:latest");
        registry.push("busybox", "library/busybox:latest");
    }

    @AfterAll
    static void down() throws Exception {
        try {
            if (registry != null) {
                registry.close();
            }
        } finally {
            if (bench != null) {
                bench.cluster().end();
            }
        }
    }

    @Override
    public Workbench bench() {
        return bench;
    }

    @Test
    void a_deployment_of_nginx_is_a_real_nginx_behind_its_service() throws Exception {
        bench.run("create deployment web --image=nginx --replicas=2");
        bench.run("expose deployment web --port=80");
        bench.run("rollout status deployment web --timeout=90s");
        Set<String> pods = bench.podNames("web");
        String vip = bench.field("service web", ".spec.clusterIP");

        soon(() -> assertThat(get(vip, "/")).contains("Server: nginx/", "Welcome to nginx!"));
        Set<String> seen = new HashSet<>();
        soon(() -> {
            seen.add(get(vip, "/name").replaceFirst("(?s).*\r\n\r\n", "").strip());
            assertThat(seen).as("each pod answers for itself").isEqualTo(pods);
        });
        for (String pod : pods) {
            assertThat(bench.run("logs " + pod)).contains("/docker-entrypoint.sh: who answers is " + pod);
            assertThat(bench.field("pod " + pod, ".status.containerStatuses[0].imageID"))
                    .matches("docker\\.io/library/nginx@sha256:[0-9a-f]{64}");
        }
        soon(() -> assertThat(bench.run("logs -l app=web --tail=-1")).contains("\"GET /name HTTP/1.0\" 200"));
        bench.run("delete deployment,service web");
        soon(() -> assertThat(bench.run("get pods -l app=web -o name")).isEmpty());
    }

    @Test
    void a_user_looks_around_in_a_real_busybox_as_the_documents_print_it() throws Exception {
        bench.run("create -f " + DocumentManifests.DOCUMENTS.resolve("deploy-echoserver.yml"));
        bench.run("create -f " + DocumentManifests.DOCUMENTS.resolve("service-echoserver.yml"));
        bench.run("rollout status deployment echoserver --timeout=90s");
        try (Session shell =
                bench.kubectl().startInTerminal("run -i --tty busybox --image=busybox --restart=Never -- sh")) {
            shell.awaitPrinted("command prompt|[#$] ");
            shell.type("busybox | head -n 1");
            shell.awaitPrinted("BusyBox v[0-9.]+ \\(Debian");
            shell.type("ls -l /bin/sh");
            shell.awaitPrinted("/bin/sh -> busybox");
            shell.type("wget -qO- $SVC_ECHOSERVER_SERVICE_HOST:$SVC_ECHOSERVER_SERVICE_PORT");
            shell.awaitPrinted("Welcome to nginx!");
            shell.type("exit");
            shell.awaitEnd();
        }
        soon(() -> assertThat(bench.field("pod busybox", ".status.phase")).isEqualTo("Succeeded"));
        bench.run("delete deployment,service,pod echoserver svc-echoserver busybox --ignore-not-found");
    }

    @Test
    void an_image_that_the_registry_does_not_have_waits_with_the_registrys_reason() throws Exception {
        bench.run("run absent --image=absent");
        soon(() -> assertThat(bench.field("pod absent", ".status.containerStatuses[0].state.waiting"))
                .contains("ImagePull", "manifest unknown"));
        soon(() -> assertThat(bench.run("describe pod absent"))
                .contains("Pulling image \"absent\"", "failed to pull image \"absent\""));
        bench.run("delete pod absent --grace-period=1");
    }

    private static String get(String ip, String path) throws Exception {
        return ImageRegistry.get(bench.cluster().clientPod("node-1"), ip, path);
    }
}
