package io.fairlead.kubectl;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/// `fairlead create service`: one command for each type of Service.
@Command(
        name = "service",
        aliases = {"svc"},
        description = "Create a Service: clusterip, nodeport, loadbalancer or externalname.")
final class CreateServiceCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() {
        throw new CommandException("error: which type? clusterip, nodeport, loadbalancer or externalname");
    }

    @Command(name = "clusterip", description = "A Service with an address in the cluster, or a headless one.")
    int clusterIp(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tcp", split = ",", paramLabel = "PORT[:TARGET]") List<String> tcp,
            @Option(names = "--clusterip", defaultValue = "", paramLabel = "ADDRESS|None") String address,
            @Mixin CreateOptions options)
            throws InterruptedException {
        boolean headless = address.equals("None");
        ObjectNode service = Blueprints.service(name, "ClusterIP", ports(tcp, 0, headless));
        if (!address.isEmpty()) {
            service.withObject("spec").put("clusterIP", address);
        }
        return create(service, options);
    }

    @Command(name = "nodeport", description = "A Service that every node answers for.")
    int nodePort(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tcp", split = ",", paramLabel = "PORT[:TARGET]") List<String> tcp,
            @Option(names = "--node-port", defaultValue = "0", paramLabel = "PORT") int nodePort,
            @Mixin CreateOptions options)
            throws InterruptedException {
        return create(Blueprints.service(name, "NodePort", ports(tcp, nodePort, false)), options);
    }

    @Command(name = "loadbalancer", description = "A Service with an address outside of the cluster.")
    int loadBalancer(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--tcp", split = ",", paramLabel = "PORT[:TARGET]") List<String> tcp,
            @Mixin CreateOptions options)
            throws InterruptedException {
        return create(Blueprints.service(name, "LoadBalancer", ports(tcp, 0, false)), options);
    }

    @Command(name = "externalname", description = "A Service that stands for a DNS name.")
    int externalName(
            @Parameters(paramLabel = "NAME") String name,
            @Option(names = "--external-name", required = true, paramLabel = "DNS-NAME") String external,
            @Option(names = "--tcp", split = ",", paramLabel = "PORT[:TARGET]") List<String> tcp,
            @Mixin CreateOptions options)
            throws InterruptedException {
        ObjectNode service = Blueprints.service(name, "ExternalName", ports(tcp, 0, true));
        service.withObject("spec").put("externalName", external);
        return create(service, options);
    }

    private int create(ObjectNode service, CreateOptions options) throws InterruptedException {
        String type = service.at("/spec/type").asString();
        CreateCommand create = (CreateCommand) spec.parent().userObject();
        String failure = "failed to create %s service".formatted(type);
        return options.create(create.cluster(), service, create.words(failure));
    }

    private static List<ServicePort> ports(List<String> tcp, int nodePort, boolean mayBeNone) {
        List<String> typed = tcp == null ? List.of() : tcp;
        if (typed.isEmpty() && !mayBeNone) {
            throw new CommandException("error: at least one tcp port specifier must be provided");
        }
        return typed.stream().map(port -> ServicePort.parse(port, nodePort)).toList();
    }
}
