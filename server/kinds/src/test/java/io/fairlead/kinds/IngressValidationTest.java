package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/// The rules for Ingress and IngressClass.
final class IngressValidationTest {
    private static final String WEB = "{service: {name: web, port: {number: 80}}}";

    private static JsonNode yaml(String text) {
        return Yaml.parseAll(text).getFirst();
    }

    private static List<String> texts(List<Problem> problems) {
        return problems.stream().map(Problem::toString).toList();
    }

    @Test
    void annotations_that_the_controller_cannot_take_are_told_to_the_writer() {
        JsonNode ingress = yaml("""
            metadata:
              namespace: default
              name: a
              annotations:
                nginx.ingress.kubernetes.io/rewrite-target: /
                nginx.ingress.kubernetes.io/no-such-thing: x
                fairlead.io/proxy-body-size: large
                nginx.ingress.kubernetes.io/server-snippet: "return 200;"
                example.com/other: x
            """);
        KindRules rules = PlainRules.all().stream()
                .filter(one -> one.kind().equals(Kind.INGRESS))
                .findFirst()
                .orElseThrow();
        assertThat(rules.warnings(ingress))
                .containsExactly(
                        "metadata.annotations: fairlead.io/proxy-body-size: must be a size: digits, then nothing, k, m"
                                + " or g; the Ingress will not be served",
                        "metadata.annotations: nginx.ingress.kubernetes.io/server-snippet: text becomes no"
                                + " configuration; use server-alias, the redirects, allowlist-source-range; the Ingress"
                                + " will not be served",
                        "metadata.annotations: nginx.ingress.kubernetes.io/no-such-thing: no such option here; it"
                                + " changes nothing");
    }

    @Test
    void rules_with_paths_or_a_default_backend_are_fine() {
        assertThat(IngressValidation.check(yaml("spec: {defaultBackend: " + WEB + "}")))
                .isEmpty();
        assertThat(IngressValidation.check(yaml("spec: {rules: [{host: '*.example.com', http: {paths:"
                        + " [{path: /a, pathType: Prefix, backend: " + WEB + "}]}}]}")))
                .isEmpty();
        assertThat(IngressValidation.check(
                        yaml("spec: {defaultBackend: {resource: {apiGroup: a.b, kind: Bucket, name: x}}}")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|either `defaultBackend` or `rules` must be specified",
                "{rules: [{host: 192.0.2.1}]}|spec.rules[0].host: Invalid value: \"192.0.2.1\": must be a DNS name,"
                        + " not an IP address",
                "{rules: [{host: '*.*.com'}]}|spec.rules[0].host: Invalid value",
                "{rules: [{host: 'a*.com'}]}|spec.rules[0].host: Invalid value",
                "{rules: [{http: {paths: []}}]}|spec.rules[0].http.paths: Required value",
                "{rules: [{http: {paths: [{path: /a, backend: WEB}]}}]}|spec.rules[0].http.paths[0].pathType: Required"
                        + " value: pathType must be specified",
                "{rules: [{http: {paths: [{path: a, pathType: Exact, backend: WEB}]}}]}|must be an absolute path",
                "{rules: [{http: {paths: [{path: /a//b, pathType: Prefix, backend: WEB}]}}]}|must not contain",
                "{defaultBackend: {}}|spec.defaultBackend: Invalid value",
                "{defaultBackend: {service: {name: web}}}|port name or number is required",
                "{defaultBackend: {service: {name: web, port: {name: a, number: 80}}}}|cannot set both port name &"
                        + " port number",
                "{defaultBackend: {service: {name: a_b, port: {number: 80}}}}|spec.defaultBackend.service.name:"
                        + " Invalid value",
                "{defaultBackend: {resource: {kind: Bucket}}}|spec.defaultBackend.resource.name: Required value",
                "{defaultBackend: {service: {name: web, port: {number: 80}}, resource: {}}}|cannot set both resource"
                        + " and service backends",
            })
    void a_broken_rule_of_an_ingress_is_named(String spec, String problem) {
        assertThat(texts(IngressValidation.check(yaml("spec: " + spec.replace("WEB", WEB)))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|spec.controller: Required value",
                "{controller: nginx}|must be a domain-prefixed path",
                "{controller: a.b/c, parameters: {kind: K}}|spec.parameters.name: Required value",
                "{controller: a.b/c, parameters: {kind: K, name: m, scope: Namespace}}|spec.parameters.namespace:"
                        + " Required value",
                "{controller: a.b/c, parameters: {kind: K, name: m, namespace: x}}|spec.parameters.namespace:"
                        + " Forbidden",
                "{controller: a.b/c, parameters: {kind: K, name: m, scope: World}}|spec.parameters.scope: Unsupported"
                        + " value",
            })
    void a_broken_rule_of_a_class_is_named(String spec, String problem) {
        assertThat(texts(IngressValidation.checkClass(yaml("spec: " + spec))))
                .singleElement()
                .asString()
                .contains(problem);
    }

    @Test
    void the_controller_of_a_class_stays() {
        assertThat(texts(IngressValidation.checkClassUpdate(
                        yaml("spec: {controller: a.b/c}"), yaml("spec: {controller: a.b/d}"))))
                .containsExactly("spec.controller: Invalid value: \"a.b/d\": field is immutable");
    }
}
