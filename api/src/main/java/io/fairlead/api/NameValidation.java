package io.fairlead.api;

import java.util.Optional;
import java.util.regex.Pattern;

/// The rules for names, labels and the like: each gives the sentence that says what is wrong, or nothing.
public final class NameValidation {
    private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final Pattern LOWER_LABEL = Pattern.compile(LABEL);
    private static final Pattern LOWER_SUBDOMAIN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
    private static final Pattern QUALIFIED = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
    private static final Pattern PORT_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

    /// Whether upper-case letters may stand in a name (decision 035: they may in the names around a Service).
    public enum LetterCase {
        LOWER,
        ANY;

        private boolean allows(Pattern lowerCase, String name) {
            return lowerCase
                    .matcher(this == ANY ? name.toLowerCase(java.util.Locale.ROOT) : name)
                    .matches();
        }

        private String letters() {
            return this == ANY ? "letters" : "lower-case letters";
        }
    }

    private NameValidation() {}

    /// One part of a DNS name (RFC 1123), such as `web-1`.
    public static Optional<String> label(LetterCase letterCase, String name) {
        if (name.length() > 63) {
            return Optional.of("must be no more than 63 characters");
        }
        return letterCase.allows(LOWER_LABEL, name)
                ? Optional.empty()
                : Optional.of("must be an RFC 1123 label: " + letterCase.letters()
                        + ", digits and '-', with a letter or digit at both ends (like 'my-name' or '123-abc')");
    }

    /// Labels with dots between them (RFC 1123), such as `web.example.com`.
    public static Optional<String> subdomain(LetterCase letterCase, String name) {
        if (name.length() > 253) {
            return Optional.of("must be no more than 253 characters");
        }
        return letterCase.allows(LOWER_SUBDOMAIN, name)
                ? Optional.empty()
                : Optional.of("must be an RFC 1123 subdomain: " + letterCase.letters()
                        + ", digits, '-' and '.', with a letter or digit at both ends (like 'example.com')");
    }

    /// The key of a label or annotation: a name, and before it, if anything, a subdomain and a slash.
    public static Optional<String> qualifiedName(String name) {
        int slash = name.indexOf('/');
        if (slash >= 0 && subdomain(LetterCase.LOWER, name.substring(0, slash)).isPresent()) {
            return Optional.of("the part before '/' must be an RFC 1123 subdomain (like 'example.com/my-name')");
        }
        String last = name.substring(slash + 1);
        if (last.length() > 63) {
            return Optional.of("the name part must be no more than 63 characters");
        }
        return QUALIFIED.matcher(last).matches()
                ? Optional.empty()
                : Optional.of("the name part must be letters, digits, '-', '_' and '.', with a letter or digit at both"
                        + " ends (like 'my.name' or 'example.com/my-name')");
    }

    /// The value of a label; it may be empty.
    public static Optional<String> labelValue(String value) {
        if (value.length() > 63) {
            return Optional.of("must be no more than 63 characters");
        }
        return value.isEmpty() || QUALIFIED.matcher(value).matches()
                ? Optional.empty()
                : Optional.of("a label's value must be empty, or letters, digits, '-', '_' and '.', with a letter or"
                        + " digit at both ends (like 'MyValue' or '12345')");
    }

    /// The name a container gives to a port (RFC 6335).
    public static Optional<String> portName(String name) {
        if (name.length() > 15) {
            return Optional.of("a port name must be no more than 15 characters");
        }
        boolean fits = PORT_NAME.matcher(name).matches()
                && !name.contains("--")
                && name.chars().anyMatch(c -> c >= 'a' && c <= 'z');
        return fits
                ? Optional.empty()
                : Optional.of("a port name must be lower-case letters, digits and single '-', with at least one letter"
                        + " and no '-' at either end");
    }
}
