package io.fairlead.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// Tokens that an administrator gave out, from a file with a line each: `token,user,uid,"group,group"`.
///
/// Lines that are empty or begin with `#` do not count. The file is read once, when the server starts.
public final class StaticTokens {
    public static final StaticTokens NONE = new StaticTokens(Map.of());

    // By the digest of the token: neither a dump of this map nor the time of a look-up gives a token away.
    private final Map<String, User> users;

    private StaticTokens(Map<String, User> users) {
        this.users = Map.copyOf(users);
    }

    public static StaticTokens read(Path file) {
        try {
            Map<String, User> users = new TreeMap<>();
            int number = 0;
            for (String line : Files.readAllLines(file)) {
                number++;
                if (!line.isBlank() && !line.startsWith("#")) {
                    add(users, fields(line), "%s, line %d".formatted(file, number));
                }
            }
            return new StaticTokens(users);
        } catch (IOException e) {
            throw new AccessException("the token file %s cannot be read: %s".formatted(file, e), e);
        }
    }

    public Optional<User> find(String token) {
        return Optional.ofNullable(users.get(TokenDigest.of(token)));
    }

    /// An error names the place, never the text: that is secret.
    private static void add(Map<String, User> users, List<String> fields, String where) {
        if (fields.size() < 3 || fields.size() > 4) {
            throw new AccessException(where + ": must be token,user,uid or token,user,uid,\"group,group\"");
        }
        if (fields.get(0).isEmpty() || fields.get(1).isEmpty()) {
            throw new AccessException(where + ": token and user must not be empty");
        }
        Set<String> groups = new LinkedHashSet<>();
        if (fields.size() == 4) {
            List.of(fields.get(3).split(",", -1)).stream()
                    .map(String::strip)
                    .filter(group -> !group.isEmpty())
                    .forEach(groups::add);
        }
        User user = User.authenticated(fields.get(1), fields.get(2), groups);
        if (users.putIfAbsent(TokenDigest.of(fields.getFirst()), user) != null) {
            throw new AccessException(where + ": this token was given to another user before");
        }
    }

    /// The fields between commas; those in quotes may hold commas.
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString().strip());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString().strip());
        return fields;
    }
}
