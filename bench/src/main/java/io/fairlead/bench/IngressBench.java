package io.fairlead.bench;

import io.fairlead.runtime.TaskGroup;
import io.fairlead.testkit.SteadyClients;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What `fairlead ingress` costs beside an nginx that was set up by hand, and how soon a change has effect.
///
/// It runs in a network namespace of its own, on loopback. Both fronts have the same hosts, headers and log, and the
/// same endpoint, an nginx that answers by itself; they are measured by turns. A change is timed from the Snapshot to
/// the first request that is answered by it: what the API server takes is not in it.
public final class IngressBench {
    private static final List<String> PARTS = List.of("throughput", "changes", "churn", "reloads");
    private static final int ROUNDS = 11;
    private static final Duration ROUND = Duration.ofSeconds(3);
    private static final int CHANGES = 400;
    private static final int STRUCTURES = 10;
    private static final Duration CHURN = Duration.ofSeconds(20);

    private final IngressSite site;
    private final int ingresses;

    private IngressBench(IngressSite site, int ingresses) {
        this.site = site;
        this.ingresses = ingresses;
    }

    public static void main(String[] arguments) throws Exception {
        int ingresses = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        List<String> parts = arguments.length > 1 ? List.of(arguments).subList(1, arguments.length) : PARTS;
        System.out.println("what,ingresses,value,unit");
        try (IngressSite site = new IngressSite(ingresses)) {
            IngressBench bench = new IngressBench(site, ingresses);
            for (String part : parts) {
                bench.run(part);
            }
        }
    }

    private void run(String part) throws IOException, InterruptedException {
        switch (part) {
            case "throughput" -> throughput();
            case "changes" -> changes();
            case "churn" -> churn(false);
            case "reloads" -> churn(true);
            default -> throw new IllegalArgumentException("no part %s; there are %s".formatted(part, PARTS));
        }
    }

    private void throughput() throws IOException {
        Round ours = new Round();
        Round byHand = new Round();
        for (int round = 0; round < ROUNDS; round++) {
            ours.add(round, IngressSite.OURS, site.ours());
            byHand.add(round, IngressSite.BY_HAND, site.byHand());
        }
        tell("throughput", ours.rate(), "%.0f", "requests/s");
        tell("throughput by hand", byHand.rate(), "%.0f", "requests/s");
        tell("throughput of that by hand", ours.rate() / byHand.rate(), "%.3f", "ratio");
        tell("processor time of a request", ours.cost(), "%.2f", "us");
        tell("processor time of a request by hand", byHand.cost(), "%.2f", "us");
    }

    /// The rounds of one front; what counts is the median.
    private static final class Round {
        private final double[] rates = new double[ROUNDS];
        private final double[] costs = new double[ROUNDS];

        void add(int round, int port, Workers workers) throws IOException {
            double before = workers.seconds();
            rates[round] = Wrk.run(port, ROUND).perSecond();
            costs[round] = (workers.seconds() - before) / (rates[round] * ROUND.toSeconds()) * 1e6;
        }

        double rate() {
            return median(rates);
        }

        double cost() {
            return median(costs);
        }

        private static double median(double[] all) {
            return Arrays.stream(all).sorted().toArray()[ROUNDS / 2];
        }
    }

    private void changes() throws IOException, InterruptedException {
        tellChanges("endpoint change to effect", CHANGES, site::changeEndpoint);
        tellChanges("ingress change to effect", CHANGES, site::changeIngress);
        tellChanges("ingress change with a reload to effect", STRUCTURES, site::changeStructure);
    }

    private interface Change {
        Duration make(int round) throws IOException, InterruptedException;
    }

    private void tellChanges(String what, int count, Change change) throws IOException, InterruptedException {
        double[] all = new double[count];
        for (int i = 0; i < count; i++) {
            all[i] = change.make(i).toNanos() / 1e6;
        }
        Arrays.sort(all);
        tell(what + " p50", all[count / 2], "%.1f", "ms");
        tell(what + " p99", all[(int) Math.ceil(count * 0.99) - 1], "%.1f", "ms");
    }

    private void churn(boolean structures) throws IOException, InterruptedException {
        String name = structures ? "churn with reloads: " : "churn: ";
        long reloads = site.reloads();
        Wrk.Result result;
        SteadyClients.Seen seen;
        try (SteadyClients clients =
                        new SteadyClients(IngressSite.OURS, "host-7.example.com", IngressObjects.SOCKETS_HOST);
                TaskGroup tasks = new TaskGroup("churn")) {
            tasks.run("changes", () -> site.churn(structures));
            result = Wrk.run(IngressSite.OURS, CHURN);
            seen = clients.finish();
        }
        tell(name + "requests", result.perSecond(), "%.0f", "requests/s");
        count(name + "failed requests", result.failed());
        count(name + "requests of clients that retry", seen.asked());
        count(name + "retries of clients that retry", seen.retried());
        count(name + "failed requests of clients that retry", seen.failed());
        count(name + "websockets", seen.opened());
        count(name + "closed websockets", seen.closed());
        seen.faults().forEach(System.err::println);
        count(name + "reloads", site.reloads() - reloads);
    }

    private void count(String what, long amount) {
        System.out.printf(Locale.ROOT, "%s,%d,%d,count%n", what, ingresses, amount);
    }

    private void tell(String what, double value, String format, String unit) {
        String number = String.format(Locale.ROOT, format, value);
        System.out.printf(Locale.ROOT, "%s,%d,%s,%s%n", what, ingresses, number, unit);
    }
}
