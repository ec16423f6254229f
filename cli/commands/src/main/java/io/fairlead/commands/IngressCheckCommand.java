package io.fairlead.commands;

import io.fairlead.api.ConfigMap;
import io.fairlead.api.Ingress;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.ParseException;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import io.fairlead.routes.Options;
import io.fairlead.routes.Settings;
import io.fairlead.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `fairlead ingress check`: what of an ingress-nginx set-up works here, annotation by annotation.
@Command(
        name = "check",
        description = {
            "Say of every annotation of every Ingress, and of every key of the ConfigMap that holds for all, whether it"
                    + " works here, and why not if it does not.",
            "Reads files, or without one the cluster. Ends with 1 if an Ingress would not be served."
        },
        footer = {"", "Example:", "  fairlead ingress check -f my-ingresses.yaml"})
final class IngressCheckCommand implements Runnable {
    private static final String SETTINGS = "ingress-nginx-controller";

    @ParentCommand
    private IngressCommand parent = new IngressCommand(new Main());

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = "-f", paramLabel = "FILE", description = "YAML with Ingresses; may be given again.")
    private List<Path> files = List.of();

    @Option(
            names = "--configmap",
            paramLabel = "NAMESPACE/NAME",
            description =
                    "The ConfigMap that holds for all, of the cluster; in files each ingress-nginx-controller is one.")
    private String configMap = "";

    private final List<Ingress> ingresses = new ArrayList<>();
    private final List<ConfigMap> settings = new ArrayList<>();

    @Override
    public void run() {
        Console console = Console.of(spec);
        if (files.isEmpty()) {
            readCluster();
        } else {
            files.forEach(this::read);
        }
        int refused = 0;
        int unknown = 0;
        for (Ingress ingress : ingresses) {
            Options.Reading reading = Options.read(ingress);
            console.println("%s  %s".formatted(ingress.key(), verdict(reading)));
            reading.verdicts().forEach(verdict -> console.println(line(verdict)));
            refused += reading.problems().isEmpty() ? 0 : 1;
            unknown += reading.warnings().isEmpty() ? 0 : 1;
        }
        for (ConfigMap one : settings) {
            console.println("%s  settings".formatted(one.key()));
            Settings.read(one.values()).verdicts().forEach(verdict -> console.println(line(verdict)));
        }
        console.println("%d Ingresses; %d would not be served; %d have annotations that change nothing here"
                .formatted(ingresses.size(), refused, unknown));
        if (refused > 0) {
            throw new CommandException("error: %d Ingresses would not be served".formatted(refused));
        }
    }

    private static String verdict(Options.Reading reading) {
        if (!reading.problems().isEmpty()) {
            return "not served";
        }
        return reading.warnings().isEmpty() ? "served" : "served, not as asked";
    }

    private static String line(Options.Verdict verdict) {
        String outcome = verdict.outcome().name().toLowerCase(Locale.ROOT);
        return verdict.sentence().isEmpty()
                ? "  %-8s %s".formatted(outcome, verdict.name())
                : "  %-8s %s: %s".formatted(outcome, verdict.name(), verdict.sentence());
    }

    private void read(Path file) {
        try {
            Yaml.parseAll(Files.readString(file)).forEach(this::collect);
        } catch (IOException | ParseException e) {
            throw new CommandException("error: cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private void collect(JsonNode document) {
        String kind = Json.text(document, "kind");
        if (kind.equals(Kind.INGRESS.name())) {
            ingresses.add(Ingress.of(document));
        } else if (kind.equals(Kind.CONFIG_MAP.name())
                && Json.text(document, "metadata", "name").equals(SETTINGS)) {
            settings.add(ConfigMap.of(document));
        }
        document.path("items").forEach(this::collect);
    }

    private void readCluster() {
        try (ApiClient client = new ApiClient(parent.main().cluster().access())) {
            client.list(Interest.all(Kind.INGRESS), "").path("items").forEach(item -> ingresses.add(Ingress.of(item)));
            if (!configMap.isEmpty()) {
                client.find(Kind.CONFIG_MAP, IngressCommand.name(configMap))
                        .ifPresentOrElse(found -> settings.add(ConfigMap.of(found)), () -> {
                            throw new CommandException("error: there is no ConfigMap " + configMap);
                        });
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException("error: interrupted", e);
        }
    }
}
