package io.fairlead.access;

import java.util.List;
import java.util.stream.Stream;

/// Whether a user gives away more than he has: no user may make a role, or bind one, that says more than he may do.
final class Escalation {
    private Escalation() {}

    /// True if each single thing that `wanted` allows is allowed by one of the rules that the user has.
    static boolean isCovered(List<PolicyRule> own, PolicyRule wanted) {
        return parts(wanted).allMatch(part -> own.stream().anyMatch(rule -> covers(rule, part)));
    }

    /// One verb, one group, one resource, one name; or one verb and one path.
    private static Stream<PolicyRule> parts(PolicyRule rule) {
        Stream<PolicyRule> paths = rule.verbs().stream()
                .flatMap(verb ->
                        rule.paths().stream().map(path -> part(verb, List.of(), List.of(), List.of(), List.of(path))));
        List<List<String>> names = rule.names().isEmpty()
                ? List.of(List.of())
                : rule.names().stream().map(List::of).toList();
        Stream<PolicyRule> resources = rule.verbs().stream()
                .flatMap(verb -> rule.groups().stream()
                        .flatMap(group -> rule.resources().stream()
                                .flatMap(resource -> names.stream()
                                        .map(name -> part(verb, List.of(group), List.of(resource), name, List.of())))));
        return Stream.concat(paths, resources);
    }

    private static PolicyRule part(
            String verb, List<String> groups, List<String> resources, List<String> names, List<String> paths) {
        return new PolicyRule(List.of(verb), groups, resources, names, paths);
    }

    private static boolean covers(PolicyRule own, PolicyRule part) {
        return has(own.verbs(), part.verbs().getFirst())
                && (part.paths().isEmpty() ? coversResource(own, part) : coversPath(own, part));
    }

    private static boolean coversResource(PolicyRule own, PolicyRule part) {
        String resource = part.resources().getFirst();
        int slash = resource.indexOf('/');
        boolean anyOwner = slash > 0 && own.resources().contains("*" + resource.substring(slash));
        return has(own.groups(), part.groups().getFirst())
                && (has(own.resources(), resource) || anyOwner)
                && (own.names().isEmpty()
                        || (!part.names().isEmpty()
                                && own.names().contains(part.names().getFirst())));
    }

    private static boolean coversPath(PolicyRule own, PolicyRule part) {
        String path = part.paths().getFirst();
        return own.paths().stream()
                .anyMatch(known -> known.equals(path)
                        || (known.endsWith("*") && path.startsWith(known.substring(0, known.length() - 1))));
    }

    private static boolean has(List<String> own, String wanted) {
        return own.contains("*") || own.contains(wanted);
    }
}
