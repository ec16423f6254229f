package io.fairlead.commands;

import io.fairlead.access.Credential;
import io.fairlead.access.Pki;
import io.fairlead.access.Subject;
import io.fairlead.api.IpPort;
import io.fairlead.client.ClusterAccess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/// The keys of a control plane: with them it lets its clients in.
record ClusterKeys(Pki pki) {
    private static final Subject CONTROLLERS = Subject.of("system:kube-controller-manager");

    /// Those in the state directory of a server; they are made if there are none.
    static ClusterKeys in(Path serverDir) {
        return new ClusterKeys(Pki.open(serverDir.resolve("pki")));
    }

    /// How the subject reaches a server.
    ClusterAccess access(IpPort server, Subject subject) {
        return access(URI.create("https://" + server), pki.issueClient(subject));
    }

    /// How the administrator reaches it, with a certificate that is kept.
    ClusterAccess administrator(IpPort server) {
        return access(URI.create("https://" + server), pki.administratorCredential());
    }

    ClusterAccess access(URI server, Credential credential) {
        var tls = new ClusterAccess.Tls(pki.authorityPem(), credential.certificatePem(), credential.keyPem());
        return new ClusterAccess(server, "", tls);
    }

    /// How the controllers reach the server they run beside. Their certificate never leaves the process, so it may live
    /// as long as any process does.
    ClusterAccess controllers(IpPort server) {
        return access(URI.create("https://" + server), pki.issueClient(CONTROLLERS, Duration.ofDays(3650)));
    }
}
