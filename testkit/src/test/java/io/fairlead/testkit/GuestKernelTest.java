package io.fairlead.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;

final class GuestKernelTest {
    private static final String END = GuestMain.ALL_RAN + "\t";

    @Test
    void a_guest_that_ends_before_its_tests_do_fails() {
        for (List<String> report : List.of(List.<String>of(), List.of("a test\t"), List.of(END))) {
            List<DynamicTest> tests =
                    GuestKernel.tests(report, "what the guest said").toList();
            assertThatThrownBy(() -> tests.getLast().getExecutable().execute())
                    .hasMessageContaining("the guest ended after")
                    .hasMessageContaining("what the guest said");
        }
    }

    @Test
    void each_test_ends_as_it_did_in_the_guest() throws Throwable {
        String failure =
                Base64.getEncoder().encodeToString("it rained".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        List<DynamicTest> tests =
                GuestKernel.tests(List.of("good\t", "bad\t" + failure, END), "").toList();
        assertThat(tests).extracting(DynamicTest::getDisplayName).containsExactly("good", "bad", GuestMain.ALL_RAN);
        tests.getFirst().getExecutable().execute();
        tests.getLast().getExecutable().execute();
        assertThatThrownBy(() -> tests.get(1).getExecutable().execute()).hasMessageContaining("it rained");
    }
}
