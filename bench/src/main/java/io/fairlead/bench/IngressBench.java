package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What `fairlead ingress` costs beside an nginx that was set up by hand, and how soon a change has effect.
///
/// It runs in a network namespace of its own, on loopback. Both fronts have the same hosts and the same
/// endpoint, an nginx that answers by itself; they are measured in turn. A change is timed from the Snapshot to
/// the first request that is answered by it: what the API server takes is not in it.
public final class IngressBench {
    private static final int ROUNDS = 7;
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int CHANGES = 200;
    private static final int STRUCTURES = 20;
    private static final Duration CHURN = Duration.ofSeconds(20);

    private IngressBench() {}

    public static void main(String[] arguments) throws Exception {
        int ingresses = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        List<String> parts = arguments.length > 1
                ? List.of(arguments).subList(1, arguments.length)
                : List.of("throughput", "changes", "churn", "reloads");
        System.out.println("what,ingresses,value,unit");
        try (IngressSite site = new IngressSite(ingresses)) {
            for (String part : parts) {
                switch (part) {
                    case "throughput" -> throughput(ingresses);
                    case "changes" -> changes(site, ingresses);
                    case "churn" -> churn(site, ingresses);
                    case "reloads" -> reloads(site, ingresses);
                    default -> throw new IllegalArgumentException("no part " + part);
                }
            }
        }
    }

    private static void row(String what, int ingresses, String unit, double value) {
        System.out.printf(Locale.ROOT, "%s,%d,%s,%s%n", what, ingresses, number(value), unit);
    }

    private static String number(double value) {
        return value >= 1000 || value == Math.rint(value)
                ? Long.toString(Math.round(value))
                : String.format(Locale.ROOT, "%.3f", value);
    }

    /// By turns, so that what the machine does meanwhile falls on all; the medians of each, and of the ratios of each
    /// round.
    private static void throughput(int ingresses) throws IOException {
        double[] ours = new double[ROUNDS];
        double[] byHand = new double[ROUNDS];
        double[] bare = new double[ROUNDS];
        double[] ratio = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            byHand[round] = Wrk.run(IngressSite.BY_HAND, ROUND).perSecond();
            ours[round] = Wrk.run(IngressSite.OURS, ROUND).perSecond();
            bare[round] = Wrk.run(IngressSite.BARE, ROUND).perSecond();
            ratio[round] = ours[round] / byHand[round];
        }
        row("throughput", ingresses, "requests/s", median(ours));
        row("throughput by hand", ingresses, "requests/s", median(byHand));
        row("throughput by hand without headers and JSON log", ingresses, "requests/s", median(bare));
        row("throughput of that by hand", ingresses, "ratio", median(ratio));
        row("throughput of that by hand without headers and JSON log", ingresses, "ratio", median(ours) / median(bare));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void changes(IngressSite site, int ingresses) throws InterruptedException {
        tell("endpoint change to effect p50", ingresses, milliseconds(site, true));
        tell("ingress change to effect p50", ingresses, milliseconds(site, false));
        double[] reloads = new double[STRUCTURES];
        for (int i = 0; i < STRUCTURES; i++) {
            reloads[i] = site.addStructure(i).toNanos() / 1e6;
        }
        Arrays.sort(reloads);
        tell("ingress change with a reload to effect p50", ingresses, reloads);
    }

    private static double[] milliseconds(IngressSite site, boolean endpoint) throws InterruptedException {
        double[] all = new double[CHANGES];
        for (int i = 0; i < CHANGES; i++) {
            all[i] = (endpoint ? site.changeEndpoint(i) : site.changeIngress(i)).toNanos() / 1e6;
        }
        Arrays.sort(all);
        return all;
    }

    private static void tell(String what, int ingresses, double[] sorted) {
        System.out.printf(Locale.ROOT, "%s,%d,%.1f,ms%n", what, ingresses, sorted[sorted.length / 2]);
        System.out.printf(
                Locale.ROOT,
                "%s,%d,%.1f,ms%n",
                what.replace("p50", "p99"),
                ingresses,
                sorted[(int) Math.ceil(sorted.length * 0.99) - 1]);
    }

    /// Endpoints change every 50 ms, certificates rotate, and Ingresses of others come, are broken and go; none of it
    /// needs a reload.
    private static void churn(IngressSite site, int ingresses) throws IOException, InterruptedException {
        try (IngressClients clients = new IngressClients(IngressSite.OURS)) {
            site.prepareChurn();
            clients.openWebSockets(IngressSite.WEBSOCKETS);
            long reloads = site.reloads();
            Wrk.Result result;
            try (TaskGroup tasks = new TaskGroup("churn")) {
                tasks.run("changes", site::churn);
                result = Wrk.run(IngressSite.OURS, CHURN);
            }
            IngressClients.Count count = clients.count();
            row("churn requests/s", ingresses, "requests/s", result.perSecond());
            row("churn failed requests", ingresses, "count", result.failed());
            row("churn reloads", ingresses, "count", site.reloads() - reloads);
            row("churn echoes of WebSockets", ingresses, "count", count.echoes());
            row("churn closed WebSockets", ingresses, "count", count.closedWebSockets());
        }
    }

    /// The same with a reload every second. nginx closes an idle connection when it reloads, and a request may be on
    /// its
    /// way: such a client asks again.
    private static void reloads(IngressSite site, int ingresses) throws IOException, InterruptedException {
        try (IngressClients clients = new IngressClients(IngressSite.OURS)) {
            site.prepareChurn();
            clients.openWebSockets(IngressSite.WEBSOCKETS);
            clients.startAsking("host-7.example.com", 8);
            long reloads = site.reloads();
            try (TaskGroup tasks = new TaskGroup("reloads")) {
                tasks.run("changes", site::churn);
                long end = System.nanoTime() + CHURN.toNanos();
                for (int i = 0; System.nanoTime() < end; i++) {
                    site.addStructure(1000 + i);
                }
            }
            IngressClients.Count count = clients.count();
            row("reloads", ingresses, "count", site.reloads() - reloads);
            row("reloads answers", ingresses, "count", count.answers());
            row("reloads asked again", ingresses, "count", count.askedAgain());
            row("reloads failed requests", ingresses, "count", count.failures());
            row("reloads closed WebSockets", ingresses, "count", count.closedWebSockets());
        }
    }
}
