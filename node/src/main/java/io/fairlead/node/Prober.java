package io.fairlead.node;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Pod;
import io.fairlead.api.PortReference;
import io.fairlead.api.Probe;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks one container whether it is ready, from the node.
final class Prober {
    private static final Logger LOG = LoggerFactory.getLogger(Prober.class);
    /// A container that is not ready yet is asked more often, so that it does not wait a whole period for its first
    /// yes.
    private static final Duration IMPATIENCE = Duration.ofMillis(500);

    private final Pod.Container container;
    private final Ip address;
    private volatile Readiness readiness;

    Prober(Pod.Container container, Ip address, boolean ready) {
        this.container = container;
        this.address = address;
        this.readiness = Readiness.of(ready);
    }

    boolean isReady() {
        return readiness.ready();
    }

    /// Asks until the process ends; rings `changed` whenever the answer becomes another.
    void run(ContainerProcess process, Runnable changed) throws InterruptedException {
        Probe probe = container.readinessProbe();
        Thread.sleep(Duration.ofSeconds(probe.initialDelaySeconds()));
        while (process.isAlive()) {
            boolean before = isReady();
            readiness = readiness.after(ask(probe), probe);
            if (isReady() != before) {
                LOG.debug("container={} address={} ready={}", container.name(), address, isReady());
                changed.run();
            }
            Thread.sleep(pause(probe));
        }
    }

    private Duration pause(Probe probe) {
        Duration period = Duration.ofSeconds(probe.periodSeconds());
        return isReady() || period.compareTo(IMPATIENCE) < 0 ? period : IMPATIENCE;
    }

    private boolean ask(Probe probe) {
        int timeoutMillis = Math.toIntExact(Math.min(probe.timeoutSeconds(), 3600) * 1000L);
        try {
            return switch (probe.action()) {
                case Probe.Action.None _ -> true;
                case Probe.Action.TcpSocket(String host, PortReference port) ->
                    connects(new InetSocketAddress(host(host), number(port)), timeoutMillis);
                case Probe.Action.HttpGet get -> answers(get, timeoutMillis);
            };
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug("container={} address={} probe failed: {}", container.name(), address, e.toString());
            return false;
        }
    }

    private static boolean connects(InetSocketAddress target, int timeoutMillis) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(target, timeoutMillis);
            return true;
        }
    }

    private boolean answers(Probe.Action.HttpGet get, int timeoutMillis) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) url(get).toURL().openConnection(java.net.Proxy.NO_PROXY);
        try {
            get.headers().forEach(connection::setRequestProperty);
            connection.setRequestProperty("Connection", "close");
            connection.setInstanceFollowRedirects(false);
            connection.setConnectTimeout(timeoutMillis);
            connection.setReadTimeout(timeoutMillis);
            int code = connection.getResponseCode();
            return code >= 200 && code < 400;
        } finally {
            connection.disconnect();
        }
    }

    private URI url(Probe.Action.HttpGet get) throws IOException {
        if (!get.scheme().equals("HTTP")) {
            throw new IOException("httpGet.scheme: %s is not supported, only HTTP".formatted(get.scheme()));
        }
        String host = get.host().isEmpty()
                ? new IpPort(address, number(get.port())).toString()
                : get.host() + ":" + number(get.port());
        return URI.create("http://" + host + get.path());
    }

    private InetAddress host(String host) throws IOException {
        return host.isEmpty() ? InetAddress.getByAddress(address.bytes()) : InetAddress.getByName(host);
    }

    private int number(PortReference port) {
        return switch (port) {
            case PortReference.ByNumber(int number) -> number;
            case PortReference.ByName(String name) ->
                container.ports().stream()
                        .filter(p -> p.name().equals(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no port is called " + name))
                        .port();
        };
    }
}
