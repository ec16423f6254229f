package io.fairlead.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.NameValidation.LetterCase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NameValidationTest {
    @ParameterizedTest
    @ValueSource(strings = {"a", "web-1", "1web", "0"})
    void labels(String name) {
        assertThat(NameValidation.label(LetterCase.LOWER, name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", "a-", "a.b", "a_b", "Web", "ä"})
    void no_labels(String name) {
        assertThat(NameValidation.label(LetterCase.LOWER, name)).isPresent();
    }

    @Test
    void mixed_case_is_a_matter_of_choice() {
        assertThat(NameValidation.label(LetterCase.ANY, "HelloService")).isEmpty();
        assertThat(NameValidation.label(LetterCase.LOWER, "HelloService")).isPresent();
        assertThat(NameValidation.subdomain(LetterCase.ANY, "Hello.Service")).isEmpty();
        assertThat(NameValidation.subdomain(LetterCase.LOWER, "Hello.Service")).isPresent();
    }

    @Test
    void lengths_end_where_dns_ends_them() {
        assertThat(NameValidation.label(LetterCase.LOWER, "a".repeat(63))).isEmpty();
        assertThat(NameValidation.label(LetterCase.LOWER, "a".repeat(64)))
                .hasValueSatisfying(s -> assertThat(s).contains("63"));
        assertThat(NameValidation.subdomain(LetterCase.LOWER, "a".repeat(253))).isEmpty();
        assertThat(NameValidation.subdomain(LetterCase.LOWER, "a".repeat(254))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"app", "app.kubernetes.io/name", "A_b.c", "x/y"})
    void qualified_names(String name) {
        assertThat(NameValidation.qualifiedName(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a/b/c", "-a", "A/b", "a b"})
    void no_qualified_names(String name) {
        assertThat(NameValidation.qualifiedName(name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "8080a", "a-b"})
    void port_names(String name) {
        assertThat(NameValidation.portName(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "80", "a--b", "-a", "a-", "HTTP", "averylongportname"})
    void no_port_names(String name) {
        assertThat(NameValidation.portName(name)).isPresent();
    }
}
