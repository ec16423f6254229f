package io.fairlead.kubectl;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The objects that `create`, `run` and `expose` write, field by field as kubectl writes them: pure.
final class Blueprints {
    private Blueprints() {}

    static ObjectNode of(Kind kind, String name) {
        ObjectNode object = Json.object().put("apiVersion", kind.apiVersion()).put("kind", kind.name());
        object.putObject("metadata").put("name", name);
        return object;
    }

    /// An object with the label `app: NAME`, as kubectl gives it to Deployments and Services.
    private static ObjectNode labelled(Kind kind, String name) {
        ObjectNode object = of(kind, name);
        object.withObject("metadata").putObject("labels").put("app", name);
        return object;
    }

    static ObjectNode deployment(String name, List<String> images, int replicas) {
        ObjectNode object = labelled(Kind.DEPLOYMENT, name);
        ObjectNode spec = object.putObject("spec").put("replicas", replicas);
        spec.putObject("selector").putObject("matchLabels").put("app", name);
        spec.putObject("strategy");
        ObjectNode template = spec.putObject("template");
        template.putObject("metadata").putObject("labels").put("app", name);
        var containers = template.putObject("spec").putArray("containers");
        for (String image : images) {
            containers.addObject().put("image", image).put("name", base(image)).putObject("resources");
        }
        return object;
    }

    /// The name of a container of an image: its last part, without tag and digest.
    private static String base(String image) {
        String last = image.substring(image.lastIndexOf('/') + 1).replaceAll("[:@].*", "");
        return last.replaceAll("[^a-zA-Z0-9-]", "-");
    }

    static ObjectNode service(String name, String type, List<ServicePort> ports) {
        ObjectNode object = labelled(Kind.SERVICE, name);
        ObjectNode spec = object.putObject("spec");
        if (!ports.isEmpty()) {
            var array = spec.putArray("ports");
            ports.forEach(port -> array.add(port.json()));
        }
        spec.putObject("selector").put("app", name);
        spec.put("type", type);
        return object;
    }

    static ObjectNode data(Kind kind, String name, Map<String, String> data) {
        ObjectNode object = of(kind, name);
        if (!data.isEmpty()) {
            ObjectNode map = object.putObject("data");
            data.forEach(map::put);
        }
        return object;
    }
}
