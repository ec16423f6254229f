package io.fairlead.sessions;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;

/// Who is at the other end of a TLS connection.
public final class Callers {
    private Callers() {}

    /// The CN of the certificate that the other side showed; empty if it has none.
    public static String name(SSLSocket socket) throws SSLPeerUnverifiedException {
        try {
            return new LdapName(socket.getSession().getPeerPrincipal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(Rdn::getValue)
                            .map(Object::toString)
                            .findFirst()
                            .orElse("");
        } catch (InvalidNameException e) {
            throw new SSLPeerUnverifiedException("the name in the certificate cannot be read");
        }
    }
}
