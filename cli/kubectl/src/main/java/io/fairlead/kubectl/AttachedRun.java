package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.client.ApiClient;
import io.fairlead.client.ApiException;
import io.fairlead.client.Deletion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// `run -i`: a pod whose program is joined to this terminal, from its start to its end.
record AttachedRun(NamespacedName pod, PodTerminal terminal, boolean remove) {
    private static final Duration START = Duration.ofMinutes(1);
    private static final Duration END = Duration.ofSeconds(30);
    private static final long LOOK_MILLIS = 100;

    int run(Cluster cluster, ObjectNode object, Console console) throws InterruptedException {
        object.withObject("metadata").put("namespace", pod.namespace());
        try (ApiClient client = cluster.connect()) {
            try {
                client.create(Kind.POD, object);
            } catch (ApiException e) {
                console.complain(Refusals.sentence(e));
                return Refusals.FAILED;
            }
            try {
                return attached(client, console);
            } finally {
                if (remove) {
                    client.delete(Kind.POD, pod, Deletion.only(""));
                    console.println("pod \"%s\" deleted".formatted(pod.name()));
                }
            }
        }
    }

    private int attached(ApiClient client, Console console) throws InterruptedException {
        console.complain("If you don't see a command prompt, try pressing enter.");
        JsonNode begun = await(client, START, "Running", "Succeeded", "Failed");
        if (Json.text(begun, "status", "phase").equals("Running")) {
            terminal.join(client, pod, "attach", List.of(Map.entry("container", pod.name())));
        } else {
            log(client, console); // it was quicker than we
        }
        if (Json.text(begun, "spec", "restartPolicy").equals("Always")) {
            return 0;
        }
        JsonNode ended = await(client, END, "Succeeded", "Failed");
        return Json.at(ended, "status", "containerStatuses")
                .valueStream()
                .mapToInt(status -> Json.number(status, 0, "state", "terminated", "exitCode"))
                .max()
                .orElse(0);
    }

    private JsonNode await(ApiClient client, Duration patience, String... phases) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        while (true) {
            JsonNode now = client.get(Kind.POD, pod);
            if (List.of(phases).contains(Json.text(now, "status", "phase"))) {
                return now;
            }
            if (System.nanoTime() > end) {
                throw new CommandException("error: timed out waiting for the condition: pod %s is %s"
                        .formatted(pod.name(), Json.text(now, "status", "phase")));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    private void log(ApiClient client, Console console) throws InterruptedException {
        try (InputStream log = client.log(pod, Map.of())) {
            console.print(new String(log.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new CommandException("error: the log of %s broke off: %s".formatted(pod.name(), e.getMessage()), e);
        }
    }
}
