package io.fairlead.admission;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.kinds.Stamp;
import io.fairlead.kinds.Tree;
import io.fairlead.objects.Admission;
import io.fairlead.objects.ApiException;
import io.fairlead.objects.ApiObject;
import io.fairlead.objects.WatchCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Gives a pod its ServiceAccount, and a volume with the token of it.
final class PodAccounts implements Admission {
    private static final String USUAL = "default";
    private static final String VOLUME = "kube-api-access-";
    private static final String FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
    // A little over an hour, as in Kubernetes, where the number tells these tokens from those that a client asked for.
    private static final int TOKEN_SECONDS = 3607;
    private static final int FILE_MODE = 0644;
    // The default account comes right after its namespace: a pod that is as quick waits for it.
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final WatchCache cache;
    private final Stamp stamp;

    PodAccounts(WatchCache cache, Stamp stamp) {
        this.cache = cache;
        this.stamp = stamp;
    }

    @Override
    public void admit(Attempt attempt) {
        if (!attempt.isNew() || !attempt.kind().equals(Kind.POD)) {
            return;
        }
        ObjectNode spec = Tree.object(attempt.object(), "spec");
        String given = Json.text(spec, "serviceAccountName");
        String name = given.isEmpty() ? USUAL : given;
        spec.put("serviceAccountName", name).put("serviceAccount", name);
        JsonNode account = account(attempt, name).tree();
        boolean usual = Json.flag(account, true, "automountServiceAccountToken");
        if (Json.flag(spec, usual, "automountServiceAccountToken")) {
            mountToken(spec);
        }
        if (spec.path("imagePullSecrets").isEmpty()
                && !account.path("imagePullSecrets").isEmpty()) {
            spec.set("imagePullSecrets", account.path("imagePullSecrets").deepCopy());
        }
    }

    private ApiObject account(Attempt attempt, String name) {
        NamespacedName key = new NamespacedName(Json.text(attempt.object(), "metadata", "namespace"), name);
        long tries = name.equals(USUAL) ? PATIENCE.dividedBy(PAUSE) : 1;
        Optional<ApiObject> found = cache.of(Kind.SERVICE_ACCOUNT).find(key);
        for (long i = 1; i < tries && found.isEmpty() && pause(); i++) {
            found = cache.of(Kind.SERVICE_ACCOUNT).find(key);
        }
        return found.orElseThrow(() -> ApiException.forbidden(
                attempt.kind(),
                Json.text(attempt.object(), "metadata", "name"),
                "error looking up service account %s/%s: serviceaccount \"%s\" not found"
                        .formatted(key.namespace(), name, name)));
    }

    /// False if the server ends.
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void mountToken(ObjectNode spec) {
        Optional<String> there = Json.list(spec, volume -> Json.text(volume, "name"), "volumes").stream()
                .filter(name -> name.startsWith(VOLUME))
                .findFirst();
        String volume = there.orElseGet(() -> stamp.name(VOLUME));
        boolean mounted = false;
        for (String field : List.of("initContainers", "containers")) {
            for (ObjectNode container : Tree.objects(spec, field)) {
                mounted |= mount(container, volume);
            }
        }
        if (mounted && there.isEmpty()) {
            addVolume(spec.withArrayProperty("volumes"), volume);
        }
    }

    private static boolean mount(ObjectNode container, String volume) {
        boolean covered = Json.list(container, mount -> Json.text(mount, "mountPath"), "volumeMounts")
                .contains(FOLDER);
        if (!covered) {
            container
                    .withArrayProperty("volumeMounts")
                    .addObject()
                    .put("name", volume)
                    .put("readOnly", true)
                    .put("mountPath", FOLDER);
        }
        return !covered;
    }

    private static void addVolume(ArrayNode volumes, String name) {
        ObjectNode projected = volumes.addObject().put("name", name).putObject("projected");
        ArrayNode sources = projected.putArray("sources");
        sources.addObject()
                .putObject("serviceAccountToken")
                .put("expirationSeconds", TOKEN_SECONDS)
                .put("path", "token");
        ObjectNode authority = sources.addObject().putObject("configMap").put("name", "kube-root-ca.crt");
        authority.putArray("items").addObject().put("key", "ca.crt").put("path", "ca.crt");
        ObjectNode namespace = sources.addObject()
                .putObject("downwardAPI")
                .putArray("items")
                .addObject()
                .put("path", "namespace");
        namespace.putObject("fieldRef").put("apiVersion", "v1").put("fieldPath", "metadata.namespace");
        projected.put("defaultMode", FILE_MODE);
    }
}
