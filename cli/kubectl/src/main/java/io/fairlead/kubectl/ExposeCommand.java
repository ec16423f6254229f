package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead expose`: makes a Service for the pods of an object.
@Command(
        name = "expose",
        description = "Create a Service for the pods of a Deployment, ReplicaSet, Service or pod.",
        footer = {
            "",
            "Examples:",
            "  fairlead expose deployment hello --port=80 --target-port=8080",
            "  fairlead expose pod hello-1 --port=80 --type=NodePort --name=outside"
        })
public final class ExposeCommand implements Callable<Integer> {
    private static final Set<Kind> EXPOSABLE =
            Set.of(Kind.DEPLOYMENT, Kind.REPLICA_SET, Kind.SERVICE, Kind.POD, Kind.REPLICATION_CONTROLLER);

    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KIND", arity = "1..2", description = "KIND NAME or KIND/NAME.")
    private List<String> words = List.of();

    @Option(names = "--port", paramLabel = "PORT", description = "The Service's port. Default: those of the object.")
    private String port = "";

    @Option(names = "--target-port", paramLabel = "PORT", description = "The pods' port, a number or a name.")
    private String targetPort = "";

    @Option(names = "--protocol", paramLabel = "PROTOCOL", description = "TCP, UDP or SCTP. Default: the object's.")
    private String protocol = "";

    @Option(names = "--name", paramLabel = "NAME", description = "The Service's name. Default: the object's.")
    private String name = "";

    @Option(names = "--type", paramLabel = "TYPE", description = "ClusterIP, NodePort or LoadBalancer.")
    private String type = "";

    @Option(names = "--cluster-ip", paramLabel = "ADDRESS|None", description = "The Service's address.")
    private String clusterIp = "";

    @Option(names = "--session-affinity", paramLabel = "None|ClientIP", description = "Which pod a client gets again.")
    private String sessionAffinity = "";

    @Option(names = "--external-ip", paramLabel = "ADDRESS", description = "An address outside of the cluster.")
    private String externalIp = "";

    @Mixin
    private CreateOptions options = new CreateOptions();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public ExposeCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        Wanted wanted = ResourceArguments.parse(words).getFirst();
        if (!EXPOSABLE.contains(wanted.kind()) || wanted.names().size() != 1) {
            throw new CommandException("error: cannot expose %s: name one Deployment, ReplicaSet, Service or pod"
                    .formatted(String.join(" ", words)));
        }
        String exposed = wanted.names().getFirst();
        ObjectNode object;
        try (ApiClient client = cluster.get().connect()) {
            object = client.get(wanted.kind(), namespace.key(wanted.kind(), exposed));
        }
        ObjectNode service = service(wanted.kind(), name.isEmpty() ? exposed : name, object);
        var told = new CreateOptions.Words(namespace, Console.of(spec), "exposed", "");
        return options.create(cluster, service, told);
    }

    private ObjectNode service(Kind kind, String called, JsonNode object) {
        ObjectNode service = Blueprints.of(Kind.SERVICE, called);
        put(service.withObject("metadata"), "labels", Json.map(object, "metadata", "labels"));
        ObjectNode to = service.putObject("spec");
        Map<String, String> selector = selector(kind, object);
        if (selector.isEmpty()) {
            throw new CommandException(
                    "error: couldn't retrieve selectors via --selector flag or introspection: there are no labels");
        }
        ports(kind, object).forEach(to.putArray("ports")::add);
        put(to, "selector", selector);
        Stream.of(
                        Map.entry("type", type),
                        Map.entry("clusterIP", clusterIp),
                        Map.entry("sessionAffinity", sessionAffinity))
                .filter(field -> !field.getValue().isEmpty())
                .forEach(field -> to.put(field.getKey(), field.getValue()));
        if (!externalIp.isEmpty()) {
            to.putArray("externalIPs").add(externalIp);
        }
        return service;
    }

    private static void put(ObjectNode object, String field, Map<String, String> labels) {
        if (!labels.isEmpty()) {
            labels.forEach(object.putObject(field)::put);
        }
    }

    private static Map<String, String> selector(Kind kind, JsonNode object) {
        if (kind.equals(Kind.POD)) {
            return Json.map(object, "metadata", "labels");
        }
        boolean plain = kind.equals(Kind.SERVICE) || kind.equals(Kind.REPLICATION_CONTROLLER);
        return plain ? Json.map(object, "spec", "selector") : Json.map(object, "spec", "selector", "matchLabels");
    }

    /// The port that was typed, or those of the object; several need names.
    private List<ObjectNode> ports(Kind kind, JsonNode object) {
        List<JsonNode> known = known(kind, object);
        String number = kind.equals(Kind.SERVICE) ? "port" : "containerPort";
        if (!port.isEmpty()) {
            String like = known.stream()
                    .filter(one -> one.path(number).asString().equals(port))
                    .map(one -> Json.text(one, "protocol"))
                    .findFirst()
                    .orElse("TCP");
            return List.of(port("", TypedPort.number("--port", port), like));
        }
        if (known.isEmpty()) {
            throw new CommandException("error: couldn't find port via --port flag or introspection");
        }
        return java.util.stream.IntStream.range(0, known.size())
                .mapToObj(i -> port(
                        known.size() == 1 ? "" : "port-" + (i + 1),
                        Json.number(known.get(i), 0, number),
                        Json.text(known.get(i), "protocol")))
                .toList();
    }

    private static List<JsonNode> known(Kind kind, JsonNode object) {
        if (kind.equals(Kind.SERVICE)) {
            return object.path("spec").path("ports").valueStream().toList();
        }
        JsonNode pod = kind.equals(Kind.POD) ? object : object.path("spec").path("template");
        return pod.path("spec")
                .path("containers")
                .valueStream()
                .flatMap(container -> container.path("ports").valueStream())
                .toList();
    }

    private ObjectNode port(String called, int number, String like) {
        ObjectNode json = Json.object();
        if (!called.isEmpty()) {
            json.put("name", called);
        }
        json.put("port", number).put("protocol", protocol.isEmpty() ? like : protocol);
        TypedPort.putTarget(json, targetPort.isEmpty() ? Integer.toString(number) : targetPort);
        return json;
    }
}
