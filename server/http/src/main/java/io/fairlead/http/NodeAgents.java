package io.fairlead.http;

import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.api.AgentDoor;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.objects.StatusException;
import io.fairlead.objects.WatchCache;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.StreamSupport;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import tools.jackson.databind.JsonNode;

/// The way from this server to the agents of nodes: TLS with a certificate on both sides.
///
/// An agent shows the certificate of its node, whatever address it has: we look for the node's name in it.
final class NodeAgents {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int FIRST_ANSWER_MILLIS = 30_000;
    private static final Duration LIFE = Duration.ofDays(3650); // it never leaves this process
    private static final char[] NO_PASSWORD = {};

    private final Optional<Pki> pki;
    private final WatchCache cache;
    private Optional<SSLSocketFactory> sockets = Optional.empty();

    NodeAgents(Optional<Pki> pki, WatchCache cache) {
        this.pki = pki;
        this.cache = cache;
    }

    /// A connection to the agent of `node`; its caller closes it.
    SSLSocket connect(String node) {
        JsonNode status = cache.of(Kind.NODE)
                .find(new NamespacedName("", node))
                .orElseThrow(() -> unreachable(node, "there is no such node"))
                .tree()
                .path("status");
        String address = StreamSupport.stream(status.path("addresses").spliterator(), false)
                .filter(one -> Json.text(one, "type").equals("InternalIP"))
                .map(one -> Json.text(one, "address"))
                .findFirst()
                .orElseThrow(() -> unreachable(node, "it has no InternalIP"));
        int port = status.path("daemonEndpoints")
                .path("kubeletEndpoint")
                .path("Port")
                .asInt(AgentDoor.PORT);
        try {
            return connect(node, new InetSocketAddress(address, port));
        } catch (IOException e) {
            throw unreachable(node, "%s port %d: %s".formatted(address, port, e.getMessage()));
        }
    }

    private SSLSocket connect(String node, InetSocketAddress address) throws IOException {
        SSLSocket socket = (SSLSocket) sockets().createSocket();
        boolean done = false;
        try {
            socket.connect(address, CONNECT_MILLIS);
            socket.setSoTimeout(FIRST_ANSWER_MILLIS);
            socket.startHandshake();
            checkIsAgentOf(node, socket);
            done = true;
            return socket;
        } finally {
            if (!done) {
                socket.close();
            }
        }
    }

    private static void checkIsAgentOf(String node, SSLSocket socket) throws SSLPeerUnverifiedException {
        String subject = socket.getSession().getPeerPrincipal().getName();
        try {
            String wanted = AgentDoor.AGENT_PREFIX + node;
            boolean found = new LdapName(subject)
                    .getRdns().stream().anyMatch(part -> part.getType().equals("CN") && wanted.equals(part.getValue()));
            if (found) {
                return;
            }
        } catch (InvalidNameException e) {
            // no name of a node
        }
        throw new SSLPeerUnverifiedException("it shows the certificate of " + subject);
    }

    private static StatusException unreachable(String node, String why) {
        return StatusException.of(503, "ServiceUnavailable", "node \"%s\" cannot be reached: %s".formatted(node, why));
    }

    private synchronized SSLSocketFactory sockets() {
        if (sockets.isEmpty()) {
            Pki keys = pki.orElseThrow(() -> StatusException.of(
                    503, "ServiceUnavailable", "this server has no keys, and agents let no caller in without them"));
            sockets = Optional.of(context(keys).getSocketFactory());
        }
        return sockets.get();
    }

    private static SSLContext context(Pki pki) {
        try {
            KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            own.init(ServerTls.keyStore(pki.issueClient(Subject.of(AgentDoor.CALLER), LIFE)), NO_PASSWORD);
            KeyStore authorities = KeyStore.getInstance("PKCS12");
            authorities.load(null, NO_PASSWORD);
            authorities.setCertificateEntry("authority", pki.authority().certificate());
            TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(authorities);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new ApiServerException("the keys to reach agents with cannot be used", e);
        }
    }
}
