package io.fairlead.dist;

import static io.fairlead.dist.Workbench.soon;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a client with the role `edit` in one namespace tries in order to get at the rest of the cluster.
interface EditAttacks {
    Workbench bench();

    /// Pods that would be the node: none of them is let in.
    List<String> TAKEOVERS = List.of(
            "{containers: [{name: c, image: busybox, securityContext: {privileged: true}}]}",
            "{hostPID: true, containers: [{name: c, image: busybox}]}",
            "{hostIPC: true, containers: [{name: c, image: busybox}]}",
            "{hostNetwork: true, containers: [{name: c, image: busybox}]}",
            "{containers: [{name: c, image: busybox}], volumes: [{name: v, hostPath: {path: /}}]}",
            "{containers: [{name: c, image: busybox, ports: [{containerPort: 80, hostPort: 80}]}]}",
            "{containers: [{name: c, image: busybox, securityContext: {capabilities: {add: [SYS_ADMIN]}}}]}",
            "{containers: [{name: c, image: busybox, securityContext: {procMount: Unmasked}}]}",
            "{containers: [{name: c, image: busybox, securityContext: {seccompProfile: {type: Unconfined}}}]}",
            "{securityContext: {sysctls: [{name: kernel.msgmax, value: '1'}]}, containers: [{name: c, image:"
                    + " busybox}]}");

    @Test
    default void a_client_with_edit_in_one_namespace_gets_at_nothing_else() throws Exception {
        bench().run("create namespace hers");
        bench().run("create rolebinding hers --clusterrole=edit --user=mallory -n hers");
        for (String spec : TAKEOVERS) {
            assertThat(bench().kubectl().refusal("create --as=mallory -f " + manifest("takeover", spec)))
                    .contains("violates PodSecurity \"baseline:latest\"");
        }
        for (String request : List.of(
                "get secrets -n kube-system",
                "get pods -n default",
                "exec client-node-1 -n default -- true",
                "run other --image=busybox -n default",
                "label namespace hers pod-security.kubernetes.io/enforce=privileged",
                "create rolebinding more --clusterrole=admin --user=mallory -n hers",
                "get nodes")) {
            assertThat(bench().kubectl().refusal("--as=mallory " + request))
                    .as(request)
                    .contains("orbidden");
        }
        assertPodSeesNothing();
        bench().run("delete namespace hers --timeout=90s");
    }

    /// Inside of a pod of hers: no file of the cluster, no process but its own, no way into the node's programs.
    private void assertPodSeesNothing() throws Exception {
        Path state = bench().cluster().dir();
        assertThat(state.resolve("server/pki/ca.key")).exists();
        String script = """
            cat %1$s/server/pki/ca.key; ls %1$s; ls -d /proc/[0-9]*/root/%1$s; ls /proc | grep -c ^[0-9]; \
            wget -T 3 -qO- http://%2$s:10249/dump; wget -T 3 -qO- http://%2$s:10250/; \
            echo x > /proc/sys/kernel/core_pattern; mount -t proc p /mnt; echo finished\
            """.formatted(state, bench().cluster().nodeIps().getFirst());
        bench().run("create --as=mallory -f "
                + manifest(
                        "looks",
                        "{restartPolicy: Never, containers: [{name: c, image: busybox, command: [sh, -c, \"%s\"]}]}"
                                .formatted(script)));
        soon(() -> assertThat(bench().run("logs looks -n hers")).contains("finished"));
        assertThat(bench().run("logs looks -n hers"))
                .doesNotContain("PRIVATE KEY", "kubeconfig", "at revision")
                .contains("No such file or directory", "Read-only file system")
                .containsPattern("(?m)^[1-6]$");
    }

    private Path manifest(String name, String spec) throws Exception {
        return Files.writeString(
                Files.createTempFile(bench().cluster().dir(), "manifest", ".yaml"),
                "apiVersion: v1\nkind: Pod\nmetadata: {name: %s, namespace: hers}\nspec: %s\n".formatted(name, spec));
    }
}
