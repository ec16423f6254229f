package io.fairlead.kinds;

import io.fairlead.api.Ingress;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.routes.Options;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The rows of kinds that are kept and shown, and of which the server itself makes little.
final class PlainRules {
    private PlainRules() {}

    static List<KindRules> all() {
        return List.of(
                serviceAccount(), ingress(), ingressClass(), controllerRevision(), lease(), podDisruptionBudget());
    }

    private static KindRules serviceAccount() {
        return KindRow.of(Kind.SERVICE_ACCOUNT, Column.NAME, Column.count("Secrets", "secrets"), Column.AGE)
                .with("token");
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
                .checked(IngressValidation::check)
                .warned(PlainRules::ingressWarnings);
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
                .checked(IngressValidation::checkClass)
                .checkedChange(IngressValidation::checkClassUpdate);
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
                .with("status");
    }

    private static Function<JsonNode, String> orNotGiven(String field) {
        return budget -> {
            String value = KindRules.field("spec", field).apply(budget);
            return value.isEmpty() ? "N/A" : value;
        };
    }
}
