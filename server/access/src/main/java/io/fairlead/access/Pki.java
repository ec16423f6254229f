package io.fairlead.access;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;

/// The folder with the keys and certificates of a control plane; what is missing is made.
///
/// ```
/// ca.crt ca.key          the authority that all trust
/// server.crt server.key  the API server's own
/// sa.pub sa.key          signs the tokens of ServiceAccounts
/// admin.crt admin.key    what the administrator shows, as in the kubeconfig
/// ```
///
/// A file is there whole or not at all, also after a crash. What the authority can issue again is issued again when a
/// half of it is missing or its key is another's; of the authority and the token keys that is an error with a sentence.
///
/// Several control planes over one store share `ca.*` and `sa.*`: copy them before the first start.
public final class Pki {
    /// How long the certificate of a server, an administrator or a node is good.
    public static final Duration LIFE = Duration.ofDays(365);

    private final Path dir;
    private final InstantSource clock;
    private final CertificateAuthority authority;
    private final KeyPair tokenKeys;

    private Pki(Path dir, InstantSource clock) {
        this.dir = dir;
        this.clock = clock;
        this.authority = new CertificateAuthority(hasAuthority() ? readAuthority() : newAuthority());
        this.tokenKeys = has("sa.key") ? readTokenKeys() : newTokenKeys();
    }

    /// Only its owner can read the folder and its files.
    public static Pki open(Path dir) {
        return open(dir, InstantSource.system());
    }

    /// The same, by another clock.
    public static Pki open(Path dir, InstantSource clock) {
        try {
            Files.createDirectories(dir.toAbsolutePath().getParent());
            if (!Files.exists(dir)) {
                Files.createDirectory(dir, mode("rwx------"));
            }
            Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new AccessException("the folder %s cannot be made: %s".formatted(dir, e), e);
        }
        return new Pki(dir, clock);
    }

    public CertificateAuthority authority() {
        return authority;
    }

    public String authorityPem() {
        return Pem.of(authority.certificate());
    }

    /// Signs and checks the tokens of ServiceAccounts.
    public KeyPair tokenKeys() {
        return tokenKeys;
    }

    /// The server's certificate: the one that is there, or a new one if that is too old or lacks a name.
    public Credential serverCredential(ServerNames names) {
        return findGood("server")
                .filter(there -> names.areIn(there.certificate()))
                .orElseGet(() -> write("server", authority.issueServer(names, clock.instant(), LIFE)));
    }

    /// The administrator's certificate: the one that is there, or a new one if that is too old. It is kept, because a
    /// key that every client can read takes longer to make than anything else in a start.
    public Credential administratorCredential() {
        return findGood("admin").orElseGet(() -> write("admin", issueClient(Subject.administrator())));
    }

    private Optional<Credential> findGood(String name) {
        return readable(name)
                .filter(Credential::isPair)
                .filter(there -> authority.hasSigned(there.certificate()))
                .filter(there -> !there.isDueForRenewal(clock.instant()));
    }

    private Optional<Credential> readable(String name) {
        try {
            return has(name + ".crt") && has(name + ".key") ? Optional.of(read(name)) : Optional.empty();
        } catch (AccessException _) {
            return Optional.empty(); // damaged: it is issued again
        }
    }

    /// A new certificate for a client; it is not kept here.
    public Credential issueClient(Subject subject) {
        return issueClient(subject, LIFE);
    }

    public Credential issueClient(Subject subject, Duration life) {
        return authority.issueClient(subject, clock.instant(), life);
    }

    private Credential newAuthority() {
        return write(
                "ca",
                CertificateAuthority.create("fairlead-ca", clock.instant()).credential());
    }

    private KeyPair newTokenKeys() {
        KeyPair keys = CertificateAuthority.newKeys();
        write("sa.pub", Pem.of(keys.getPublic()));
        write("sa.key", Pem.of(keys.getPrivate()));
        return keys;
    }

    private KeyPair readTokenKeys() {
        PublicKey known = Pem.publicKey(text("sa.pub"), dir.resolve("sa.pub").toString());
        PrivateKey signing =
                Pem.privateKey(text("sa.key"), dir.resolve("sa.key").toString());
        if (!KeyMatch.isPair(known, signing)) {
            throw new AccessException(
                    "%s: sa.pub does not belong to sa.key: put the right one back, or remove both".formatted(dir));
        }
        return new KeyPair(known, signing);
    }

    private Credential readAuthority() {
        Credential found = read("ca");
        if (!found.isPair()) {
            throw new AccessException(
                    "%s: ca.crt does not belong to ca.key: put the right one back, or remove both to have new ones made"
                            .formatted(dir));
        }
        return found;
    }

    /// A key without any certificate is what a crash at the very first start leaves: nothing was issued by it.
    private boolean hasAuthority() {
        boolean key = has("ca.key");
        if (key && !has("ca.crt") && !has("server.crt") && !has("admin.crt")) {
            return false;
        }
        if (key != has("ca.crt")) {
            // To make the other half anew would cut off all clients that trust the old one.
            throw new AccessException("%s has %s but no %s: put it back, or remove both to have new ones made"
                    .formatted(dir, key ? "ca.key" : "ca.crt", key ? "ca.crt" : "ca.key"));
        }
        return key;
    }

    private boolean has(String name) {
        return Files.exists(dir.resolve(name));
    }

    private Credential read(String name) {
        return new Credential(
                Pem.certificate(text(name + ".crt"), dir.resolve(name + ".crt").toString()),
                Pem.privateKey(text(name + ".key"), dir.resolve(name + ".key").toString()));
    }

    private Credential write(String name, Credential credential) {
        write(name + ".key", credential.keyPem());
        write(name + ".crt", credential.certificatePem());
        return credential;
    }

    private String text(String name) {
        try {
            return Files.readString(dir.resolve(name));
        } catch (IOException e) {
            throw new AccessException("%s cannot be read: %s".formatted(dir.resolve(name), e), e);
        }
    }

    /// A file is there whole or not at all, also after a crash, and never readable by others.
    private void write(String name, String text) {
        try {
            Path draft = Files.createTempFile(dir, "." + name, "", mode("rw-------"));
            try {
                Files.writeString(draft, text, StandardOpenOption.SYNC);
                Files.move(
                        draft, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
                try (FileChannel folder = FileChannel.open(dir)) {
                    folder.force(true);
                }
            } finally {
                Files.deleteIfExists(draft);
            }
        } catch (IOException e) {
            throw new AccessException("%s cannot be written: %s".formatted(dir.resolve(name), e), e);
        }
    }

    private static FileAttribute<Set<PosixFilePermission>> mode(String mode) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode));
    }
}
