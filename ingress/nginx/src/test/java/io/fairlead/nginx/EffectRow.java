package io.fairlead.nginx;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A row of `annotation-effects.txt`, for one prefix.
record EffectRow(int number, String prefix, String[] columns) {
    static List<EffectRow> all() throws IOException {
        try (InputStream in = EffectRow.class.getResourceAsStream("annotation-effects.txt")) {
            List<EffectRow> rows = new ArrayList<>();
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    String[] columns = line.split(" \\| ", -1);
                    rows.add(new EffectRow(rows.size(), "fairlead.io/", columns));
                    rows.add(new EffectRow(rows.size(), "nginx.ingress.kubernetes.io/", columns));
                }
            }
            return rows;
        }
    }

    String host() {
        return "row-%d.example.com".formatted(number);
    }

    private String filled(String text) {
        return text.replace("HOST", host());
    }

    /// The words of the annotations, without a prefix.
    Stream<String> words() {
        return Stream.of(columns[0].split("; ", -1)).map(one -> one.split("=", 2)[0]);
    }

    String manifest() {
        List<String> annotations = Stream.of(filled(columns[0]).split("; ", -1))
                .map(one -> one.split("=", 2))
                .map(pair -> "%s%s: '%s'".formatted(prefix, pair[0], pair[1]))
                .toList();
        boolean tls = columns[1].endsWith(" tls") && columns[1].startsWith("-");
        String[] route = columns[1].startsWith("-") ? new String[] {"/", "Prefix", "hello"} : columns[1].split(" ", -1);
        return """
            ---
            apiVersion: networking.k8s.io/v1
            kind: Ingress
            metadata: {name: row-%1$d, annotations: {%2$s}}
            spec:
              ingressClassName: fairlead
              tls: [%3$s]
              rules: [{host: "%4$s", http: {paths: [{path: '%5$s', pathType: %6$s, backend: {service: {name: %7$s, port: {number: 80}}}}]}}]
            """.formatted(
                        number,
                        String.join(", ", annotations),
                        tls ? "{hosts: [%s], secretName: cert}".formatted(host()) : "",
                        host(),
                        route[0],
                        route[1],
                        route[2]);
    }

    /// What curl says to the requests of this row.
    String answer() {
        List<String> words = new ArrayList<>(List.of("-i"));
        for (String word : filled(columns[2]).split(" ", -1)) {
            if (word.startsWith("http:/") && !word.startsWith("http://")) {
                words.add("http://%s:%d%s".formatted(host(), Door.HTTP, word.substring(5)));
            } else if (word.startsWith("https:/") && !word.startsWith("https://")) {
                words.add("https://%s:%d%s".formatted(host(), Door.HTTPS, word.substring(6)));
            } else {
                words.add(word.equals("2000x") ? "x".repeat(2000) : word);
            }
        }
        return Door.curl(words.toArray(String[]::new));
    }

    /// What is wrong with an answer; empty if it is as it should be. A number is the code of an answer.
    String fault(String answer) {
        for (String expected : filled(columns[3]).split(" & ", -1)) {
            boolean wanted = !expected.startsWith("!");
            String text = wanted ? expected : expected.substring(1);
            if (text.startsWith("\"")) {
                text = text.substring(1, text.length() - 1).replace("\\n", "\n");
            }
            boolean found = text.matches("[1-5][0-9][0-9]")
                    ? ("\n" + answer).contains("\n" + text + " ")
                    : answer.contains(text);
            if (found != wanted) {
                return "%s %s in:%n%s".formatted(wanted ? "no" : "there is", text, answer);
            }
        }
        return "";
    }

    @Override
    public String toString() {
        return prefix + String.join(" | ", columns);
    }
}
