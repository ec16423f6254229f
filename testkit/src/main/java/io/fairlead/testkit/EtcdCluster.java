package io.fairlead.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Real etcd members on loopback, in a directory of their own. A test may kill one and start it again.
public final class EtcdCluster implements AutoCloseable {
    private static final int MOST_LOOKS = 150;

    // Below the ports that clients get.
    private static final int FIRST_PORT = 12_000;
    private static final int LAST_PORT = 30_000;

    private final Path directory;
    private final List<Member> members;
    private final List<String> options;
    private final List<String> curlOptions;
    private final List<Process> processes = new ArrayList<>();

    /// PEM files of a member or a client: whom it trusts, and who it is.
    public record Tls(Path ca, Path cert, Path key) {}

    private record Member(String name, String scheme, int clientPort, int peerPort) {
        private String client() {
            return scheme + "://127.0.0.1:" + clientPort;
        }

        private String peer() {
            return "http://127.0.0.1:" + peerPort;
        }
    }

    private EtcdCluster(List<Member> members, Path place, List<String> options, List<String> curlOptions) {
        this.directory = newDirectory(place);
        this.members = members;
        this.options = options;
        this.curlOptions = curlOptions;
    }

    /// Starts `count` members in memory, each with these further options, and waits until they answer.
    public static EtcdCluster start(int count, String... options) throws InterruptedException {
        return start(count, memory(), options);
    }

    private static Path memory() {
        Path memory = Path.of("/dev/shm");
        return Files.isWritable(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
    }

    /// One member that speaks TLS, and only with clients whose certificate the authority of `server` signed.
    public static EtcdCluster startSecure(Tls server, Tls client) throws InterruptedException {
        List<String> options = List.of(
                "--client-cert-auth",
                "--trusted-ca-file=" + server.ca,
                "--cert-file=" + server.cert,
                "--key-file=" + server.key);
        List<String> curl = List.of(
                "--cacert", client.ca.toString(), "--cert", client.cert.toString(), "--key", client.key.toString());
        return started(new EtcdCluster(newMembers(1, "https"), memory(), options, curl));
    }

    /// The same, in a new directory below `place`, on the disk that is there.
    public static EtcdCluster start(int count, Path place, String... options) throws InterruptedException {
        return started(new EtcdCluster(newMembers(count, "http"), place, List.of(options), List.of()));
    }

    private static EtcdCluster started(EtcdCluster cluster) throws InterruptedException {
        boolean started = false;
        try {
            cluster.members.forEach(member -> cluster.processes.add(cluster.process(member)));
            cluster.awaitAnswers();
            started = true;
            return cluster;
        } finally {
            if (!started) {
                cluster.close();
            }
        }
    }

    private static Path newDirectory(Path place) {
        try {
            return Files.createTempDirectory(place, "fairlead-etcd");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Member> newMembers(int count, String scheme) {
        Set<Integer> taken = new HashSet<>();
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(new Member("m" + i, scheme, freePort(taken), freePort(taken)));
        }
        return members;
    }

    /// A port that no program has, and that the kernel gives to no client while a member is away.
    private static int freePort(Set<Integer> taken) {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
            if (taken.add(port) && isFree(port)) {
                return port;
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private Process process(Member member) {
        String all = members.stream().map(m -> m.name + "=" + m.peer()).collect(Collectors.joining(","));
        List<String> command = new ArrayList<>(List.of("etcd", "--name", member.name, "--log-level", "error"));
        command.addAll(List.of("--data-dir", directory.resolve(member.name).toString()));
        command.addAll(List.of("--listen-client-urls", member.client(), "--advertise-client-urls", member.client()));
        command.addAll(List.of("--listen-peer-urls", member.peer(), "--initial-advertise-peer-urls", member.peer()));
        command.addAll(List.of("--initial-cluster", all));
        command.addAll(options);
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(
                            directory.resolve(member.name + ".log").toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The clients' addresses of all members: `http://127.0.0.1:4001,http://127.0.0.1:4003`.
    public String addresses() {
        return members.stream().map(Member::client).collect(Collectors.joining(","));
    }

    /// The member that leads; waits until there is one.
    public int leader() throws InterruptedException {
        for (int look = 0; look < MOST_LOOKS; look++) {
            for (int i = 0; i < members.size(); i++) {
                if (EtcdGateway.leads(members.get(i).client())) {
                    return i;
                }
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        throw new IllegalStateException("no member of etcd leads");
    }

    /// Forgets all history up to now.
    public void compact() throws InterruptedException {
        EtcdGateway.compact(members.getFirst().client());
    }

    /// Sends a member a signal by its name: `STOP` lets it stand still, `CONT` go on.
    public void signal(int index, String name) throws InterruptedException {
        String pid = Long.toString(processes.get(index).pid());
        try {
            new ProcessBuilder("kill", "-" + name, pid).start().waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Ends a member as a power cut would.
    public void kill(int index) {
        processes.get(index).destroyForcibly().onExit().join();
    }

    /// Ends them all.
    public void kill() {
        processes.forEach(process -> process.destroyForcibly().onExit().join());
    }

    /// Starts a member that was killed; it may take a while until it answers.
    public void run(int index) {
        processes.set(index, process(members.get(index)));
    }

    /// Starts them all, and waits until they answer.
    public void run() throws InterruptedException {
        for (int i = 0; i < members.size(); i++) {
            run(i);
        }
        awaitAnswers();
    }

    private void awaitAnswers() throws InterruptedException {
        for (Member member : members) {
            for (int look = 0; !answers(member); look++) {
                if (look == MOST_LOOKS) {
                    throw new IllegalStateException("etcd does not answer at " + member.client());
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
    }

    private boolean answers(Member member) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("curl", "-sf", "--max-time", "2"));
        command.addAll(curlOptions);
        command.add(member.client() + "/health");
        try {
            Process health = new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return health.waitFor(5, TimeUnit.SECONDS) && health.exitValue() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        kill();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
