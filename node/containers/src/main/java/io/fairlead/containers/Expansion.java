package io.fairlead.containers;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// `$(NAME)` in a text stands for the variable of that name, `$$` for one `$`; an unknown name stays as it is.
/// Pure.
final class Expansion {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\$|\\$\\(([^()]*)\\)");

    private Expansion() {}

    static String of(String text, Map<String, String> variables) {
        return REFERENCE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(replacement(found, variables)));
    }

    private static String replacement(java.util.regex.MatchResult found, Map<String, String> variables) {
        return found.group(1) == null ? "$" : variables.getOrDefault(found.group(1), found.group());
    }
}
