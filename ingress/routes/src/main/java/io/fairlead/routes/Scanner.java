package io.fairlead.routes;

import org.jspecify.annotations.Nullable;

/// The words and signs of an nginx configuration, as nginx itself finds them.
///
/// A token is a sign (`;`, `{`, `}`) or `=` and the text of a word.
final class Scanner {
    private final String text;
    private int at;
    private @Nullable String token;

    Scanner(String text) {
        this.text = text;
        advance();
    }

    /// The token here; null at the end.
    @Nullable
    String token() {
        return token;
    }

    boolean is(char sign) {
        return token != null && token.length() == 1 && token.charAt(0) == sign;
    }

    void advance() {
        skip();
        if (at >= text.length()) {
            token = null;
            return;
        }
        char c = text.charAt(at);
        if (c == ';' || c == '{' || c == '}') {
            at++;
            token = String.valueOf(c);
        } else {
            token = "=" + (c == '"' || c == '\'' ? quoted(c) : plain());
        }
    }

    private void skip() {
        while (at < text.length() && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '#')) {
            if (text.charAt(at) == '#') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else {
                at++;
            }
        }
    }

    private String quoted(char quote) {
        StringBuilder word = new StringBuilder();
        at++;
        while (at < text.length() && text.charAt(at) != quote) {
            word.append(character());
        }
        if (at >= text.length()) {
            throw new IllegalArgumentException("a quote without an end");
        }
        at++;
        return word.toString();
    }

    private String plain() {
        StringBuilder word = new StringBuilder();
        while (at < text.length() && !Character.isWhitespace(text.charAt(at)) && ";{}".indexOf(text.charAt(at)) < 0) {
            word.append(character());
        }
        return word.toString();
    }

    private String character() {
        char c = text.charAt(at++);
        if (c != '\\' || at >= text.length()) {
            return String.valueOf(c);
        }
        char next = text.charAt(at++);
        return switch (next) {
            case 't' -> "\t";
            case 'r' -> "\r";
            case 'n' -> "\n";
            case '"', '\'', '\\' -> String.valueOf(next);
            default -> "\\" + next;
        };
    }
}
