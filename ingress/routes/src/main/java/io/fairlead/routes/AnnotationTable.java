package io.fairlead.routes;

import java.util.Optional;

/// The page of the reference that lists every annotation and every key of the ConfigMap.
public final class AnnotationTable {
    private AnnotationTable() {}

    public static String page() {
        StringBuilder page = new StringBuilder("""
                # Annotations of an Ingress

                This page is written by the program (`-Dgolden=update`); a test holds it to the code.

                Each name stands behind `fairlead.io/`; behind `nginx.ingress.kubernetes.io/` it means the same. If both
                are there, ours counts. A value outside its grammar leaves the Ingress out, alone, and an Event on it
                says why. An unknown name changes nothing, and an Event says so. Snippets are refused: text of a user
                becomes no configuration.

                | annotation | value | meaning |
                |---|---|---|
                """);
        for (Annotation annotation : Annotation.values()) {
            row(page, annotation.word(), annotation.grammar(), annotation.meaning(), Optional.empty());
        }
        page.append("""

                ## Keys of the ConfigMap

                What holds for all Ingresses, by the names of `ingress-nginx-controller`. A bad value leaves the usual
                one.

                | key | value | usual | meaning |
                |---|---|---|---|
                """);
        for (Setting setting : Setting.values()) {
            row(page, setting.word(), setting.grammar(), setting.meaning(), Optional.of(setting.otherwise()));
        }
        return page.toString();
    }

    private static void row(StringBuilder page, String word, String grammar, String meaning, Optional<String> usual) {
        page.append("| `").append(word).append("` | ").append(grammar).append(" | ");
        usual.ifPresent(text -> page.append('`').append(text).append("` | "));
        page.append(meaning).append(" |\n");
    }
}
