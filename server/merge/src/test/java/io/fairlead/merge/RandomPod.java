package io.fairlead.merge;

import io.fairlead.api.Json;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Pods of a small alphabet, so that two of them share much and differ in much.
final class RandomPod {
    private static final List<String> WORDS = List.of("a", "b", "c", "d", "e");

    private final Random random;

    RandomPod(Random random) {
        this.random = random;
    }

    ObjectNode next() {
        ObjectNode pod = Json.object();
        ObjectNode metadata = pod.putObject("metadata");
        if (random.nextBoolean()) {
            ObjectNode labels = metadata.putObject("labels");
            some(1).forEach(word -> labels.put(word, number()));
        }
        if (random.nextBoolean()) {
            some(1).forEach(metadata.putArray("finalizers")::add);
        }
        ObjectNode spec = pod.putObject("spec");
        maybe(spec, "restartPolicy");
        if (random.nextBoolean()) {
            maybe(spec.putObject("securityContext").put("runAsUser", random.nextInt(3)), "fsGroupChangePolicy");
        }
        ArrayNode containers = spec.putArray("containers");
        some(1).forEach(name -> fill(containers.addObject().put("name", name)));
        return pod;
    }

    private void fill(ObjectNode container) {
        maybe(container, "image");
        if (random.nextBoolean()) {
            ArrayNode args = container.putArray("args");
            some(1).forEach(args::add);
        }
        if (random.nextBoolean()) {
            ArrayNode env = container.putArray("env");
            some(1).forEach(name -> env.addObject().put("name", name).put("value", number()));
        }
        if (random.nextBoolean()) {
            ArrayNode ports = container.putArray("ports");
            some(1).forEach(name -> maybe(ports.addObject().put("containerPort", 80 + WORDS.indexOf(name)), "name"));
        }
    }

    private void maybe(ObjectNode object, String field) {
        if (random.nextBoolean()) {
            object.put(field, number());
        }
    }

    private String number() {
        return Integer.toString(((RandomGenerator) random).nextInt(3));
    }

    private List<String> some(int least) {
        List<String> words = new ArrayList<>(WORDS);
        Collections.shuffle(words, random);
        return words.subList(0, least + random.nextInt(WORDS.size() - least));
    }
}
