package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kernel.NetworkNamespace;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Images with files of their own, made here of Debian's packages and given to the nodes as files; and neighbours that
/// want everything.
interface RealImages {
    Workbench bench();

    @BesideOthers
    default void a_real_nginx_answers_behind_a_service() throws Exception {
        Path root = Files.createTempDirectory(bench().cluster().dir(), "nginx");
        for (String folder :
                List.of("etc/nginx", "var/log/nginx", "var/lib/nginx", "run", "tmp", "proc", "sys", "dev")) {
            Files.createDirectories(root.resolve(folder));
        }
        Files.writeString(
                root.resolve("etc/passwd"), "root:x:0:0::/:\nwww-data:x:33:33::/:\nnobody:x:65534:65534::/:\n");
        Files.writeString(root.resolve("etc/group"), "root:x:0:\nwww-data:x:33:\nnogroup:x:65534:\n");
        Files.writeString(root.resolve("etc/nginx/nginx.conf"), """
            events {}
            error_log stderr;
            http { access_log off; server { listen 80; location / { return 200 "a real nginx\\n"; } } }
            """);
        sh("for f in /usr/sbin/nginx $(ldd /usr/sbin/nginx | grep -o '/[^ ]*'); do cp --parents -L $f %s; done"
                .formatted(root));
        load(
                root,
                "example.test/nginx:1",
                "--config.entrypoint /usr/sbin/nginx --config.cmd -g --config.cmd 'daemon off;'");

        bench().run("create deployment real --image=example.test/nginx:1 --port=80 --replicas=2");
        bench().run("expose deployment real --port=80");
        bench().run("rollout status deployment real --timeout=90s");
        String vip = bench().field("service real", ".spec.clusterIP");
        soon(() -> assertThat(get(bench().cluster().clientPod("node-1"), "http://%s/".formatted(vip)))
                .contains("nginx/", "a real nginx"));
        bench().run("delete deployment,service real --grace-period=1");
    }

    @BesideOthers
    default void a_real_busybox_is_a_shell_in_a_terminal() throws Exception {
        Path root = Files.createTempDirectory(bench().cluster().dir(), "busybox");
        for (String folder : List.of("bin", "etc", "tmp", "proc", "sys", "dev")) {
            Files.createDirectories(root.resolve(folder));
        }
        sh("cp /bin/busybox %1$s/bin/busybox; for a in sh ls id echo stty; do ln -s busybox %1$s/bin/$a; done"
                .formatted(root));
        load(root, "example.test/busybox:1", "--config.cmd sh");

        String printed;
        try (Session shell = bench().kubectl()
                .startInTerminal("run -i --tty real-box --image=example.test/busybox:1 --restart=Never -- sh")) {
            shell.awaitPrinted("/ #|prompt");
            shell.type("echo the answer is $((40+2)); ls /; exit");
            printed = shell.awaitEnd();
        }

        assertThat(printed).contains("the answer is 42").doesNotContain("usr");
        soon(() -> assertThat(bench().field("pod real-box", ".status.phase")).isEqualTo("Succeeded"));
        bench().run("delete pod real-box --grace-period=1");
    }

    @BesideOthers
    default void neighbours_that_want_everything_harm_no_other_pod() throws Exception {
        bench().create(NEIGHBOURS);
        String vip = bench().field("service hello", ".spec.clusterIP");
        soon(() -> {
            String states = bench().field("pods -l app=greedy", ".items[*].status");
            assertThat(states).contains("OOMKilled").contains("Evicted");
        });
        for (int i = 0; i < 50; i++) {
            assertThat(get(bench().cluster().clientPod("node-1"), "http://%s/".formatted(vip)))
                    .contains("200 OK");
        }
        bench().run("delete pods -l app=greedy --grace-period=1");
        assertThat(bench().run("get pods -l app=greedy")).isEmpty();
    }

    /// Makes an image of a folder, and gives it to all nodes.
    private void load(Path root, String name, String config) throws Exception {
        Path layout = root.resolveSibling(root.getFileName() + "-image");
        Path archive = root.resolveSibling(root.getFileName() + ".tar");
        sh("""
        set -e; tar -C %1$s -cf %2$s.layer .; umoci init --layout %3$s; umoci new --image %3$s:t
        umoci raw add-layer --image %3$s:t %2$s.layer; umoci config --image %3$s:t %4$s
        tar -C %3$s -cf %2$s .; rm %2$s.layer\
        """.formatted(root, archive, layout, config));
        Path dir = bench().cluster().dir();
        Launched.Result loaded = Launched.run(dir, "images", "--dir", dir.toString(), "load", archive.toString(), name);
        assertThat(loaded.exit()).as(loaded.output()).isZero();
        assertThat(loaded.output()).contains("node-1  " + name + " loaded");
        assertThat(Launched.run(dir, "images", "--dir", dir.toString()).output())
                .contains("node-3  " + name + "  sha256:");
    }

    private static String sh(String script) throws IOException, InterruptedException {
        Path output = Files.createTempFile("sh", ".out");
        try {
            Process process = new ProcessBuilder("bash", "-c", script)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            if (!process.waitFor(90, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new AssertionError("still running: %s%n%s".formatted(script, Files.readString(output)));
            }
            String printed = Files.readString(output);
            assertThat(process.exitValue()).as("%s: %s", script, printed).isZero();
            return printed;
        } finally {
            Files.delete(output);
        }
    }

    /// The head and the body of an answer.
    private static String get(NetworkNamespace from, String url) {
        return from.call(() -> {
            URI uri = URI.create(url);
            try (var socket = new java.net.Socket()) {
                socket.connect(new java.net.InetSocketAddress(uri.getHost(), 80), 5_000);
                socket.setSoTimeout(5_000);
                socket.getOutputStream().write("GET / HTTP/1.0\r\nHost: test\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }

    String NEIGHBOURS = """
        apiVersion: v1
        kind: List
        items:
        - apiVersion: v1
          kind: Pod
          metadata: {name: forks, labels: {app: greedy}}
          spec:
            nodeName: node-1
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "while :; do sleep 1000 & done"]
              resources: {limits: {cpu: 100m, memory: 32Mi}}
        - apiVersion: v1
          kind: Pod
          metadata: {name: eats, labels: {app: greedy}}
          spec:
            nodeName: node-1
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: [perl, -e, "$x .= 'x' x 1000000 while 1"]
              resources: {limits: {cpu: 500m, memory: 32Mi}}
        - apiVersion: v1
          kind: Pod
          metadata: {name: fills, labels: {app: greedy}}
          spec:
            nodeName: node-1
            restartPolicy: Never
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "i=0; while [ $i -lt 40 ]; do head -c 1000000 /dev/zero >> /tmp/x; i=$((i+1)); done; sleep 1000"]
              resources: {limits: {cpu: 100m, ephemeral-storage: 8Mi}}
        - apiVersion: v1
          kind: Pod
          metadata: {name: deaf, labels: {app: greedy}}
          spec:
            nodeName: node-1
            containers:
            - name: main
              image: busybox
              command: [sh, -c, "trap '' TERM; while :; do sleep 1; done"]
        """;
}
