package io.fairlead.kubectl;

import io.fairlead.api.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What the words after `get`, `delete` or `scale` mean: `services`, `svc hello web`, `svc/hello pod/web`, `pods,svc`.
final class ResourceArguments {
    private static final List<Kind> CATEGORY_ALL = List.of(Kind.POD, Kind.SERVICE, Kind.DEPLOYMENT, Kind.REPLICA_SET);

    private ResourceArguments() {}

    /// Objects of one kind; no names means all of them.
    record Wanted(Kind kind, List<String> names) {
        Wanted {
            names = List.copyOf(names);
        }
    }

    static List<Wanted> parse(List<String> words) {
        if (words.isEmpty()) {
            throw new CommandException("error: which kind of resource? Name one of: " + knownKinds());
        }
        boolean slashes = words.stream().anyMatch(word -> word.contains("/"));
        return slashes ? words.stream().map(ResourceArguments::kindAndName).toList() : kindsThenNames(words);
    }

    private static List<Wanted> kindsThenNames(List<String> words) {
        List<String> names = words.subList(1, words.size());
        List<Wanted> wanted = new ArrayList<>();
        for (String word : words.getFirst().split(",", -1)) {
            kinds(word).forEach(kind -> wanted.add(new Wanted(kind, names)));
        }
        return wanted;
    }

    private static Wanted kindAndName(String word) {
        String[] parts = word.split("/", -1);
        if (parts.length != 2 || parts[0].isEmpty() || parts[1].isEmpty()) {
            throw new CommandException(
                    "error: \"%s\" is not KIND/NAME; write either KIND NAME... or KIND/NAME...".formatted(word));
        }
        return new Wanted(kind(parts[0]), List.of(parts[1]));
    }

    private static List<Kind> kinds(String word) {
        return word.equals("all") ? CATEGORY_ALL : List.of(kind(word));
    }

    private static Kind kind(String word) {
        return Kind.find(word)
                .orElseThrow(
                        () -> new CommandException("error: the server doesn't have a resource type \"%s\"; there are %s"
                                .formatted(word, knownKinds())));
    }

    private static String knownKinds() {
        Stream<String> words = Kind.ALL.stream().map(kind -> String.join("/", named(kind)));
        return String.join(", ", words.toList());
    }

    private static List<String> named(Kind kind) {
        return Stream.concat(Stream.of(kind.plural()), kind.shortNames().stream())
                .toList();
    }

    /// How an object is called in what a command prints: `service/hello`, `deployment.apps/hello`.
    static String reference(Kind kind, String name) {
        return (kind.group().isEmpty() ? kind.singular() : kind.singular() + "." + kind.group()) + "/" + name;
    }
}
