package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemKeyTest {
    /// `openssl ecparam -name prime256v1 -genkey`: no client uses this key.
    private static final String OF_OPENSSL = """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEII2EC+86SqV+OgFDYza27iW8amCCcMpCTxz0bBzlUlXKoAoGCCqGSM49
        AwEHoUQDQgAEiu2by9v2lXRJUCMhAYde3sXLZVGGf+754K43mR8aXlHzJplB0kXp
        EDn5OhtelPo1QBkO11a3CXxNL1eDKU4maw==
        -----END EC PRIVATE KEY-----
        """;

    private static final byte[] PRIME256V1 = Base64.getDecoder().decode("BggqhkjOPQMBBw==");

    private static PrivateKey made(String algorithm, int bits) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
        generator.initialize(bits);
        return generator.generateKeyPair().getPrivate();
    }

    private static byte[] inside(PrivateKey key) {
        byte[] fields = DerWriter.content(key.getEncoded(), DerWriter.SEQUENCE).orElseThrow();
        return DerWriter.find(fields, DerWriter.OCTET_STRING).orElseThrow();
    }

    private static String pem(String type, byte[] bytes) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(type, Base64.getMimeEncoder().encodeToString(bytes), type);
    }

    @ParameterizedTest
    @ValueSource(ints = {1024, 2048})
    void an_rsa_key_in_pkcs_1_is_read(int bits) throws Exception {
        PrivateKey key = made("RSA", bits);
        assertThat(PemKey.read(pem("RSA PRIVATE KEY", inside(key)))).isEqualTo(key);
    }

    @Test
    void an_ec_key_names_its_curve() throws Exception {
        ECPrivateKey key = (ECPrivateKey) PemKey.read(OF_OPENSSL);
        assertThat(key.getParams().getOrder().bitLength()).isEqualTo(256);
        assertThat(key.getS().toString(16)).startsWith("8d840bef3a4aa57e");
        String alone = OF_OPENSSL.substring(OF_OPENSSL.indexOf("-----BEGIN EC PRIVATE KEY"));
        assertThat(PemKey.read(alone)).isEqualTo(key);
    }

    @Test
    void or_the_block_before_it_does() throws Exception {
        PrivateKey key = made("EC", 256);
        String text = pem("EC PARAMETERS", PRIME256V1) + pem("EC PRIVATE KEY", inside(key));
        assertThat(PemKey.read(text)).isEqualTo(key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"EC", "RSA", "Ed25519"})
    void pkcs_8_is_read_as_it_is(String algorithm) throws Exception {
        PrivateKey key =
                KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
        assertThat(PemKey.read(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
    }
}
