package io.fairlead.access;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Signs certificates, by RFC 5280: its own, those of servers and those of clients. Keys are ECDSA on P-256.
public final class CertificateAuthority {
    static final Duration OWN_LIFE = Duration.ofDays(3650);

    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String SUBJECT_KEY = "2.5.29.14";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String ALTERNATIVE_NAMES = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String AUTHORITY_KEY = "2.5.29.35";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_USE = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_USE = "1.3.6.1.5.5.7.3.2";
    // A clock that is a little behind ours must not find a fresh certificate not valid yet.
    private static final Duration SLACK = Duration.ofMinutes(5);

    private final Credential own;

    CertificateAuthority(Credential own) {
        this.own = own;
    }

    /// A new one, which signs itself.
    static CertificateAuthority create(String name, Instant now) {
        KeyPair keys = newKeys();
        byte[] subject = Subject.of(name).encoded();
        byte[] extensions = Der.sequence(
                extension(BASIC_CONSTRAINTS, true, Der.sequence(Der.bool(true))),
                // digitalSignature, keyCertSign, cRLSign: bits 0, 5 and 6
                extension(KEY_USAGE, true, Der.bits(1, new byte[] {(byte) 0x86})),
                extension(SUBJECT_KEY, false, Der.octets(keyId(keys.getPublic()))));
        byte[] body = body(subject, subject, validity(now, now.plus(OWN_LIFE)), keys.getPublic(), extensions);
        return new CertificateAuthority(new Credential(signed(body, keys.getPrivate()), keys.getPrivate()));
    }

    public X509Certificate certificate() {
        return own.certificate();
    }

    Credential credential() {
        return own;
    }

    /// A new key and a certificate with which a client proves who it is.
    public Credential issueClient(Subject subject, Instant now, Duration life) {
        KeyPair keys = subject.isPartOfTheCluster() ? newKeys() : newRsaKeys();
        // The agent of a node has one key: with it it asks the API server, and with it it answers it.
        byte[] uses = subject.isNode() ? uses(CLIENT_USE, SERVER_USE) : uses(CLIENT_USE);
        return issue(keys, subject, uses, new byte[0], now, life);
    }

    /// A new key and a certificate for a server known by these names.
    Credential issueServer(ServerNames names, Instant now, Duration life) {
        return issue(
                newKeys(),
                Subject.of("kube-apiserver"),
                uses(SERVER_USE),
                extension(ALTERNATIVE_NAMES, false, names.encoded()),
                now,
                life);
    }

    /// Whom a client certificate is for; nothing if it is not ours, not for clients, or out of date.
    public Optional<Subject> findSubject(X509Certificate certificate, Instant now) {
        try {
            certificate.checkValidity(Date.from(now));
            return isForClients(certificate) && hasSigned(certificate)
                    ? Optional.of(Subject.of(certificate))
                            .filter(subject -> !subject.name().isEmpty())
                    : Optional.empty();
        } catch (GeneralSecurityException | AccessException _) {
            return Optional.empty();
        }
    }

    boolean hasSigned(X509Certificate certificate) {
        try {
            certificate.verify(own.certificate().getPublicKey());
            return certificate.getIssuerX500Principal().equals(own.certificate().getSubjectX500Principal());
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static boolean isForClients(X509Certificate certificate) throws GeneralSecurityException {
        List<String> uses = certificate.getExtendedKeyUsage();
        return uses != null && uses.contains(CLIENT_USE);
    }

    private Credential issue(KeyPair keys, Subject subject, byte[] uses, byte[] more, Instant now, Duration life) {
        byte[] extensions = Der.sequence(
                extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                // digitalSignature: bit 0
                extension(KEY_USAGE, true, Der.bits(7, new byte[] {(byte) 0x80})),
                extension(EXTENDED_KEY_USAGE, false, uses),
                extension(
                        AUTHORITY_KEY,
                        false,
                        Der.sequence(Der.implicit(0, keyId(own.certificate().getPublicKey())))),
                more);
        Instant end = earlier(now.plus(life), own.certificate().getNotAfter().toInstant());
        byte[] issuer = own.certificate().getSubjectX500Principal().getEncoded();
        byte[] body = body(issuer, subject.encoded(), validity(now, end), keys.getPublic(), extensions);
        return new Credential(signed(body, own.key()), keys.getPrivate());
    }

    private static byte[] uses(String... uses) {
        return Der.sequence(Stream.of(uses).map(Der::objectId).toArray(byte[][]::new));
    }

    private static byte[] body(byte[] issuer, byte[] subject, byte[] validity, PublicKey key, byte[] extensions) {
        return Der.sequence(
                Der.explicit(0, Der.integer(BigInteger.TWO)), // version 3
                Der.integer(serial(subject, key)),
                algorithm(),
                issuer,
                validity,
                subject,
                key.getEncoded(),
                Der.explicit(3, extensions));
    }

    private static X509Certificate signed(byte[] body, PrivateKey key) {
        try {
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(key);
            signature.update(body);
            byte[] whole = Der.sequence(body, algorithm(), Der.bits(0, signature.sign()));
            return Pem.certificate(whole);
        } catch (GeneralSecurityException e) {
            throw new AccessException("a certificate cannot be signed", e);
        }
    }

    private static byte[] algorithm() {
        return Der.sequence(Der.objectId(ECDSA_WITH_SHA256));
    }

    private static byte[] validity(Instant from, Instant to) {
        return Der.sequence(
                Der.time(from.minus(SLACK).truncatedTo(ChronoUnit.SECONDS)),
                Der.time(to.truncatedTo(ChronoUnit.SECONDS)));
    }

    private static byte[] extension(String id, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.objectId(id), Der.bool(true), Der.octets(value))
                : Der.sequence(Der.objectId(id), Der.octets(value));
    }

    /// Every certificate has a fresh key, so a digest of it is a serial number that no other has.
    private static BigInteger serial(byte[] subject, PublicKey key) {
        return new BigInteger(1, Arrays.copyOf(digest(subject, key.getEncoded()), 16)).shiftRight(1);
    }

    private static byte[] keyId(PublicKey key) {
        return Arrays.copyOf(digest(key.getEncoded()), 20);
    }

    private static byte[] digest(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            Stream.of(parts).forEach(digest::update);
            return digest.digest();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /// For people, whose clients we do not know: fabric8 reads no other keys without further libraries.
    private static KeyPair newRsaKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AccessException("no key can be made", e);
        }
    }

    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AccessException("no key can be made", e);
        }
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
