package io.fairlead.kinds;

import io.fairlead.api.Ingress;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.kinds.KindRow.Trait;
import io.fairlead.routes.Options;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The rows of kinds that are kept and shown, and of which the server itself makes little.
final class PlainRules {
    private PlainRules() {}

    static List<KindRules> all() {
        return List.of(
                serviceAccount(),
                ingress(),
                ingressClass(),
                networkPolicy(),
                priorityClass(),
                podTemplate(),
                controllerRevision(),
                lease(),
                podDisruptionBudget());
    }

    private static KindRules serviceAccount() {
        return KindRow.of(Kind.SERVICE_ACCOUNT, Column.NAME, Column.count("Secrets", "secrets"), Column.AGE)
                .with("token")
                .being(Trait.ANSWERS_DELETED_OBJECT);
    }

    private static KindRules ingress() {
        return KindRow.of(
                        Kind.INGRESS,
                        Column.NAME,
                        Column.text("Class", KindRules.field("spec", "ingressClassName")),
                        Column.text("Hosts", PlainRules::hosts),
                        Column.blank("Address", PlainRules::addresses),
                        Column.text(
                                "Ports",
                                ingress -> Json.at(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443"),
                        Column.AGE)
                .with("status")
                .being(Trait.GENERATION)
                .filled(ingress -> {
                    Tree.object(ingress, "spec");
                    Tree.object(Tree.object(ingress, "status"), "loadBalancer");
                })
                .checked(IngressValidation::check)
                .checkedStatus(LoadBalancerValidation::checkIngressStatus)
                .warning(PlainRules::ingressWarnings);
    }

    /// Annotations that the Ingress controller would read and cannot take; those of others are none of ours.
    private static List<String> ingressWarnings(JsonNode ingress) {
        Options.Reading reading = Options.read(Ingress.of(ingress));
        return Stream.of(
                        reading.problems().stream().map(problem -> problem + "; the Ingress will not be served"),
                        reading.warnings().stream())
                .flatMap(sentences -> sentences.map(sentence -> "metadata.annotations: " + sentence))
                .toList();
    }

    private static String hosts(JsonNode ingress) {
        List<String> hosts = Json.list(ingress, rule -> Json.text(rule, "host"), "spec", "rules").stream()
                .filter(host -> !host.isEmpty())
                .toList();
        return hosts.isEmpty() ? "*" : Column.some(hosts);
    }

    private static String addresses(JsonNode ingress) {
        Stream<String> all = Json.at(ingress, "status", "loadBalancer", "ingress")
                .valueStream()
                .map(one -> Json.text(one, "ip").isEmpty() ? Json.text(one, "hostname") : Json.text(one, "ip"));
        return String.join(",", all.distinct().sorted().toList());
    }

    private static KindRules ingressClass() {
        return KindRow.of(
                        Kind.INGRESS_CLASS,
                        Column.NAME,
                        Column.text("Controller", KindRules.field("spec", "controller")),
                        Column.text("Parameters", PlainRules::parameters),
                        Column.AGE)
                .being(Trait.GENERATION)
                .filled(PlainRules::fillClass)
                .checked(IngressValidation::checkClass)
                .checkedChange(IngressValidation::checkClassUpdate);
    }

    private static void fillClass(ObjectNode ingressClass) {
        if (Tree.object(ingressClass, "spec").path("parameters") instanceof ObjectNode parameters) {
            Tree.putIfAbsent(parameters, "scope", "Cluster");
        }
    }

    private static KindRules networkPolicy() {
        return KindRow.of(
                        Kind.NETWORK_POLICY,
                        Column.NAME,
                        Column.text(
                                "Pod-Selector",
                                policy -> LabelSelector.of(Json.at(policy, "spec", "podSelector"))
                                        .toString()),
                        Column.AGE)
                .being(Trait.GENERATION)
                .filled(PlainRules::fillPolicy)
                .checked(NetworkPolicyValidation::check)
                .warning(_ -> List.of("NetworkPolicies are stored, but nothing here enforces them"));
    }

    private static void fillPolicy(ObjectNode policy) {
        ObjectNode spec = Tree.object(policy, "spec");
        Tree.object(spec, "podSelector");
        for (String direction : List.of("ingress", "egress")) {
            for (ObjectNode rule : Tree.objects(spec, direction)) {
                Tree.objects(rule, "ports").forEach(port -> Tree.putIfAbsent(port, "protocol", "TCP"));
            }
        }
        if (spec.path("policyTypes").isEmpty()) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
    }

    private static KindRules priorityClass() {
        return KindRow.of(
                        Kind.PRIORITY_CLASS,
                        Column.NAME,
                        Column.number("Value", "value"),
                        new Column(
                                "Global-Default",
                                "boolean",
                                0,
                                (object, now) -> Json.flag(object, false, "globalDefault")),
                        Column.AGE,
                        Column.blank("PreemptionPolicy", KindRules.field("preemptionPolicy")))
                .being(Trait.GENERATION)
                .filled(object -> Tree.putIfAbsent(object, "preemptionPolicy", "PreemptLowerPriority"))
                .checked(PriorityValidation::check)
                .checkedChange(PriorityValidation::checkChange);
    }

    private static KindRules podTemplate() {
        return KindRow.of(
                        Kind.POD_TEMPLATE,
                        Column.NAME,
                        Column.text("Containers", object -> containers(object, "name")),
                        Column.text("Images", object -> containers(object, "image")),
                        Column.text(
                                "Pod Labels",
                                object -> ServiceRules.pairs(Json.map(object, "template", "metadata", "labels"))))
                .being(Trait.GENERATION, Trait.ANSWERS_DELETED_OBJECT)
                .filled(object -> PodDefaults.fillSpec(Tree.object(Tree.object(object, "template"), "spec")))
                .checked(PodValidation::checkTemplate);
    }

    private static String containers(JsonNode template, String field) {
        return String.join(
                ",", Json.list(template, container -> Json.text(container, field), "template", "spec", "containers"));
    }

    private static String parameters(JsonNode ingressClass) {
        JsonNode parameters = Json.at(ingressClass, "spec", "parameters");
        String group = Json.text(parameters, "apiGroup");
        return parameters.isObject()
                ? Json.text(parameters, "kind") + (group.isEmpty() ? "" : "." + group) + "/"
                        + Json.text(parameters, "name")
                : "";
    }

    private static KindRules controllerRevision() {
        return KindRow.of(
                Kind.CONTROLLER_REVISION,
                Column.NAME,
                Column.text("Controller", PlainRules::controller),
                Column.number("Revision", "revision"),
                Column.AGE);
    }

    private static String controller(JsonNode object) {
        return Json.at(object, "metadata", "ownerReferences")
                .valueStream()
                .filter(owner -> Json.flag(owner, false, "controller"))
                .map(owner -> {
                    String version = Json.text(owner, "apiVersion");
                    int slash = version.indexOf('/');
                    String group = slash < 0 ? "" : "." + version.substring(0, slash);
                    return Json.text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + Json.text(owner, "name");
                })
                .findFirst()
                .orElse("");
    }

    private static KindRules lease() {
        return KindRow.of(
                        Kind.LEASE,
                        Column.NAME,
                        Column.blank("Holder", KindRules.field("spec", "holderIdentity")),
                        Column.AGE)
                .being(Trait.CREATED_BY_UPDATE, Trait.NEEDS_VERSION)
                .filled(lease -> Tree.object(lease, "spec"))
                .checked(LeaseValidation::check);
    }

    private static KindRules podDisruptionBudget() {
        return KindRow.of(
                        Kind.POD_DISRUPTION_BUDGET,
                        Column.NAME,
                        Column.blank("Min Available", orNotGiven("minAvailable")),
                        Column.blank("Max Unavailable", orNotGiven("maxUnavailable")),
                        Column.number("Allowed Disruptions", "status", "disruptionsAllowed"),
                        Column.AGE)
                .with("status")
                .being(Trait.GENERATION, Trait.NEEDS_VERSION)
                .filled(PlainRules::fillBudget);
    }

    private static void fillBudget(ObjectNode budget) {
        Tree.object(budget, "spec");
        ObjectNode status = Tree.object(budget, "status");
        for (String count : List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods")) {
            Tree.putIfAbsent(status, count, 0);
        }
    }

    private static Function<JsonNode, String> orNotGiven(String field) {
        return budget -> {
            String value = KindRules.field("spec", field).apply(budget);
            return value.isEmpty() ? "N/A" : value;
        };
    }
}
