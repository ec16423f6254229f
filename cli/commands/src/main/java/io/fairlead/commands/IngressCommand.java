package io.fairlead.commands;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.ServerNames;
import io.fairlead.api.Ip;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ClusterAccess;
import io.fairlead.client.Reflector;
import io.fairlead.kubectl.Cluster;
import io.fairlead.nginx.IngressConfig;
import io.fairlead.nginx.IngressController;
import io.fairlead.nginx.IngressServer;
import io.fairlead.routes.IngressOwnership;
import io.fairlead.routes.NginxLayout;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `fairlead ingress`: serves the Ingresses of any Kubernetes cluster by an nginx of its own.
@Command(
        name = "ingress",
        subcommands = IngressCheckCommand.class,
        description = {
            "Serve the Ingresses of a Kubernetes cluster: requests go to the endpoints of Services by host and path.",
            "Needs nginx, which it starts and keeps; with its Lua module (Debian: libnginx-mod-http-lua) it seldom"
                    + " reloads."
        },
        footer = {
            "",
            "Examples:",
            "  fairlead ingress --kubeconfig /etc/fairlead/kubeconfig --publish-address 192.0.2.10",
            "  fairlead ingress check -f my-ingresses.yaml"
        })
final class IngressCommand implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(IngressCommand.class);
    private static final String LUA_MODULE = "ngx_http_lua_module.so";

    private final Main main;

    @Option(
            names = "--nginx-dir",
            paramLabel = "DIRECTORY",
            description = "Where nginx lives; default ${DEFAULT-VALUE}.")
    private Path dir = Path.of("/run/fairlead-ingress");

    @Option(names = "--http-port", description = "The port of plain HTTP; default ${DEFAULT-VALUE}.")
    private int httpPort = 80;

    @Option(names = "--https-port", description = "The port of HTTPS; default ${DEFAULT-VALUE}.")
    private int httpsPort = 443;

    @Option(names = "--metrics-port", description = "Health and metrics, on every address; default ${DEFAULT-VALUE}.")
    private int metricsPort = 10254;

    @Option(
            names = "--publish-address",
            split = ",",
            paramLabel = "ADDRESS[,ADDRESS...]",
            description = "What status.loadBalancer of every Ingress says.")
    private List<String> addresses = List.of();

    @Option(
            names = "--controller-class",
            paramLabel = "NAME",
            description = "Classes with this spec.controller are ours; default ${DEFAULT-VALUE}.")
    private String controller = IngressOwnership.CONTROLLER;

    @Option(
            names = "--ingress-class",
            paramLabel = "NAME",
            description = "The class that is ours also without an IngressClass; default ${DEFAULT-VALUE}.")
    private String ingressClass = "fairlead";

    @Option(names = "--watch-ingress-without-class", description = "An Ingress that names no class is ours.")
    private boolean withoutClass;

    @Option(names = "--configmap", paramLabel = "NAMESPACE/NAME", description = "Settings for all Ingresses.")
    private String configMap = "";

    @Option(names = "--tcp-services-configmap", paramLabel = "NAMESPACE/NAME", description = "TCP ports to lead on.")
    private String tcp = "";

    @Option(names = "--udp-services-configmap", paramLabel = "NAMESPACE/NAME", description = "UDP ports to lead on.")
    private String udp = "";

    @Option(
            names = "--default-ssl-certificate",
            paramLabel = "NAMESPACE/NAME",
            description = "The Secret for names without a certificate; without it a self-made one.")
    private String certificate = "";

    @Option(
            names = "--reload-interval",
            paramLabel = "SECONDS",
            description = "The least time between two reloads; default ${DEFAULT-VALUE}.")
    private int reloadInterval = 1;

    @Option(
            names = "--most-old-workers",
            paramLabel = "NUMBER",
            description =
                    "While so many workers of earlier configurations finish, a reload waits; default ${DEFAULT-VALUE}.")
    private int mostOldWorkers = IngressConfig.MOST_OLD_WORKERS;

    @Option(
            names = "--drain-timeout",
            paramLabel = "SECONDS",
            description = "How long nginx may finish when this ends; default ${DEFAULT-VALUE}.")
    private int drain = 30;

    @Option(names = "--leave-running", description = "Leave nginx as it is when this ends, for the next to go on with.")
    private boolean leaves;

    @Option(names = "--nginx", paramLabel = "FILE", description = "The program; default ${DEFAULT-VALUE}.")
    private String nginx = "/usr/sbin/nginx";

    @Option(names = "--nginx-modules", paramLabel = "DIRECTORY", description = "Its modules; default ${DEFAULT-VALUE}.")
    private String modules = "/usr/lib/nginx/modules";

    @Option(names = "--without-lua", description = "Do as if nginx had no Lua module: more reloads, fewer options.")
    private boolean withoutLua;

    @Option(names = "--nginx-user", paramLabel = "NAME", description = "Whom workers run as; default ${DEFAULT-VALUE}.")
    private String user = "www-data";

    IngressCommand(Main main) {
        this.main = main;
    }

    Main main() {
        return main;
    }

    @Override
    public void run() {
        Shutdown.interrupts(this::serve);
    }

    private void serve() throws InterruptedException {
        IngressController ingress = new IngressController(config());
        try (ApiClient client = new ApiClient(access())) {
            IngressController.Withdrawal withdrawal;
            try (var tasks = new TaskGroup("ingress")) {
                var reflector = new Reflector(client, IngressConfig.interests());
                ingress.run(reflector.snapshots(), tasks);
                withdrawal = ingress.tell(client, tasks);
                try (IngressServer _ = IngressServer.start(metricsPort, ingress)) {
                    reflector.run(tasks);
                    tasks.await();
                } catch (InterruptedException _) {
                    // Asked to end: what follows is the end in good order.
                }
            }
            if (!leaves) {
                withdrawal.run();
                ingress.drain(Duration.ofSeconds(drain));
            }
        }
    }

    private IngressConfig config() {
        boolean lua = !withoutLua && Files.exists(Path.of(modules, LUA_MODULE));
        if (!lua) {
            LOG.warn(
                    "event=without-lua modules={} effect=\"upstreams are addresses of Services, and every change of a"
                            + " rule or a certificate is a reload\"",
                    modules);
        }
        return new IngressConfig(
                new NginxLayout(dir.toAbsolutePath().toString(), user, modules, lua, resolvers(), httpPort, httpsPort),
                nginx,
                new IngressOwnership(controller, ingressClass, withoutClass, IngressOwnership.Refused.NOTHING),
                defaultCertificate(),
                new IngressConfig.Sources(name(configMap), name(tcp), name(udp), name(certificate)),
                addresses,
                // Two controllers of one machine are two.
                HostName.read("--hostname-override") + "_" + UUID.randomUUID(),
                Duration.ofSeconds(reloadInterval),
                mostOldWorkers);
    }

    private String defaultCertificate() {
        Credential made =
                Pki.open(dir.resolve("pki")).serverCredential(new ServerNames(Set.of("fairlead.invalid"), Set.of()));
        return made.certificatePem() + made.keyPem();
    }

    /// The servers that this machine asks for names.
    private static List<String> resolvers() {
        try {
            return Files.readAllLines(Path.of("/etc/resolv.conf")).stream()
                    .map(line -> line.strip().split("\\s+", -1))
                    .filter(words -> words.length > 1
                            && words[0].equals("nameserver")
                            && Ip.find(words[1]).isPresent())
                    .map(words -> words[1].contains(":") ? "[" + words[1] + "]" : words[1])
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    static NamespacedName name(String text) {
        int slash = text.indexOf('/');
        return slash < 0
                ? new NamespacedName("", text)
                : new NamespacedName(text.substring(0, slash), text.substring(slash + 1));
    }

    /// The cluster that is named, or else the one whose pod this is.
    private ClusterAccess access() {
        Cluster cluster = main.cluster();
        return cluster.isNamed()
                ? cluster.access()
                : ClusterAccess.ofPod(System.getenv()).orElseGet(cluster::access);
    }
}
