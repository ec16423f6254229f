package io.fairlead.bench;

import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Kubeconfig;
import io.fairlead.kernel.NetworkNamespace;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a user of `fairlead dns` sees beside an API server with 10,000 Services: how soon it answers, what memory it
/// takes, and how soon a changed endpoint is in its answers.
///
/// Both programs are those of the distribution. Prints lines of `what,services,value,unit,bar`.
final class DnsProgramBench implements AutoCloseable {
    private static final ServedCluster CLUSTER = new ServedCluster(10_000, 2);
    private static final int STARTS = 5;
    private static final int WARM_UP = 100;
    private static final int REST_MILLIS = 15_000;

    private final NetworkNamespace namespace = NetworkNamespace.create("fldnsbench");
    private final Path launcher;
    private final Path folder;
    private final BenchProcess server;
    private final DatagramSocket socket;
    private final ApiClient client;

    private DnsProgramBench(Path launcher, Path folder) throws Exception {
        this.launcher = launcher;
        this.folder = folder;
        this.server = start("server", "--dir", folder.toString(), "--bind", "127.0.0.1:16470");
        server.await(() -> Files.exists(folder.resolve("kubeconfig")));
        this.client = namespace.call(() -> new ApiClient(Kubeconfig.read(folder.resolve("kubeconfig"))));
        this.socket = namespace.call(DatagramSocket::new);
        socket.setSoTimeout(20);
    }

    /// `java … DnsProgramBench LAUNCHER FOLDER CHANGES`: the folder stays the caller's to remove.
    public static void main(String[] args) throws Exception {
        try (DnsProgramBench bench = new DnsProgramBench(Path.of(args[0]), Path.of(args[1]))) {
            bench.run(Integer.parseInt(args[2]));
        }
    }

    private BenchProcess start(String program, String... arguments) {
        List<Object> command = new ArrayList<>(List.of(launcher, program));
        command.addAll(List.of(arguments));
        return BenchProcess.start(namespace, folder.resolve(program + ".log"), Map.of(), command);
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private void run(int changes) throws Exception {
        System.out.println("what,services,value,unit,bar");
        server.await(this::isReady);
        namespace.call(() -> {
            CLUSTER.create(client);
            return client;
        });
        double[] starts = new double[STARTS];
        for (int i = 0; i < STARTS; i++) {
            try (BenchProcess dns = startDns()) {
                starts[i] = (System.nanoTime() - dns.started()) / 1e6;
            }
        }
        print("start to every name", median(starts), "ms", "2000");
        try (BenchProcess dns = startDns()) {
            Thread.sleep(REST_MILLIS);
            print("RSS 15 s after the start", dns.megabytes("VmRSS"), "MB", "120");
            change(WARM_UP, 1);
            double[] millis = change(changes, WARM_UP + 1);
            print("change to answer p50", millis[changes / 2], "ms", "5");
            print("change to answer p99", millis[changes * 99 / 100], "ms", "");
            Thread.sleep(REST_MILLIS);
            print("RSS 15 s after the changes", dns.megabytes("VmRSS"), "MB", "120");
        }
    }

    private boolean isReady() {
        try {
            return client.isReady();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Starts the server of names and waits for an answer of it: it has all names, or none.
    private BenchProcess startDns() throws InterruptedException {
        BenchProcess dns = start(
                "dns",
                "--kubeconfig",
                folder.resolve("kubeconfig").toString(),
                "--address=127.0.0.1:53",
                "--http-address=127.0.0.1:9153",
                "--forward=.=127.0.0.1:5353",
                "--lame-duck=0");
        byte[] last = question("svc-%05d.default.svc.cluster.local".formatted(CLUSTER.services() - 1));
        dns.awaitBusily(() -> isFound(last));
        return dns;
    }

    /// Replaces the endpoints of one Service after the other; gives the sorted times, in milliseconds, from the API
    /// server's answer until an endpoint that was not there before has a name.
    private double[] change(int count, int first) throws InterruptedException {
        double[] millis = new double[count];
        for (int i = 0; i < count; i++) {
            int generation = first + i;
            int service = generation % CLUSTER.services();
            var slice = CLUSTER.slice(service, generation);
            byte[] question = question("%s.svc-%05d.default.svc.cluster.local"
                    .formatted(slice.at("/endpoints/0/addresses/0").asString().replace('.', '-'), service));
            client.update(Kind.ENDPOINT_SLICE, slice);
            long answered = System.nanoTime();
            while (!isFound(question)) {
                Thread.onSpinWait();
            }
            millis[i] = (System.nanoTime() - answered) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }

    private boolean isFound(byte[] question) {
        try {
            socket.send(new DatagramPacket(question, question.length, InetAddress.getLoopbackAddress(), 53));
            DatagramPacket answer = new DatagramPacket(new byte[512], 512);
            socket.receive(answer);
            boolean same = Arrays.equals(answer.getData(), 12, question.length, question, 12, question.length);
            return same && (answer.getData()[3] & 0xf) == 0 && answer.getData()[7] > 0;
        } catch (IOException _) {
            return false; // it does not hear yet
        }
    }

    private static byte[] question(String name) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {1, 2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0});
        for (String label : name.split("\\.", -1)) {
            bytes.write(label.length());
            bytes.writeBytes(label.getBytes(StandardCharsets.US_ASCII));
        }
        bytes.writeBytes(new byte[] {0, 0, 1, 0, 1});
        return bytes.toByteArray();
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @SuppressWarnings("SystemOut") // the results are the output
    private static void print(String what, double value, String unit, String bar) {
        System.out.printf(Locale.ROOT, "%s,%d,%.2f,%s,%s%n", what, CLUSTER.services(), value, unit, bar);
    }

    @Override
    public void close() {
        client.close();
        socket.close();
        server.close();
        namespace.delete();
    }
}
