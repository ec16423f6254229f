package io.fairlead.access;

import io.fairlead.api.Json;
import io.fairlead.api.ParseException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.Signature;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Signed claims as one word (RFC 7515, RFC 7519), with ES256 alone.
///
/// The header of a token never decides how it is checked: one that names another algorithm is none of ours.
final class Jwt {
    private static final String ALGORITHM = "ES256";
    // JSON Web Signatures hold the two numbers of a signature side by side, not in DER (RFC 7518 §3.4).
    private static final String SIGNATURE = "SHA256withECDSAinP1363Format";
    private static final int LONGEST = 16 * 1024;
    private static final Base64.Encoder WRITE = Base64.getUrlEncoder().withoutPadding();
    private static final Base64.Decoder READ = Base64.getUrlDecoder();

    private Jwt() {}

    static String sign(ObjectNode claims, KeyPair keys) {
        ObjectNode header = Json.object().put("alg", ALGORITHM).put("typ", "JWT");
        String body = WRITE.encodeToString(Json.bytes(header)) + "." + WRITE.encodeToString(Json.bytes(claims));
        try {
            Signature signature = Signature.getInstance(SIGNATURE);
            signature.initSign(keys.getPrivate());
            signature.update(body.getBytes(StandardCharsets.US_ASCII));
            return body + "." + WRITE.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new AccessException("a token cannot be signed", e);
        }
    }

    /// The claims of a token that this key has signed.
    static Optional<JsonNode> verify(String token, PublicKey key) {
        String[] parts = token.length() > LONGEST ? new String[0] : token.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            if (!Json.text(Json.parse(READ.decode(parts[0])), "alg").equals(ALGORITHM)) {
                return Optional.empty();
            }
            Signature signature = Signature.getInstance(SIGNATURE);
            signature.initVerify(key);
            signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.UTF_8));
            return signature.verify(READ.decode(parts[2]))
                    ? Optional.of(Json.parse(READ.decode(parts[1])))
                    : Optional.empty();
        } catch (GeneralSecurityException | IllegalArgumentException | ParseException _) {
            return Optional.empty();
        }
    }
}
