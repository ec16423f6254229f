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
    private static final int ROUNDS = 3;
    private static final int CHANGES = 200;
    private static final Duration CHURN = Duration.ofSeconds(10);

    private IngressBench() {}

    public static void main(String[] arguments) throws Exception {
        int ingresses = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2000;
        System.out.println("what,ingresses,value,unit");
        try (IngressSite site = new IngressSite(ingresses)) {
            if (arguments.length > 1 && arguments[1].equals("hold")) {
                Thread.sleep(1200_000);
            }
            throughput(ingresses);
            tell("endpoint change to effect p50", ingresses, milliseconds(site, true));
            tell("ingress change to effect p50", ingresses, milliseconds(site, false));
            churn(site, ingresses);
            System.out.printf(Locale.ROOT, "reloads,%d,%d,count%n", ingresses, site.reloads());
        }
    }

    private static void throughput(int ingresses) throws IOException {
        double[] ours = new double[ROUNDS];
        double[] byHand = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            ours[round] = Wrk.run(IngressSite.OURS, Duration.ofSeconds(5)).perSecond();
            byHand[round] = Wrk.run(IngressSite.BY_HAND, Duration.ofSeconds(5)).perSecond();
        }
        Arrays.sort(ours);
        Arrays.sort(byHand);
        System.out.printf(Locale.ROOT, "throughput,%d,%.0f,requests/s%n", ingresses, ours[ROUNDS / 2]);
        System.out.printf(Locale.ROOT, "throughput by hand,%d,%.0f,requests/s%n", ingresses, byHand[ROUNDS / 2]);
        System.out.printf(
                Locale.ROOT,
                "throughput of that by hand,%d,%.3f,ratio%n",
                ingresses,
                ours[ROUNDS / 2] / byHand[ROUNDS / 2]);
    }

    private static double[] milliseconds(IngressSite site, boolean endpoint) throws IOException, InterruptedException {
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

    private static void churn(IngressSite site, int ingresses) throws IOException {
        Wrk.Result result;
        try (TaskGroup tasks = new TaskGroup("churn")) {
            tasks.run("changes", site::churn);
            result = Wrk.run(IngressSite.OURS, CHURN);
        }
        List.of(
                        "churn requests/s," + ingresses + "," + Math.round(result.perSecond()) + ",requests/s",
                        "churn failed requests," + ingresses + "," + result.failed() + ",count")
                .forEach(System.out::println);
    }
}
