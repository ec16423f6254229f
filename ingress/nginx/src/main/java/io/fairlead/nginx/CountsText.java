package io.fairlead.nginx;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// What nginx counted, as a page for Prometheus. Pure.
final class CountsText {
    private static final List<String> BOUNDS =
            List.of("0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "+Inf");

    private CountsText() {}

    static String counter(String name, String help, long value) {
        return "# HELP %1$s %2$s%n# TYPE %1$s counter%n%1$s %3$d%n".formatted(name, help, value);
    }

    /// `counts` are lines of what, Ingress, Service, detail and amount, with tabs.
    static String page(String counts) {
        Map<String, Double> requests = new TreeMap<>();
        Map<String, Double> bytes = new TreeMap<>();
        Map<String, Double> seconds = new TreeMap<>();
        Map<String, Map<String, Double>> buckets = new TreeMap<>();
        for (String line : counts.split("\n", -1)) {
            String[] parts = line.split("\t", -1);
            if (parts.length != 5) {
                continue;
            }
            String labels = "ingress=\"%s\",service=\"%s\"".formatted(escaped(parts[1]), escaped(parts[2]));
            double amount = Double.parseDouble(parts[4]);
            switch (parts[0]) {
                case "requests" -> requests.put(labels + ",status=\"" + escaped(parts[3]) + "\"", amount);
                case "bytes" -> bytes.put(labels, amount);
                case "seconds" -> seconds.put(labels, amount);
                default -> buckets.computeIfAbsent(labels, _ -> new TreeMap<>()).put(parts[3], amount);
            }
        }
        List<String> text = new ArrayList<>();
        family(text, "fairlead_ingress_requests_total", "Requests by Ingress, Service and code", requests);
        family(text, "fairlead_ingress_response_bytes_total", "Bytes sent to clients", bytes);
        histogram(text, seconds, buckets);
        return String.join("\n", text) + "\n";
    }

    private static void family(List<String> text, String name, String help, Map<String, Double> values) {
        text.add("# HELP " + name + " " + help);
        text.add("# TYPE " + name + " counter");
        values.forEach((labels, value) -> text.add(line(name, labels, value)));
    }

    private static void histogram(
            List<String> text, Map<String, Double> seconds, Map<String, Map<String, Double>> buckets) {
        String name = "fairlead_ingress_request_duration_seconds";
        text.add("# HELP " + name + " From the first byte of a request to the last of its answer");
        text.add("# TYPE " + name + " histogram");
        buckets.forEach((labels, counts) -> {
            double sum = 0;
            for (String bound : BOUNDS) {
                sum += counts.getOrDefault(bound, 0.0);
                text.add(line(name + "_bucket", labels + ",le=\"" + bound + "\"", sum));
            }
            text.add(line(name + "_count", labels, sum));
            text.add(line(name + "_sum", labels, seconds.getOrDefault(labels, 0.0)));
        });
    }

    private static String line(String name, String labels, double value) {
        return String.format(Locale.ROOT, "%s{%s} %s", name, labels, value);
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
