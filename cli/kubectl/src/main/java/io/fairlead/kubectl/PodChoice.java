package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.client.ApiClient;
import io.fairlead.client.Interest;
import io.fairlead.kubectl.ResourceArguments.Wanted;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// Which pod and which container are meant by what was typed: `hello-1`, `deployment/hello`, `svc/hello`.
record PodChoice(ApiClient client, NamespaceOptions namespace, Console console) {

    /// The object that a word names: a pod where it names no kind.
    JsonNode object(String word) throws InterruptedException {
        Wanted wanted = wanted(word);
        return client.get(
                wanted.kind(), namespace.key(wanted.kind(), wanted.names().getFirst()));
    }

    private static Wanted wanted(String word) {
        return word.contains("/")
                ? ResourceArguments.parse(List.of(word)).getFirst()
                : new Wanted(Kind.POD, List.of(word));
    }

    /// The pod, or the first of those that the object selects; `what` is for the message that there is none.
    JsonNode find(String word, String what) throws InterruptedException {
        JsonNode object = object(word);
        return wanted(word).kind().equals(Kind.POD) ? object : podOf(word, object, what);
    }

    private JsonNode podOf(String word, JsonNode object, String what) throws InterruptedException {
        boolean plain = List.of("Service", "ReplicationController").contains(Json.text(object, "kind"));
        Map<String, String> labels =
                plain ? Json.map(object, "spec", "selector") : Json.map(object, "spec", "selector", "matchLabels");
        if (labels.isEmpty()) {
            throw new CommandException("error: cannot get %s %s: it selects no pods".formatted(what, word));
        }
        List<JsonNode> pods = client.list(Interest.labelled(Kind.POD, Description.joined(labels)), namespace.name())
                .path("items")
                .valueStream()
                .toList();
        if (pods.isEmpty()) {
            throw new CommandException("error: there is no pod of %s".formatted(word));
        }
        if (pods.size() > 1 && what.equals("the logs from")) {
            String name = Json.text(pods.getFirst(), "metadata", "name");
            console.complain("Found %d pods, using pod/%s".formatted(pods.size(), name));
        }
        return pods.getFirst();
    }

    /// The first container; where there are others, that is said.
    static String container(JsonNode pod, Console console) {
        List<String> main = names(pod, "containers");
        List<String> first = names(pod, "initContainers");
        if (main.size() + first.size() > 1) {
            String all = String.join(
                    ", ",
                    Stream.concat(main.stream(), first.stream().map(name -> name + " (init)"))
                            .toList());
            console.complain("Defaulted container \"%s\" out of: %s".formatted(main.getFirst(), all));
        }
        return main.getFirst();
    }

    private static List<String> names(JsonNode pod, String field) {
        return Json.list(pod, one -> Json.text(one, "name"), "spec", field);
    }
}
