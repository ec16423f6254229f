package io.fairlead.commands;

import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.Snapshot;
import io.fairlead.client.Interest;
import io.fairlead.kubectl.CommandException;
import io.fairlead.kubectl.Console;
import io.fairlead.zone.Name;
import io.fairlead.zone.Zone;
import io.fairlead.zone.ZoneSettings;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/// `fairlead dump zone`: the names of the cluster as they follow from its objects now.
@Command(
        name = "dump",
        description = {
            "Print what follows from the objects of the cluster now.",
            "zone: every name with its records, as a zone file. What a server answers from is at its page /dump/zone."
        },
        footer = {"", "Example:", "  fairlead dump zone"})
final class DumpCommand implements Runnable {
    private final Main main;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "WHAT", description = "zone")
    private String what = "";

    @Option(
            names = "--domain",
            paramLabel = "DOMAIN",
            description = "The domain of the cluster. Default: cluster.local.")
    private String domain = "cluster.local";

    DumpCommand(Main main) {
        this.main = main;
    }

    @Override
    public void run() {
        if (!what.equals("zone")) {
            throw new CommandException("error: there is no dump of \"%s\": it must be zone".formatted(what));
        }
        Shutdown.interrupts(() -> {
            try (var client = main.cluster().connect()) {
                Snapshot snapshot = Snapshot.EMPTY;
                for (Kind kind : List.of(Kind.NAMESPACE, Kind.SERVICE, Kind.ENDPOINT_SLICE)) {
                    for (JsonNode json : client.list(Interest.all(kind), "").path("items")) {
                        snapshot = KubernetesObject.of(kind, json)
                                .map(snapshot::with)
                                .orElse(snapshot);
                    }
                }
                ZoneSettings settings = ZoneSettings.DEFAULT.withOrigin(Name.of(domain));
                Console.of(spec).println(Zone.of(snapshot, settings).text().stripTrailing());
            }
        });
    }
}
