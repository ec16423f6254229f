package io.fairlead.containers;

import io.fairlead.kernel.BeneathPath;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The users and groups that the files of an image know.
record UserTable(List<String[]> users, List<String[]> groups) {
    /// A user by what the image or the pod calls it.
    record Account(long id, long group, String name, String home) {}

    static UserTable of(List<Path> layers) {
        return new UserTable(rows(layers, "etc/passwd"), rows(layers, "etc/group"));
    }

    private static List<String[]> rows(List<Path> layers, String file) {
        return layers.stream()
                .flatMap(layer -> read(layer, file).stream())
                .findFirst()
                .map(text -> text.lines().map(line -> line.split(":", -1)).toList())
                .orElse(List.of());
    }

    private static Optional<String> read(Path layer, String file) {
        Optional<BeneathPath> found = BeneathPath.find(layer, Path.of(file));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        try (BeneathPath path = found.get()) {
            return Optional.of(Folders.read(path.path()));
        }
    }

    /// `name`, `name:group`, `1000` or `1000:1000`; empty is root.
    Account find(String text) {
        String[] parts = text.split(":", 2);
        Account account = user(parts[0]);
        return parts.length < 2 || parts[1].isEmpty()
                ? account
                : new Account(account.id(), group(parts[1]), account.name(), account.home());
    }

    private Account user(String text) {
        String wanted = text.isEmpty() ? "0" : text;
        Optional<String[]> row = users.stream()
                .filter(user -> user.length > 5 && (user[0].equals(wanted) || user[2].equals(wanted)))
                .findFirst();
        if (row.isPresent()) {
            String[] user = row.get();
            return new Account(Long.parseLong(user[2]), Long.parseLong(user[3]), user[0], user[5]);
        }
        return new Account(number(wanted, "user"), 0, "", wanted.equals("0") ? "/root" : "/");
    }

    private long group(String text) {
        return groups.stream()
                .filter(group -> group.length > 2 && group[0].equals(text))
                .findFirst()
                .map(group -> Long.parseLong(group[2]))
                .orElseGet(() -> number(text, "group"));
    }

    /// The groups that name a user as one of theirs.
    Stream<Long> groupsOf(Account account) {
        return groups.stream()
                .filter(group -> group.length > 3
                        && !account.name().isEmpty()
                        && List.of(group[3].split(",", -1)).contains(account.name()))
                .map(group -> Long.parseLong(group[2]));
    }

    private static long number(String text, String what) {
        if (!text.matches("[0-9]{1,10}")) {
            throw new NodeException("the image has no %s \"%s\"".formatted(what, text));
        }
        return Long.parseLong(text);
    }
}
