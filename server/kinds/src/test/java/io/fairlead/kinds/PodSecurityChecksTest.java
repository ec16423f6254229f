package io.fairlead.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.kinds.PodSecurityPolicy.Level;
import io.fairlead.kinds.PodSecurityPolicy.Rule;
import io.fairlead.yaml.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class PodSecurityChecksTest {
    private static final Rule BASELINE = new Rule(Level.BASELINE, "latest");
    private static final Rule RESTRICTED = new Rule(Level.RESTRICTED, "latest");
    /// All that `restricted` asks for.
    private static final String CAREFUL = """
        spec:
          securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
          containers:
          - name: app
            image: app
            securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]%s}}
        """;

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {hostNetwork: true}                                                                 | host namespaces
        {hostPID: true}                                                                     | host namespaces
        {hostIPC: true}                                                                     | host namespaces
        {volumes: [{name: v, hostPath: {path: /}}]}                                         | hostPath volumes
        {containers: [{name: c, ports: [{containerPort: 80, hostPort: 80}]}]}               | hostPort
        {containers: [{name: c, securityContext: {privileged: true}}]}                      | privileged
        {initContainers: [{name: c, securityContext: {privileged: true}}]}                  | privileged
        {ephemeralContainers: [{name: c, securityContext: {privileged: true}}]}             | privileged
        {containers: [{name: c, securityContext: {capabilities: {add: [NET_ADMIN]}}}]}      | non-default capabilities
        {containers: [{name: c, securityContext: {capabilities: {add: [ALL]}}}]}            | non-default capabilities
        {containers: [{name: c, securityContext: {procMount: Unmasked}}]}                   | procMount
        {securityContext: {seccompProfile: {type: Unconfined}}}                             | seccompProfile
        {containers: [{name: c, securityContext: {seccompProfile: {type: Unconfined}}}]}    | seccompProfile
        {securityContext: {sysctls: [{name: kernel.msgmax, value: "1"}]}}                   | forbidden sysctls
        {securityContext: {seLinuxOptions: {type: spc_t}}}                                  | seLinuxOptions
        {containers: [{name: c, securityContext: {seLinuxOptions: {user: u}}}]}             | seLinuxOptions
        {containers: [{name: c, securityContext: {appArmorProfile: {type: Unconfined}}}]}   | forbidden AppArmor profile
        {securityContext: {windowsOptions: {hostProcess: true}}}                            | hostProcess
        {containers: [{name: c, livenessProbe: {httpGet: {host: 192.0.2.1, port: 80}}}]}    | probe or lifecycle host
        {containers: [{name: c, lifecycle: {preStop: {tcpSocket: {host: h, port: 80}}}}]}   | probe or lifecycle host
        """)
    void what_baseline_refuses_is_named(String spec, String reason) {
        JsonNode pod = pod("spec: " + spec);
        assertThat(PodSecurityChecks.violations(pod, BASELINE))
                .singleElement()
                .asString()
                .startsWith(reason + " (");
        assertThat(PodSecurityChecks.violations(pod, new Rule(Level.PRIVILEGED, "latest")))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {containers: [{name: c, securityContext: {capabilities: {add: [CHOWN, NET_BIND_SERVICE]}}}]}
        {securityContext: {seccompProfile: {type: Localhost, localhostProfile: p}}}
        {securityContext: {sysctls: [{name: net.ipv4.tcp_wmem, value: "1"}], runAsUser: 0}}
        {securityContext: {seLinuxOptions: {type: container_t, level: s0}}}
        {volumes: [{name: v, emptyDir: {}}, {name: n, nfs: {server: s, path: /}}]}
        {containers: [{name: c, livenessProbe: {httpGet: {port: 80}}, ports: [{containerPort: 80}]}]}
        """)
    void what_containers_usually_have_passes_baseline(String spec) {
        assertThat(PodSecurityChecks.violations(pod("spec: " + spec), BASELINE)).isEmpty();
    }

    @Test
    void a_plain_pod_breaks_four_rules_of_restricted() {
        assertThat(PodSecurityChecks.violations(pod("spec: {containers: [{name: app, image: app}]}"), RESTRICTED))
                .containsExactly(
                        "allowPrivilegeEscalation != false (container \"app\" must set"
                                + " securityContext.allowPrivilegeEscalation=false)",
                        "runAsNonRoot != true (the pod or container \"app\" must set"
                                + " securityContext.runAsNonRoot=true)",
                        "seccompProfile (the pod or container \"app\" must set securityContext.seccompProfile.type to"
                                + " \"RuntimeDefault\" or \"Localhost\")",
                        "unrestricted capabilities (container \"app\" must set"
                                + " securityContext.capabilities.drop=[\"ALL\"])");
    }

    @Test
    void a_careful_pod_passes_restricted_and_one_more_wish_does_not() {
        assertThat(PodSecurityChecks.violations(pod(CAREFUL.formatted("")), RESTRICTED))
                .isEmpty();
        assertThat(PodSecurityChecks.violations(pod(CAREFUL.formatted(", add: [NET_BIND_SERVICE]")), RESTRICTED))
                .isEmpty();
        assertThat(PodSecurityChecks.violations(pod(CAREFUL.formatted(", add: [CHOWN]")), RESTRICTED))
                .containsExactly("unrestricted capabilities (container \"app\" must add no capability but"
                        + " \"NET_BIND_SERVICE\")");
        String root = CAREFUL.formatted("").replace("runAsNonRoot: true", "runAsNonRoot: true, runAsUser: 0");
        assertThat(PodSecurityChecks.violations(pod(root), RESTRICTED))
                .containsExactly("runAsUser=0 (the pod must not set runAsUser=0)");
        String share = CAREFUL.formatted("") + "  volumes: [{name: share, nfs: {server: s, path: /}}]\n";
        assertThat(PodSecurityChecks.violations(pod(share), RESTRICTED))
                .containsExactly("restricted volume types (volumes \"share\" of type nfs)");
    }

    @Test
    void an_older_version_asks_for_less() {
        JsonNode sysctl = pod("spec: {securityContext: {sysctls: [{name: net.ipv4.tcp_rmem, value: \"1\"}]}}");
        assertThat(PodSecurityChecks.violations(sysctl, new Rule(Level.BASELINE, "v1.31")))
                .hasSize(1);
        assertThat(PodSecurityChecks.violations(sysctl, new Rule(Level.BASELINE, "v1.32")))
                .isEmpty();
        JsonNode plain = pod("spec: {containers: [{name: app, image: app}]}");
        assertThat(PodSecurityChecks.violations(plain, new Rule(Level.RESTRICTED, "v1.7")))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("runAsNonRoot");
    }

    @Test
    void several_containers_are_named_together() {
        JsonNode pod = pod("""
            spec:
              containers:
              - {name: a, securityContext: {privileged: true}}
              - {name: b, securityContext: {privileged: true}}
            """);
        assertThat(PodSecurityChecks.violations(pod, BASELINE))
                .containsExactly("privileged (containers \"a\", \"b\" must not set securityContext.privileged=true)");
    }

    @Test
    void labels_refine_the_default_mode_by_mode() {
        JsonNode namespace = pod("""
            metadata:
              name: team
              labels: {pod-security.kubernetes.io/warn: restricted, pod-security.kubernetes.io/warn-version: v1.30}
            """);
        PodSecurityPolicy policy = new PodSecurityAdmission(PodSecurityPolicy.of(Level.BASELINE)).policy(namespace);
        assertThat(List.of(policy.enforce(), policy.audit(), policy.warn()))
                .extracting(Rule::toString)
                .containsExactly("baseline:latest", "baseline:latest", "restricted:v1.30");
        JsonNode system = pod("metadata: {name: kube-system}");
        assertThat(new PodSecurityAdmission(PodSecurityPolicy.of(Level.BASELINE)).policy(system))
                .isEqualTo(PodSecurityPolicy.OPEN);
    }

    private static JsonNode pod(String yaml) {
        return Yaml.parseAll(yaml).getFirst();
    }
}
