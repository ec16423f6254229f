package io.fairlead.kubectl;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `fairlead get`: shows objects.
@Command(
        name = "get",
        description = "Show objects: a table, or the objects themselves with -o.",
        footer = {
            "",
            "Examples:",
            "  fairlead get services",
            "  fairlead get pods -A -o wide",
            "  fairlead get svc hello -o yaml",
            "  fairlead get endpointslices -l kubernetes.io/service-name=hello -w"
        })
public final class GetCommand implements Callable<Integer> {
    private final Supplier<Cluster> cluster;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "KIND",
            arity = "0..*",
            description = "KIND [NAME...], KIND,KIND or KIND/NAME...; for example services, svc, pods, nodes, all.")
    private List<String> words = List.of();

    @Mixin
    private NamespaceOptions namespace = new NamespaceOptions();

    @Option(
            names = {"-A", "--all-namespaces"},
            description = "Objects of all namespaces.")
    private boolean allNamespaces;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "wide, yaml, json or name.")
    private OutputFormat format = OutputFormat.TABLE;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "SELECTOR",
            description = "Only objects with these labels, for example app=hello,tier!=db.")
    private String selector = "";

    @Option(
            names = {"-w", "--watch"},
            description = "Go on showing changes until Ctrl-C.")
    private boolean watch;

    @Option(names = "--no-headers", description = "Leave out the line of column names.")
    private boolean noHeaders;

    public GetCommand(Supplier<Cluster> cluster) {
        this.cluster = cluster;
    }

    @Override
    public Integer call() throws InterruptedException {
        GetQuery query = new GetQuery(ResourceArguments.parse(words), allNamespaces ? "" : namespace.name(), selector);
        check(query);
        return format.isTable() ? showTable(query) : showObjects(query);
    }

    private void check(GetQuery query) {
        boolean named = query.wanted().stream().anyMatch(one -> !one.names().isEmpty());
        if (named && allNamespaces) {
            throw new CommandException(
                    "error: a name is unique in its namespace only: name that with -n instead of -A");
        }
        if (named && !selector.isEmpty()) {
            throw new CommandException("error: give names or a selector (-l), not both");
        }
        if (watch
                && (query.hasSeveralKinds() || query.wanted().getFirst().names().size() > 1)) {
            throw new CommandException("error: -w watches one kind, or one object of it");
        }
    }

    private int showTable(GetQuery query) throws InterruptedException {
        var columns = new ServerTable.Columns(format == OutputFormat.WIDE, allNamespaces, query.hasSeveralKinds());
        try (var client = cluster.get().connect()) {
            var view = new TableView(client, query, columns, !noHeaders, Console.of(spec));
            if (watch) {
                view.watch();
            }
            return view.show();
        }
    }

    private int showObjects(GetQuery query) throws InterruptedException {
        try (var client = cluster.get().connect()) {
            var view = new ObjectView(client, query, format, Console.of(spec));
            if (watch) {
                view.watch();
            }
            return view.show();
        }
    }
}
