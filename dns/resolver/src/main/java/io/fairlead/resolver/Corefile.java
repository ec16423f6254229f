package io.fairlead.resolver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// The text by which CoreDNS is set up, as lines in blocks; what they mean is for [CorefilePlan] to say.
record Corefile(List<ServerBlock> blocks) {

    /// One server: the zones it is for, and what it does.
    record ServerBlock(List<String> keys, List<Directive> directives) {
        ServerBlock {
            keys = List.copyOf(keys);
            directives = List.copyOf(directives);
        }
    }

    /// One line, and the lines in braces behind it.
    record Directive(int line, List<String> words, List<Directive> inner) {
        Directive {
            words = List.copyOf(words);
            inner = List.copyOf(inner);
        }

        String name() {
            return words.getFirst();
        }

        List<String> arguments() {
            return words.subList(1, words.size());
        }
    }

    Corefile {
        blocks = List.copyOf(blocks);
    }

    /// Throws an [IllegalArgumentException] that names the line that is wrong.
    static Corefile parse(String text) {
        return new Parser(text).corefile();
    }

    /// Reads line by line; a brace opens at the end of a line and closes on one of its own.
    private static final class Parser {
        private final List<List<String>> lines;
        private int at;

        Parser(String text) {
            lines = text.lines().map(Parser::words).collect(Collectors.toList());
        }

        private static List<String> words(String line) {
            String bare = line.replaceAll("(^|\\s)#.*", "").strip();
            return bare.isEmpty() ? List.of() : Arrays.asList(bare.split("\\s+", -1));
        }

        Corefile corefile() {
            List<ServerBlock> blocks = new ArrayList<>();
            for (; at < lines.size(); at++) {
                List<String> words = lines.get(at);
                if (words.isEmpty()) {
                    continue;
                }
                check(words.getLast().equals("{"), "a server begins with its zones and {");
                List<String> keys = words.subList(0, words.size() - 1);
                check(!keys.isEmpty(), "a server names no zone");
                blocks.add(new ServerBlock(keys, inner()));
            }
            if (blocks.isEmpty()) {
                throw new IllegalArgumentException("Corefile: no server");
            }
            return new Corefile(blocks);
        }

        /// The lines up to the closing brace, on which it stays.
        private List<Directive> inner() {
            List<Directive> directives = new ArrayList<>();
            int opened = at;
            for (at++; at < lines.size(); at++) {
                List<String> words = lines.get(at);
                if (words.equals(List.of("}"))) {
                    return directives;
                }
                if (words.isEmpty()) {
                    continue;
                }
                check(!words.getFirst().equals("{") && !words.contains("}"), "a brace stands alone, or ends a line");
                int line = at + 1;
                if (words.getLast().equals("{")) {
                    directives.add(new Directive(line, words.subList(0, words.size() - 1), inner()));
                } else {
                    directives.add(new Directive(line, words, List.of()));
                }
            }
            at = opened;
            check(false, "is not closed");
            return directives;
        }

        private void check(boolean right, String what) {
            if (!right) {
                throw new IllegalArgumentException("Corefile line %d: %s".formatted(at + 1, what));
            }
        }
    }
}
