package io.fairlead.kinds;

import io.fairlead.api.Kind;
import io.fairlead.api.NameValidation.LetterCase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The server's table of kinds: a new kind is one row in [Kind#ALL], and one here if anything about it is particular.
public final class KindTable {
    private final Map<String, KindRules> rows = new LinkedHashMap<>();

    private final PodSecurityAdmission podSecurity;

    private KindTable(List<KindRules> rules, PodSecurityAdmission podSecurity) {
        this.podSecurity = podSecurity;
        Kind.ALL.forEach(kind -> rows.put(kind.qualified(), () -> kind));
        rules.forEach(row -> rows.put(row.kind().qualified(), row));
    }

    public static KindTable of(Stamp stamp, boolean strictNames) {
        LetterCase letterCase = strictNames ? LetterCase.LOWER : LetterCase.ANY;
        List<KindRules> rules = new ArrayList<>(List.of(
                new NamespaceRules(),
                new NodeRules(),
                new PodRules(),
                new ServiceRules(letterCase),
                new EndpointRules.Whole(letterCase),
                new EndpointRules.Slice(letterCase),
                new ServiceCidrRules(stamp),
                new IpAddressRules(),
                new EventRules(),
                ConfigRules.configMap(),
                new ConfigRules.Secret()));
        rules.addAll(WorkloadRules.all());
        rules.addAll(PlainRules.all());
        rules.addAll(StorageRules.all());
        rules.addAll(QuotaRules.all());
        rules.addAll(RoleRules.all());
        return new KindTable(rules, new PodSecurityAdmission(PodSecurityPolicy.OPEN));
    }

    /// The same kinds, with another policy for the pods of namespaces that have none of their own.
    public KindTable withPodSecurity(PodSecurityPolicy policy) {
        return new KindTable(all(), new PodSecurityAdmission(policy));
    }

    public PodSecurityAdmission podSecurity() {
        return podSecurity;
    }

    public KindRules rules(Kind kind) {
        KindRules rules = rows.get(kind.qualified());
        if (rules == null) {
            throw new IllegalArgumentException("no rules for kind " + kind);
        }
        return rules;
    }

    List<KindRules> all() {
        return List.copyOf(rows.values());
    }
}
