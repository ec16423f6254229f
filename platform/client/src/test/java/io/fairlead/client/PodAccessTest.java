package io.fairlead.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PodAccessTest {
    private static final Map<String, String> POD =
            Map.of("KUBERNETES_SERVICE_HOST", "fd00::1", "KUBERNETES_SERVICE_PORT", "443");

    @TempDir
    Path folder;

    @Test
    void a_pod_reaches_the_api_server_as_its_service_account() throws IOException {
        Files.writeString(folder.resolve("token"), "one\n");
        Files.writeString(folder.resolve("ca.crt"), "CA");
        ClusterAccess access = ClusterAccess.ofPod(POD, folder).orElseThrow();
        assertThat(access.server()).hasToString("https://[fd00::1]:443");
        assertThat(access.tls().certificateAuthority()).isEqualTo("CA");
        assertThat(access.bearer()).isEqualTo("one");
        Files.writeString(folder.resolve("token"), "two");
        assertThat(access.bearer()).as("a token that was renewed").isEqualTo("two");
        assertThat(access).asString().doesNotContain("two");
    }

    @Test
    void elsewhere_there_is_no_such_access() {
        assertThat(ClusterAccess.ofPod(Map.of(), folder)).isEmpty();
        assertThat(ClusterAccess.ofPod(POD, folder)).isEmpty();
    }
}
