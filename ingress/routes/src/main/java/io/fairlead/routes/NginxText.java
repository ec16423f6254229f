package io.fairlead.routes;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// The text of an nginx configuration and the tree it stands for, both ways.
///
/// Every word is written in quotes, whatever it is, so none can end a statement or begin another.
public final class NginxText {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_./:*~^=<>\"+,@-]+");

    private NginxText() {}

    public static String format(List<Statement> statements) {
        StringBuilder text = new StringBuilder();
        statements.forEach(statement -> write(statement, 0, text));
        return text.toString();
    }

    private static void write(Statement statement, int depth, StringBuilder text) {
        text.repeat("  ", depth).append(name(statement.name()));
        statement.words().forEach(word -> text.append(' ').append(quoted(word)));
        switch (statement) {
            case Statement.Simple _ -> text.append(";\n");
            case Statement.Block block -> {
                text.append(" {\n");
                block.body().forEach(inner -> write(inner, depth + 1, text));
                text.repeat("  ", depth).append("}\n");
            }
        }
    }

    private static String name(String name) {
        // Within `map` and `types` a name is a value like any other.
        return NAME.matcher(name).matches() && !name.startsWith("\"") ? name : quoted(name);
    }

    private static String quoted(String word) {
        StringBuilder text = new StringBuilder("\"");
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c < ' ' || c == 0x7f) {
                throw new IllegalArgumentException("a word with the control character %d".formatted((int) c));
            }
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        return text.append('"').toString();
    }

    /// The tree that nginx would read; throws [IllegalArgumentException] where it would read none.
    public static List<Statement> parse(String text) {
        Scanner scanner = new Scanner(text);
        List<Statement> statements = body(scanner);
        if (scanner.token() != null) {
            throw new IllegalArgumentException("a } without a {");
        }
        return statements;
    }

    private static List<Statement> body(Scanner scanner) {
        List<Statement> statements = new ArrayList<>();
        while (scanner.token() != null && !scanner.is('}')) {
            List<String> words = new ArrayList<>();
            while (scanner.token() != null && !scanner.is(';') && !scanner.is('{') && !scanner.is('}')) {
                words.add(String.valueOf(scanner.token()).substring(1));
                scanner.advance();
            }
            if (words.isEmpty() || scanner.token() == null || scanner.is('}')) {
                throw new IllegalArgumentException("a statement without a name or an end");
            }
            statements.add(statement(words, scanner));
        }
        return statements;
    }

    private static Statement statement(List<String> words, Scanner scanner) {
        boolean block = scanner.is('{');
        scanner.advance();
        List<String> rest = words.subList(1, words.size());
        if (!block) {
            return new Statement.Simple(words.getFirst(), rest);
        }
        List<Statement> body = body(scanner);
        if (!scanner.is('}')) {
            throw new IllegalArgumentException("a { without a }");
        }
        scanner.advance();
        return new Statement.Block(words.getFirst(), rest, body);
    }
}
