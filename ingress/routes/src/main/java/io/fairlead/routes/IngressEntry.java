package io.fairlead.routes;

import static io.fairlead.routes.Annotation.CANARY;
import static io.fairlead.routes.Annotation.DEFAULT_BACKEND;
import static io.fairlead.routes.Annotation.SERVER_ALIAS;

import io.fairlead.api.Ingress;
import io.fairlead.api.IngressBackend;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/// One Ingress of ours, read: what it wants, what it needs, and why it cannot be served if it cannot.
record IngressEntry(Ingress ingress, Settled settled, Set<Settled.Need> needs, List<String> problems) {
    /// The older wins; of the same age the one whose name comes first.
    static final Comparator<IngressEntry> BY_AGE = Comparator.<IngressEntry, String>comparing(
                    entry -> entry.ingress.metadata().creationTimestamp())
            .thenComparing(entry -> entry.ingress.key());

    static final String ANY_HOST = "";

    private static final int LONGEST_PATH = 4096;
    private static final Pattern HOST =
            Pattern.compile("(\\*\\.)?[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9.-]{1,253}");
    private static final Pattern PORT = Pattern.compile("[A-Za-z0-9-]{1,63}|\\*");

    static IngressEntry of(Snapshot snapshot, Ingress ingress, IngressOwnership ownership) {
        Options.Reading reading = Options.read(ingress);
        Settled.Outcome outcome = Settled.of(snapshot, ingress, reading.options());
        List<String> problems = new ArrayList<>(reading.problems());
        problems.addAll(outcome.problems());
        IngressEntry entry = new IngressEntry(ingress, outcome.settled(), outcome.needs(), List.of());
        problems.addAll(entry.badNames());
        problems.addAll(entry.badPatterns());
        problems.addAll(ownership.refused().problems(ingress.key(), reading.options()));
        return new IngressEntry(ingress, entry.settled, entry.needs, List.copyOf(problems));
    }

    Profile profile(boolean external) {
        return Profile.of(settled.options(), external);
    }

    private static Stream<IngressBackend> backends(Ingress ingress) {
        return Stream.concat(
                        Stream.of(ingress.defaultBackend()),
                        ingress.rules().stream()
                                .flatMap(rule -> rule.paths().stream())
                                .map(Ingress.Path::backend))
                .filter(backend -> !backend.isNone());
    }

    // The API server checks these too; but they are keys of the Feed, and another server may check less.
    private List<String> badNames() {
        List<String> bad = new ArrayList<>();
        Stream.of(hosts(), tlsHosts())
                .flatMap(Set::stream)
                .filter(host -> !host.isEmpty() && !HOST.matcher(host).matches())
                .forEach(host -> bad.add("host \"%s\" is no name of a host".formatted(host)));
        ingress.rules().stream()
                .flatMap(rule -> rule.paths().stream())
                .map(Ingress.Path::path)
                .filter(path -> path.length() > LONGEST_PATH || path.chars().anyMatch(c -> c < ' ' || c == 0x7f))
                .forEach(_ -> bad.add("a path has control characters, or more than %d".formatted(LONGEST_PATH)));
        namedTargets()
                .filter(target -> !isTarget(target))
                .forEach(target -> bad.add("\"%s\" is no Service and port".formatted(target)));
        return bad;
    }

    private List<String> badPatterns() {
        if (!isRegex()) {
            return List.of();
        }
        return ingress.rules().stream()
                .flatMap(rule -> rule.paths().stream())
                .map(Ingress.Path::path)
                .filter(path -> Grammar.PATTERN.read(path).isEmpty() || !compiles(path))
                .map(path -> "path \"%s\" is no regular expression".formatted(path))
                .toList();
    }

    private static boolean compiles(String path) {
        try {
            return !Pattern.compile(path).pattern().isEmpty();
        } catch (PatternSyntaxException _) {
            return false;
        }
    }

    boolean isServed() {
        return problems.isEmpty() && !ingress.metadata().isTerminating();
    }

    boolean isCanary() {
        return settled.options().flag(CANARY, false);
    }

    /// A rewrite by groups means that paths are regular expressions, as it always did.
    boolean isRegex() {
        return settled.options().flag(Annotation.USE_REGEX, false)
                || settled.options().text(Annotation.REWRITE_TARGET, "").contains("$");
    }

    NamespacedName name() {
        return ingress.key();
    }

    /// The hosts that this Ingress has a say in; every host where it has a backend without a rule.
    Set<String> hosts() {
        Set<String> hosts = new TreeSet<>(settled.options().list(SERVER_ALIAS));
        ingress.rules().forEach(rule -> hosts.add(rule.host()));
        if (!ingress.defaultBackend().isNone()) {
            hosts.add(ANY_HOST);
        }
        return hosts;
    }

    Set<String> tlsHosts() {
        Set<String> hosts = new TreeSet<>();
        ingress.tls().forEach(tls -> hosts.addAll(tls.hosts()));
        return hosts;
    }

    /// The rules for `host`: its own, or, where that is an alias, those of the first host.
    Stream<Ingress.Path> paths(String host) {
        boolean alias = settled.options().list(SERVER_ALIAS).contains(host)
                && ingress.rules().stream().noneMatch(rule -> rule.host().equals(host));
        String first =
                ingress.rules().isEmpty() ? "" : ingress.rules().getFirst().host();
        String wanted = alias ? first : host;
        return ingress.rules().stream()
                .filter(rule -> rule.host().equals(wanted))
                .flatMap(rule -> rule.paths().stream());
    }

    /// The ports of Services that it may lead to; what is no name is none of them.
    Set<ServicePort> targets() {
        Set<ServicePort> targets = new TreeSet<>();
        namedTargets().filter(IngressEntry::isTarget).forEach(targets::add);
        return targets;
    }

    private Stream<ServicePort> namedTargets() {
        return Stream.concat(
                backends(ingress).map(backend -> ServicePort.of(name().namespace(), backend)), errors().stream());
    }

    private static boolean isTarget(ServicePort target) {
        return NAME.matcher(target.service().name()).matches()
                && PORT.matcher(target.port()).matches();
    }

    /// The Service that answers instead of errors, by its first port.
    Optional<ServicePort> errors() {
        String reference = settled.options().text(DEFAULT_BACKEND, "");
        if (reference.isEmpty() || reference.contains("/")) {
            return Optional.empty();
        }
        return Optional.of(new ServicePort(new NamespacedName(name().namespace(), reference), ServicePort.FIRST));
    }

    /// The Secrets with certificates and all else that it must be read anew for.
    Set<Settled.Need> allNeeds() {
        Set<Settled.Need> all = new HashSet<>(needs);
        ingress.tls().stream()
                .filter(tls -> !tls.secretName().isEmpty())
                .forEach(tls -> all.add(
                        new Settled.Need(Kind.SECRET, new NamespacedName(name().namespace(), tls.secretName()))));
        return all;
    }
}
