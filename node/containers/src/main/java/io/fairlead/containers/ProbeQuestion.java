package io.fairlead.containers;

import io.fairlead.api.Ip;
import io.fairlead.api.IpPort;
import io.fairlead.api.Pod;
import io.fairlead.api.PortReference;
import io.fairlead.api.Probe;
import io.fairlead.client.GrpcHealth;
import io.fairlead.runtime.AnyCertificate;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import javax.net.ssl.HttpsURLConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks a container one question, from the node.
public record ProbeQuestion(Pod.Container container, Ip address, RuntimeContainer entry) {
    private static final Logger LOG = LoggerFactory.getLogger(ProbeQuestion.class);
    private static final int LONGEST_SECONDS = 3600;
    private static final int HOOK_MILLIS = 30_000;

    boolean ask(Probe probe) throws InterruptedException {
        int seconds = Math.min(probe.timeoutSeconds(), LONGEST_SECONDS);
        try {
            return switch (probe.action()) {
                case Probe.Action.None _ -> true;
                case Probe.Action.TcpSocket(String host, PortReference port) ->
                    connects(new InetSocketAddress(host(host), number(port)), seconds * 1000);
                case Probe.Action.HttpGet get -> answers(get, seconds * 1000);
                case Probe.Action.Exec(var command) ->
                    new ContainerEntry(entry).succeeds(command, Duration.ofSeconds(seconds));
                case Probe.Action.Grpc(int port, String service) ->
                    new GrpcHealth(new InetSocketAddress(host(""), port), service, seconds * 1000).isServing();
            };
        } catch (IOException | IllegalArgumentException e) {
            LOG.debug(
                    "event=probe-failed container={} address={} reason=\"{}\"",
                    container.name(),
                    address,
                    e.toString());
            return false;
        }
    }

    /// One request with the answer 2xx or 3xx.
    boolean answers(Probe.Action.HttpGet get) {
        try {
            return answers(get, HOOK_MILLIS);
        } catch (IOException | IllegalArgumentException e) {
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
            if (connection instanceof HttpsURLConnection tls) {
                AnyCertificate.trust(tls);
            }
            connection.setRequestProperty("User-Agent", "kube-probe/1.36");
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

    private URI url(Probe.Action.HttpGet get) {
        String host = get.host().isEmpty()
                ? new IpPort(address, number(get.port())).toString()
                : get.host() + ":" + number(get.port());
        String scheme = get.scheme().equals("HTTPS") ? "https://" : "http://";
        return URI.create(scheme + host + get.path());
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
