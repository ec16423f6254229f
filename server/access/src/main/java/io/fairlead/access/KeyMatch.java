package io.fairlead.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/// Whether two keys are the halves of one pair: what the one signs, the other verifies.
final class KeyMatch {
    private static final byte[] SAMPLE = "a sample".getBytes(StandardCharsets.US_ASCII);

    private KeyMatch() {}

    static boolean isPair(PublicKey verifying, PrivateKey signing) {
        try {
            Signature signature = Signature.getInstance(algorithm(signing));
            signature.initSign(signing);
            signature.update(SAMPLE);
            byte[] signed = signature.sign();
            signature.initVerify(verifying);
            signature.update(SAMPLE);
            return signature.verify(signed);
        } catch (GeneralSecurityException _) {
            return false; // keys of two kinds
        }
    }

    private static String algorithm(PrivateKey key) {
        return key.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA";
    }
}
