package io.fairlead.client;

import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/// A private key as PEM text, in any of the forms that openssl writes without a password.
///
/// Java reads PKCS #8 alone. The older forms are what PKCS #8 wraps, so they are wrapped here.
final class PemKey {
    private static final byte[] VERSION_ZERO = {0x02, 0x01, 0x00};
    private static final byte[] RSA = {
        0x06, 0x09, 0x2a, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0x00
    };
    private static final byte[] EC = {0x06, 0x07, 0x2a, (byte) 0x86, 0x48, (byte) 0xce, 0x3d, 0x02, 0x01};

    private PemKey() {}

    static PrivateKey read(String pem) throws GeneralSecurityException {
        PKCS8EncodedKeySpec key = new PKCS8EncodedKeySpec(pkcs8(pem));
        for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(key);
            } catch (InvalidKeySpecException _) {
                // of another algorithm: ask the next
            }
        }
        throw new InvalidKeySpecException("client-key: neither EC nor RSA nor Ed25519");
    }

    private static byte[] pkcs8(String pem) throws InvalidKeySpecException {
        if (pem.contains("ENCRYPTED")) {
            throw new InvalidKeySpecException("client-key: is encrypted, and a kubeconfig holds no password for it");
        }
        Optional<byte[]> modern = block(pem, "PRIVATE KEY");
        if (modern.isPresent()) {
            return modern.get();
        }
        Optional<byte[]> rsa = block(pem, "RSA PRIVATE KEY");
        if (rsa.isPresent()) {
            return wrapped(RSA, rsa.get());
        }
        byte[] ec = block(pem, "EC PRIVATE KEY")
                .orElseThrow(() -> new InvalidKeySpecException("client-key: there is no BEGIN PRIVATE KEY,"
                        + " BEGIN RSA PRIVATE KEY or BEGIN EC PRIVATE KEY in it"));
        return wrapped(DerWriter.concat(EC, curve(ec, pem)), ec);
    }

    /// The bytes between the lines that begin and end it.
    private static Optional<byte[]> block(String pem, String title) throws InvalidKeySpecException {
        String begin = "-----BEGIN " + title + "-----";
        int start = pem.indexOf(begin);
        int end = pem.indexOf("-----END " + title + "-----");
        if (start < 0 || end < start) {
            return Optional.empty();
        }
        try {
            return Optional.of(Base64.getMimeDecoder().decode(pem.substring(start + begin.length(), end)));
        } catch (IllegalArgumentException e) {
            throw new InvalidKeySpecException("client-key: is no base64: " + e.getMessage(), e);
        }
    }

    /// The name of the curve: in the key itself, or in a block of its own before it.
    private static byte[] curve(byte[] key, String pem) throws InvalidKeySpecException {
        Optional<byte[]> own = DerWriter.content(key, DerWriter.SEQUENCE)
                .flatMap(fields -> DerWriter.find(fields, DerWriter.PARAMETERS));
        return own.or(() -> blockOf(pem))
                .orElseThrow(() -> new InvalidKeySpecException("client-key: does not name its curve"));
    }

    private static Optional<byte[]> blockOf(String pem) {
        try {
            return block(pem, "EC PARAMETERS");
        } catch (InvalidKeySpecException _) {
            return Optional.empty();
        }
    }

    private static byte[] wrapped(byte[] algorithm, byte[] key) {
        return DerWriter.of(
                DerWriter.SEQUENCE,
                DerWriter.concat(
                        VERSION_ZERO,
                        DerWriter.of(DerWriter.SEQUENCE, algorithm),
                        DerWriter.of(DerWriter.OCTET_STRING, key)));
    }
}
