package io.fairlead.kinds;

import io.fairlead.api.Cidr;
import io.fairlead.api.NameValidation;
import io.fairlead.api.Problem;
import java.util.List;
import tools.jackson.databind.JsonNode;

/// The rules for NetworkPolicy.
final class NetworkPolicyValidation {
    private NetworkPolicyValidation() {}

    static List<Problem> check(JsonNode policy) {
        FieldValidation root = FieldValidation.of(policy);
        FieldValidation spec = root.object("spec");
        MetadataValidation.checkLabels(spec.object("podSelector"), "matchLabels");
        spec.objects("ingress").forEach(rule -> checkRule(rule, "from"));
        spec.objects("egress").forEach(rule -> checkRule(rule, "to"));
        spec.texts("policyTypes").forEach(type -> type.checkChoice(List.of("Egress", "Ingress")));
        return root.problems();
    }

    private static void checkRule(FieldValidation rule, String peers) {
        rule.objects("ports").forEach(NetworkPolicyValidation::checkPort);
        rule.objects(peers).forEach(NetworkPolicyValidation::checkPeer);
    }

    private static void checkPort(FieldValidation port) {
        port.choice("protocol", List.of("SCTP", "TCP", "UDP"));
        JsonNode number = port.either("port");
        if (number.isNumber()) {
            port.checkPort("port", number.intValue());
        } else if (number.isString()) {
            port.check("port", number.stringValue(), NameValidation.portName(number.stringValue()));
        }
        if (!port.has("endPort")) {
            return;
        }
        if (number.isMissingNode()) {
            port.required("port", "must be specified when `endPort` is specified");
        } else if (number.isString()) {
            port.invalid("endPort", port.number("endPort", 0), "may not be specified when `port` is non-numeric");
        } else if (port.number("endPort", 0) < number.intValue()) {
            port.invalid("endPort", port.number("endPort", 0), "must be greater than or equal to `port`");
        }
    }

    private static void checkPeer(FieldValidation peer) {
        boolean selects = peer.has("podSelector") || peer.has("namespaceSelector");
        if (!selects && !peer.has("ipBlock")) {
            peer.add(Problem.required(peer.place(), "must specify a peer"));
        } else if (selects && peer.has("ipBlock")) {
            peer.add(Problem.forbidden(peer.place(), "may not specify both ipBlock and another peer"));
        }
        if (peer.has("ipBlock")) {
            checkBlock(peer.object("ipBlock"));
        }
    }

    private static void checkBlock(FieldValidation block) {
        String cidr = block.text("cidr");
        if (cidr.isEmpty()) {
            block.required("cidr", "");
            return;
        }
        block.check("cidr", cidr, AddressValidation.cidr(cidr));
        for (FieldValidation except : block.texts("except")) {
            except.check(AddressValidation.cidr(except.text()));
            Cidr.find(cidr)
                    .ifPresent(whole -> Cidr.find(except.text())
                            .filter(part -> !whole.contains(part.network()) || whole.equals(part))
                            .ifPresent(part -> except.invalid("must be a strict subset of `cidr`")));
        }
    }
}
