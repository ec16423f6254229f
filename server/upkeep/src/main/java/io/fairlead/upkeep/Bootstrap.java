package io.fairlead.upkeep;

import io.fairlead.access.DefaultPolicy;
import io.fairlead.api.Cidr;
import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.PersistentVolume;
import io.fairlead.kinds.NamespaceRules;
import io.fairlead.kinds.PriorityValidation;
import io.fairlead.kinds.StorageRules;
import io.fairlead.objects.ObjectWrites;
import io.fairlead.objects.ServiceCidrs;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Makes what every cluster has: the built-in namespaces, the roles, and the Service `default/kubernetes` (K33).
public final class Bootstrap {
    private final ObjectWrites writes;
    private final List<Cidr> serviceCidrs;
    private final KubernetesService kubernetes;

    public Bootstrap(ObjectWrites writes, List<Cidr> serviceCidrs, KubernetesService kubernetes) {
        this.writes = writes;
        this.serviceCidrs = List.copyOf(serviceCidrs);
        this.kubernetes = kubernetes;
    }

    public void run() throws InterruptedException {
        for (String name : NamespaceRules.BUILT_IN) {
            writes.createIfAbsent(Kind.NAMESPACE, new NamespacedName("", name), Json.object());
        }
        writes.createIfAbsent(Kind.SERVICE_CIDR, new NamespacedName("", ServiceCidrs.DEFAULT), serviceCidr());
        for (JsonNode object : DefaultPolicy.objects()) {
            Kind kind = Kind.find(Json.text(object, "apiVersion"), Json.text(object, "kind"))
                    .orElseThrow();
            writes.createIfAbsent(kind, ObjectMeta.of(object).key(), (ObjectNode) object);
        }
        for (Map.Entry<String, Integer> priority : PriorityValidation.SYSTEM.entrySet()) {
            ObjectNode object = Json.object().put("value", priority.getValue());
            writes.createIfAbsent(Kind.PRIORITY_CLASS, new NamespacedName("", priority.getKey()), object);
        }
        writes.createIfAbsent(Kind.STORAGE_CLASS, new NamespacedName("", "local"), storageClass());
        kubernetes.keep();
    }

    /// The class of claims that name none: folders of the node where the first pod runs.
    private static ObjectNode storageClass() {
        ObjectNode local = Json.object()
                .put("provisioner", PersistentVolume.StorageClass.LOCAL)
                .put("volumeBindingMode", "WaitForFirstConsumer");
        local.putObject("metadata").putObject("annotations").put(StorageRules.DEFAULT_CLASS, "true");
        return local;
    }

    private ObjectNode serviceCidr() {
        ObjectNode serviceCidr = Json.object();
        ArrayNode cidrs = serviceCidr.putObject("spec").putArray("cidrs");
        serviceCidrs.forEach(cidr -> cidrs.add(cidr.toString()));
        return serviceCidr;
    }
}
