package io.fairlead.routes;

import java.util.List;

/// One statement of an nginx configuration: a name, its words, and for a block what stands in it.
public sealed interface Statement {
    String name();

    List<String> words();

    /// `name word word;`
    record Simple(String name, List<String> words) implements Statement {
        public Simple {
            words = List.copyOf(words);
        }
    }

    /// `name word { … }`
    record Block(String name, List<String> words, List<Statement> body) implements Statement {
        public Block {
            words = List.copyOf(words);
            body = List.copyOf(body);
        }
    }

    /// A statement of fixed texts; none of them may name a variable.
    static Statement simple(String name, String... words) {
        for (String word : words) {
            if (word.indexOf('$') >= 0) {
                throw new IllegalArgumentException("%s: \"%s\" would be read as a variable".formatted(name, word));
            }
        }
        return new Simple(name, List.of(words));
    }

    /// A statement whose words are of this program and may name variables of nginx.
    static Statement template(String name, String... words) {
        return new Simple(name, List.of(words));
    }

    static Statement block(String name, List<String> words, List<Statement> body) {
        return new Block(name, words, body);
    }
}
