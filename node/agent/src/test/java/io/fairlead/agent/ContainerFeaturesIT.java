package io.fairlead.agent;

import static io.fairlead.agent.NodeLab.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.testkit.RequiresRoot;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What pods ask of the runtime around their programs; with a real agent and a real API server.
@RequiresRoot
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ContainerFeaturesIT {
    private NodeLab lab;

    @BeforeAll
    void start(@TempDir Path folder) throws InterruptedException {
        lab = new NodeLab(folder);
        lab.startAgent();
    }

    @AfterAll
    void stop() throws InterruptedException {
        if (lab != null) {
            lab.close();
        }
    }

    @Test
    void containers_that_share_processes_see_and_survive_each_other() {
        lab.createPod("shared", """
            {'name': 'seen', 'image': 'busybox', 'command': ['sh', '-c', 'exec sleep 987']},
            {'name': 'looks', 'image': 'busybox', 'terminationMessagePolicy': 'FallbackToLogsOnError', 'command':
             ['sh', '-c', 'until grep -q 987 /proc/[0-9]*/cmdline; do sleep 0.2; done; echo I am $$; exit 3']}\
            """, ", 'shareProcessNamespace': true, 'restartPolicy': 'Never'");

        await().atMost(PATIENCE)
                .until(() -> Json.number(status("shared", 1), 0, "state", "terminated", "exitCode") == 3);
        assertThat(Json.text(status("shared", 1), "state", "terminated", "message"))
                .startsWith("I am ")
                .isNotEqualTo("I am 1");
        assertThat(status("shared", 0).path("state").has("running")).isTrue();
        lab.delete("shared", 0);
        lab.awaitGone("shared");
    }

    @Test
    void a_container_is_not_ready_before_its_post_start_hook_is_over() {
        lab.createPod("hooked", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', 'exec sleep 1000'], 'lifecycle':
             {'postStart': {'exec': {'command': ['sh', '-c', 'until test -e /go/on; do sleep 0.1; done']}}},
             'volumeMounts': [{'name': 'go', 'mountPath': '/go'}]},
            {'name': 'opener', 'image': 'busybox', 'command': ['sh', '-c', 'sleep 3; touch /go/on; exec sleep 1000'],
             'volumeMounts': [{'name': 'go', 'mountPath': '/go'}]}\
            """, ", 'volumes': [{'name': 'go', 'emptyDir': {}}]");

        await().atMost(PATIENCE)
                .until(() -> Json.flag(status("hooked", 1), false, "ready")
                        && !Json.flag(status("hooked", 0), true, "ready"));
        lab.awaitReady("hooked");
        lab.delete("hooked", 0);
    }

    @Test
    void a_container_whose_post_start_hook_fails_is_killed() {
        lab.createPod("broken", """
            {'name': 'main', 'image': 'busybox', 'command': ['sh', '-c', 'exec sleep 1000'],
             'lifecycle': {'postStart': {'exec': {'command': ['false']}}}}\
            """, ", 'restartPolicy': 'Never'");

        await().atMost(PATIENCE)
                .until(() -> Json.number(status("broken", 0), 0, "state", "terminated", "exitCode") == 137);
        lab.delete("broken", 0);
    }

    @Test
    void a_pod_that_writes_more_than_it_may_is_evicted_and_says_so() {
        lab.createPod("filler", """
            {'name': 'main', 'image': 'busybox', 'resources': {'limits': {'ephemeral-storage': '1Mi'}},
             'command': ['sh', '-c', 'head -c 4000000 /dev/zero > /tmp/much; exec sleep 1000']}\
            """, "");
        lab.createPod("overflow", """
            {'name': 'main', 'image': 'busybox', 'volumeMounts': [{'name': 'small', 'mountPath': '/small'}],
             'command': ['sh', '-c', 'head -c 4000000 /dev/zero > /small/much; exec sleep 1000']}\
            """, ", 'volumes': [{'name': 'small', 'emptyDir': {'sizeLimit': '1Mi'}}]");

        for (String name : List.of("filler", "overflow")) {
            await().atMost(PATIENCE)
                    .until(() -> lab.find(name).orElseThrow().status().phase().equals("Failed"));
            JsonNode status = lab.json(name).orElseThrow().path("status");
            assertThat(Json.text(status, "reason")).isEqualTo("Evicted");
            assertThat(Json.text(status, "message")).contains(name.equals("filler") ? "Container main" : "\"small\"");
            await().atMost(PATIENCE).until(() -> events(name).contains("Evicted"));
            await().atMost(PATIENCE).until(() -> status(name, 0).path("state").has("terminated"));
            lab.delete(name, 0);
            lab.awaitGone(name);
        }
    }

    @Test
    void a_folder_in_memory_takes_no_more_than_its_limit() {
        lab.createPod("memory", """
            {'name': 'main', 'image': 'busybox', 'volumeMounts': [{'name': 'small', 'mountPath': '/small'}],
             'terminationMessagePath': '/tmp/words', 'command': ['sh', '-c',
             'stat -f -c %T /small > /tmp/words; head -c 4000000 /dev/zero > /small/much; stat -c %s /small/much >> /tmp/words']}\
            """, """
            , 'restartPolicy': 'Never',
            'volumes': [{'name': 'small', 'emptyDir': {'medium': 'Memory', 'sizeLimit': '1Mi'}}]\
            """);

        await().atMost(PATIENCE).until(() -> status("memory", 0).path("state").has("terminated"));
        assertThat(Json.text(status("memory", 0), "state", "terminated", "message"))
                .isEqualTo("tmpfs\n1048576\n");
        lab.delete("memory", 0);
    }

    @Test
    void volumes_have_the_group_the_modes_and_the_part_that_a_container_asks_for() {
        lab.send("POST", Kind.CONFIG_MAP.path("default"), """
            {"metadata": {"name": "modes"}, "data": {"run": "x", "read": "y"}}\
            """);
        lab.createPod("parts", """
            {'name': 'main', 'image': 'busybox', 'securityContext': {'runAsUser': 1000, 'runAsGroup': 1000},
             'terminationMessagePath': '/words/last', 'env': [{'name': 'WHO', 'value': 'inner'}],
             'command': ['sh', '-c',
             'touch /data/mine; (stat -c %g /data; stat -Lc %a /config/run /config/read; ls -d /whole/*; id -G) > /words/last'],
             'volumeMounts': [{'name': 'data', 'mountPath': '/data', 'subPathExpr': 'a/$(WHO)'},
               {'name': 'data', 'mountPath': '/whole'}, {'name': 'config', 'mountPath': '/config'}]}\
            """, """
            , 'restartPolicy': 'Never', 'securityContext': {'fsGroup': 2000}, 'volumes': [
            {'name': 'data', 'emptyDir': {}},
            {'name': 'config', 'configMap': {'name': 'modes', 'defaultMode': 288,
             'items': [{'key': 'run', 'path': 'run', 'mode': 360}, {'key': 'read', 'path': 'read'}]}}]\
            """);

        await().atMost(PATIENCE).until(() -> status("parts", 0).path("state").has("terminated"));
        assertThat(Json.text(status("parts", 0), "state", "terminated", "message"))
                .isEqualTo("2000\n550\n440\n/whole/a\n1000 2000\n");
        lab.delete("parts", 0);
    }

    @Test
    void a_container_that_must_not_be_root_waits_with_the_reason_of_kubernetes() {
        lab.createPod("root", """
            {'name': 'main', 'image': 'busybox', 'securityContext': {'runAsNonRoot': true}}\
            """, "");

        await().atMost(PATIENCE)
                .until(() -> Json.text(status("root", 0), "state", "waiting", "reason")
                        .equals("CreateContainerConfigError"));
        assertThat(Json.text(status("root", 0), "state", "waiting", "message"))
                .isEqualTo("container has runAsNonRoot and image will run as root");
        lab.delete("root", 0);
    }

    @Test
    void an_image_that_no_registry_has_is_asked_for_again_later_and_said_in_events() {
        lab.createPod("absent", """
            {'name': 'main', 'image': '127.0.0.1:1/none:1'}\
            """, "");

        await().atMost(PATIENCE)
                .until(() -> List.of("ErrImagePull", "ImagePullBackOff")
                        .contains(Json.text(status("absent", 0), "state", "waiting", "reason")));
        assertThat(Json.text(status("absent", 0), "state", "waiting", "message"))
                .contains("127.0.0.1:1");
        await().atMost(PATIENCE).until(() -> events("absent").containsAll(List.of("Pulling", "Failed")));
        await().atMost(PATIENCE)
                .until(() -> Json.text(status("absent", 0), "state", "waiting", "reason")
                        .equals("ImagePullBackOff"));
        lab.delete("absent", 0);
    }

    private List<String> events(String pod) {
        return lab.send("GET", Kind.EVENT.path("default"), "")
                .orElseThrow()
                .path("items")
                .valueStream()
                .filter(event -> Json.text(event, "involvedObject", "name").equals(pod))
                .map(event -> Json.text(event, "reason"))
                .toList();
    }

    private JsonNode status(String pod, int container) {
        return lab.json(pod)
                .orElseThrow()
                .path("status")
                .path("containerStatuses")
                .path(container);
    }
}
