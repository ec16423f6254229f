package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Interest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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

/// `fairlead describe`: everything about an object that a person wants to read, with its events.
@Command(
        name = "describe",
        description = "Show objects in full, for people, with what happened to them.",
        footer = {
            "",
            "Examples:",
            "  fairlead describe svc hello",
            "  fairlead describe pods -l app=hello",
            "  fairlead describe deployment/hello"
        })
public final class DescribeCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "KIND", arity = "1..*", description = "KIND [NAME...] or KIND/NAME...")
    private List<String> words = List.of();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Only objects with these labels.")
    private String selector = "";

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    public DescribeCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        GetQuery query = new GetQuery(ResourceArguments.parse(words), namespace.name(), selector);
        Console console = Console.of(spec);
        List<String> texts = new ArrayList<>();
        List<String> faults = new ArrayList<>();
        try (ApiClient client = cluster.get().connect()) {
            for (var one : query.wanted()) {
                if (one.names().isEmpty()) {
                    JsonNode list = client.list(query.interest(one), query.namespaceOf(one.kind()));
                    for (JsonNode object : list.path("items")) {
                        texts.add(text(client, one.kind(), object));
                    }
                }
                for (String name : one.names()) {
                    try {
                        texts.add(text(client, one.kind(), client.get(one.kind(), query.key(one.kind(), name))));
                    } catch (ApiException e) {
                        faults.add(Refusals.sentence(e));
                    }
                }
            }
        }
        console.print(String.join("\n\n", texts));
        if (texts.isEmpty() && faults.isEmpty()) {
            console.complain(query.nothingFound());
        }
        faults.forEach(console::complain);
        return faults.isEmpty() ? 0 : Refusals.FAILED;
    }

    private static String text(ApiClient client, Kind kind, JsonNode object) throws InterruptedException {
        Description to = new Description(Instant.now());
        String place = Json.text(object, "metadata", "namespace");
        String name = Json.text(object, "metadata", "name");
        if (kind.equals(Kind.SERVICE)) {
            Interest slices = Interest.labelled(Kind.ENDPOINT_SLICE, "kubernetes.io/service-name=" + name);
            ServiceDescriber.describe(object, items(client, slices, place), to);
        } else if (kind.equals(Kind.POD)) {
            PodDescriber.describe(object, to);
        } else if (kind.equals(Kind.DEPLOYMENT)) {
            String labels = Description.joined(Json.map(object, "spec", "selector", "matchLabels"));
            List<JsonNode> sets = items(client, Interest.labelled(Kind.REPLICA_SET, labels), place);
            DeploymentDescriber.describe(object, owned(sets, object), to);
        } else if (kind.equals(Kind.CONFIG_MAP)) {
            ConfigMapDescriber.describe(object, to);
        } else {
            FieldsDescriber.describe(object, to);
        }
        to.events(events(client, object));
        return TabbedText.align(to.text().toString());
    }

    private static List<JsonNode> owned(List<JsonNode> sets, JsonNode owner) {
        String uid = Json.text(owner, "metadata", "uid");
        return sets.stream()
                .filter(set -> set.path("metadata")
                        .path("ownerReferences")
                        .valueStream()
                        .anyMatch(reference -> Json.text(reference, "uid").equals(uid)))
                .toList();
    }

    private static List<JsonNode> events(ApiClient client, JsonNode object) throws InterruptedException {
        Interest interest = new Interest(Kind.EVENT, "", "involvedObject.uid=" + Json.text(object, "metadata", "uid"));
        return items(client, interest, Json.text(object, "metadata", "namespace")).stream()
                .sorted(Comparator.comparing(event -> Json.text(event, "lastTimestamp")))
                .toList();
    }

    private static List<JsonNode> items(ApiClient client, Interest interest, String place) throws InterruptedException {
        return client.list(interest, place).path("items").valueStream().toList();
    }
}
