package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `fairlead port-forward`: ports of this machine that lead to those of a pod.
@Command(
        name = "port-forward",
        description = "Let ports of this machine lead to ports of a pod, until Ctrl-C.",
        footer = {
            "",
            "Examples:",
            "  fairlead port-forward hello-1 8080",
            "  fairlead port-forward svc/hello 8080:80",
            "  fairlead port-forward deployment/hello :8080"
        })
public final class PortForwardCommand implements Callable<Integer> {
    private static final int BACKLOG = 50;

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "POD", description = "A pod's name or KIND/NAME.")
    private String pod = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "[LOCAL:]REMOTE",
            description = "The port here, any free one where it is empty, and the port of the pod.")
    private List<String> ports = List.of();

    @Option(
            names = "--address",
            split = ",",
            paramLabel = "ADDRESS",
            description = "Where to listen. Default: localhost, which is 127.0.0.1 and ::1.")
    private List<String> addresses = List.of("localhost");

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public PortForwardCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Console console = Console.of(spec);
        try (ApiClient client = cluster.get().connect();
                TaskGroup tasks = new TaskGroup("port-forward")) {
            PodChoice choice = new PodChoice(client, namespace, console);
            JsonNode object = choice.object(pod);
            JsonNode found = choice.find(pod, "a pod of");
            NamespacedName key = new NamespacedName(namespace.name(), Json.text(found, "metadata", "name"));
            if (!Json.text(found, "status", "phase").equals("Running")) {
                throw new CommandException("error: unable to forward port because pod is not running. Current status=%s"
                        .formatted(Json.text(found, "status", "phase")));
            }
            for (String typed : ports) {
                ForwardedPort port = ForwardedPort.of(typed, object, found);
                listen(port, new PortTunnel(client, key, port.remote(), console), tasks, console);
            }
            tasks.await();
            return 0;
        }
    }

    private void listen(ForwardedPort port, PortTunnel tunnel, TaskGroup tasks, Console console) {
        List<ServerSocket> open = new ArrayList<>();
        int local = port.local();
        for (InetAddress address : places()) {
            try {
                ServerSocket listener = new ServerSocket(local, BACKLOG, address);
                local = listener.getLocalPort(); // the same one for every address
                open.add(listener);
                console.println("Forwarding from %s:%d -> %d"
                        .formatted(
                                address.getAddress().length == 4
                                        ? address.getHostAddress()
                                        : "[" + short6(address) + "]",
                                local,
                                port.remote()));
                tasks.run("listen", () -> tunnel.accept(listener, tasks));
            } catch (IOException e) {
                // One family may be missing; all of them may not.
            }
        }
        if (open.isEmpty()) {
            throw new CommandException("error: unable to listen on any of the requested ports: [{%d %d}]"
                    .formatted(port.local(), port.remote()));
        }
    }

    private static String short6(InetAddress address) {
        return address.isLoopbackAddress() ? "::1" : address.getHostAddress();
    }

    private List<InetAddress> places() {
        List<InetAddress> places = new ArrayList<>();
        for (String address : addresses) {
            for (String one : address.equals("localhost") ? List.of("127.0.0.1", "::1") : List.of(address)) {
                try {
                    places.add(InetAddress.ofLiteral(one));
                } catch (IllegalArgumentException e) {
                    throw new CommandException("error: --address: \"%s\" is not an address".formatted(one), e);
                }
            }
        }
        return places;
    }
}
