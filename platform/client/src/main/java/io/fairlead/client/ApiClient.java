package io.fairlead.client;

import io.fairlead.api.Json;
import io.fairlead.api.Kind;
import io.fairlead.api.KubernetesObject;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ObjectMeta;
import io.fairlead.api.ParseException;
import io.fairlead.api.Pod;
import io.fairlead.api.Revision;
import io.fairlead.api.Volume;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// The verbs of the Kubernetes API, blocking, on JSON trees.
///
/// Every method throws [ApiException] when the server refuses or does not answer in time. Any number of threads may
/// use one client.
public final class ApiClient implements AutoCloseable {
    private static final int PAGE = 1000;

    /// How many objects at once where they are read as they come.
    private static final int READ_PAGE = 10_000;

    /// How long a container that is followed may print nothing: as long as the API server keeps such a connection.
    private static final Duration LOG_PATIENCE = Duration.ofHours(4);

    private static final List<String> COMMANDS = List.of("v5.channel.k8s.io", "v4.channel.k8s.io");
    private static final List<String> FORWARDS = List.of("v4.channel.k8s.io", "portforward.k8s.io");

    private final Transport transport;
    private final Timeouts timeouts;
    private final ClusterAccess access;

    public ApiClient(ClusterAccess access) {
        this(access, Timeouts.DEFAULT);
    }

    ApiClient(ClusterAccess access, Timeouts timeouts) {
        this.transport = new Transport(access, timeouts);
        this.timeouts = timeouts;
        this.access = access;
    }

    /// Has the JVM load what every request needs: for a program that has something else to do when it starts.
    public static void prepare() {
        Json.parse("{\"none\":\"\"}");
        TlsContext.prepare();
    }

    /// Whom clients of this API server are to trust, as PEM; empty where it needs no certificate.
    public String certificateAuthority() {
        return access.tls().certificateAuthority();
    }

    public ObjectNode get(Kind kind, NamespacedName name) throws InterruptedException {
        return transport.send("GET", path(kind, name));
    }

    /// Like [#get], but an object that is not there is no exception.
    public Optional<ObjectNode> find(Kind kind, NamespacedName name) throws InterruptedException {
        try {
            return Optional.of(get(kind, name));
        } catch (ApiException e) {
            if (e.isNotFound()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /// The whole list object with all `items`; of all namespaces where `namespace` is empty.
    public ObjectNode list(Interest interest, String namespace) throws InterruptedException {
        String base = path(interest.kind(), namespace) + selectors(interest, "?limit=" + PAGE);
        ObjectNode list = transport.send("GET", base);
        ArrayNode items = list.withArray("items");
        String more = Json.text(list, "metadata", "continue");
        while (!more.isEmpty()) {
            ObjectNode page = transport.send("GET", base + "&continue=" + encoded(more));
            page.path("items").forEach(items::add);
            more = Json.text(page, "metadata", "continue");
        }
        list.withObject("metadata").remove("continue");
        // Items do not say of what kind they are, because their list does: an object alone has to.
        Kind kind = interest.kind();
        items.forEach(item -> {
            if (item instanceof ObjectNode object && !object.has("kind")) {
                ObjectNode rest = object.deepCopy();
                object.removeAll();
                object.put("apiVersion", kind.apiVersion()).put("kind", kind.name());
                object.setAll(rest);
            }
        });
        return list;
    }

    /// The excerpt of every object of the interest, read while the answer comes: for lists that are too large to hold
    /// as trees.
    ListReader.Page read(Interest interest, Excerpt excerpt) throws InterruptedException {
        ListReader reader = new ListReader(interest.kind(), excerpt);
        String base = path(interest.kind(), interest.namespace()) + selectors(interest, "?limit=" + READ_PAGE);
        ListReader.Page page = read(reader, base);
        List<KubernetesObject> objects = new ArrayList<>(page.objects());
        while (!page.more().isEmpty()) {
            page = read(reader, base + "&continue=" + encoded(page.more()));
            objects.addAll(page.objects());
        }
        return new ListReader.Page(page.revision(), "", objects);
    }

    private ListReader.Page read(ListReader reader, String path) throws InterruptedException {
        try (InputStream text = transport.read(path)) {
            return reader.read(text);
        } catch (ParseException | IOException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("while a list was read");
            }
            throw new ApiException("list %s: %s".formatted(path, e.getMessage()), e);
        }
    }

    /// Creates `object` in the namespace it names; the answer is the object as stored.
    public ObjectNode create(Kind kind, ObjectNode object) throws InterruptedException {
        String namespace = Json.text(object, "metadata", "namespace");
        return transport.send("POST", path(kind, namespace), object, Transport.JSON);
    }

    /// Replaces the object; refused as a conflict if its `resourceVersion` is no longer the newest.
    public ObjectNode update(Kind kind, ObjectNode object) throws InterruptedException {
        return transport.send("PUT", path(kind, nameOf(object)), object, Transport.JSON);
    }

    /// Like [#update], for the status alone.
    public ObjectNode updateStatus(Kind kind, ObjectNode object) throws InterruptedException {
        return transport.send("PUT", path(kind, nameOf(object)) + "/status", object, Transport.JSON);
    }

    /// Changes the fields that `patch` names, by RFC 7386: null removes, a list replaces.
    public ObjectNode mergePatch(Kind kind, NamespacedName name, JsonNode patch) throws InterruptedException {
        return transport.send("PATCH", path(kind, name), patch, Transport.MERGE_PATCH);
    }

    /// Like [#mergePatch], for the status alone: `patch` holds a `status` field.
    public ObjectNode patchStatus(Kind kind, NamespacedName name, JsonNode patch) throws InterruptedException {
        return transport.send("PATCH", path(kind, name) + "/status", patch, Transport.MERGE_PATCH);
    }

    /// Changes the one condition of the status that has the type of `condition`, and leaves the others alone.
    public ObjectNode patchCondition(Kind kind, NamespacedName name, String uid, ObjectNode condition)
            throws InterruptedException {
        ObjectNode patch = Json.object();
        patch.putObject("metadata").put("uid", uid);
        patch.putObject("status").putArray("conditions").add(condition);
        return transport.send("PATCH", path(kind, name) + "/status", patch, Transport.STRATEGIC_PATCH);
    }

    /// Asks for the deletion; the answer is the object, which may live on for its grace period, or a Status.
    public ObjectNode delete(Kind kind, NamespacedName name, Deletion options) throws InterruptedException {
        return transport.send("DELETE", path(kind, name), options.json(), Transport.JSON);
    }

    /// Gives the pod of this uid its node.
    public void bind(NamespacedName pod, String uid, String node) throws InterruptedException {
        ObjectNode binding = Json.object().put("apiVersion", "v1").put("kind", "Binding");
        binding.putObject("metadata")
                .put("name", pod.name())
                .put("namespace", pod.namespace())
                .put("uid", uid);
        binding.putObject("target").put("apiVersion", "v1").put("kind", "Node").put("name", node);
        transport.send("POST", path(Kind.POD, pod) + "/binding", binding, Transport.JSON);
    }

    /// A token of the pod's ServiceAccount that is good as long as the pod is there.
    public String requestToken(Pod pod, Volume.Projection.Token wanted) throws InterruptedException {
        ObjectNode request =
                Json.object().put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
        ObjectNode spec = request.putObject("spec").put("expirationSeconds", wanted.expirationSeconds());
        if (!wanted.audience().isEmpty()) {
            spec.putArray("audiences").add(wanted.audience());
        }
        spec.putObject("boundObjectRef")
                .put("apiVersion", "v1")
                .put("kind", "Pod")
                .put("name", pod.key().name())
                .put("uid", pod.metadata().uid());
        NamespacedName account = new NamespacedName(
                pod.key().namespace(), pod.spec().surroundings().serviceAccountName());
        ObjectNode answer =
                transport.send("POST", path(Kind.SERVICE_ACCOUNT, account) + "/token", request, Transport.JSON);
        return Json.text(answer, "status", "token");
    }

    /// All that happens after `from`, with bookmarks; of all namespaces where `namespace` is empty.
    public Watch watch(Interest interest, String namespace, Revision from) throws InterruptedException {
        return watch(interest, namespace, from, Transport.JSON);
    }

    /// One object as the server prints it: a `meta.k8s.io/v1` Table of one row.
    public ObjectNode table(Kind kind, NamespacedName name) throws InterruptedException {
        return transport.get(path(kind, name), Transport.TABLE);
    }

    /// All objects as the server prints them; of all namespaces where `namespace` is empty.
    public ObjectNode table(Interest interest, String namespace) throws InterruptedException {
        return transport.get(path(interest.kind(), namespace) + selectors(interest, "?"), Transport.TABLE);
    }

    /// Like [#watch], but the object of each event is a Table.
    public Watch watchTable(Interest interest, String namespace, Revision from) throws InterruptedException {
        return watch(interest, namespace, from, Transport.TABLE);
    }

    private Watch watch(Interest interest, String namespace, Revision from, String accept) throws InterruptedException {
        String query = "?watch=true&allowWatchBookmarks=true&resourceVersion=%s&timeoutSeconds=%d"
                .formatted(from, timeouts.watch().toSeconds());
        BodyPieces answer = transport.open(path(interest.kind(), namespace) + selectors(interest, query), accept);
        return new Watch(answer, timeouts.watch().plus(timeouts.margin()));
    }

    /// What a container of the pod printed, as it comes; the caller closes it.
    ///
    /// @param options as the API names them: `follow`, `tailLines`, `container`, `previous`, …
    public InputStream log(NamespacedName pod, Map<String, String> options) throws InterruptedException {
        String query = options.entrySet().stream()
                .map(option -> option.getKey() + "=" + encoded(option.getValue()))
                .collect(Collectors.joining("&"));
        return transport.follow(path(Kind.POD, pod) + "/log" + (query.isEmpty() ? "" : "?" + query), LOG_PATIENCE);
    }

    /// Streams with a pod: `exec`, `attach` or `portforward`, with the options that the API has for it.
    ///
    /// @param options pairs, because a command is several of one name
    public ChannelSession session(
            NamespacedName pod, String what, List<Map.Entry<String, String>> options, ChannelSession.Receiver receiver)
            throws InterruptedException {
        String query = options.stream()
                .map(option -> option.getKey() + "=" + encoded(option.getValue()))
                .collect(Collectors.joining("&"));
        List<String> protocols = what.equals("portforward") ? FORWARDS : COMMANDS;
        return transport.channels("%s/%s?%s".formatted(path(Kind.POD, pod), what, query), protocols, receiver);
    }

    /// Whether the server answers anything at all within `patience`.
    boolean answers(Duration patience) throws InterruptedException {
        return transport.answers(patience);
    }

    /// Whether it answers on a new connection; then that one takes the place of all others, which are cut.
    boolean renew(Duration patience) throws InterruptedException {
        return transport.renew(patience);
    }

    /// True if the server is there and says it is ready.
    public boolean isReady() throws InterruptedException {
        try (BodyPieces _ = transport.open("/readyz", Transport.JSON)) {
            return true;
        } catch (ApiException _) {
            return false;
        }
    }

    @Override
    public void close() {
        transport.close();
    }

    private static NamespacedName nameOf(ObjectNode object) {
        return ObjectMeta.of(object).key();
    }

    private static String path(Kind kind, NamespacedName object) {
        return kind.path(new NamespacedName(encoded(object.namespace()), encoded(object.name())));
    }

    private static String path(Kind kind, String namespace) {
        return kind.path(encoded(namespace));
    }

    private static String selectors(Interest interest, String query) {
        String labels = interest.labelSelector().isEmpty() ? "" : "&labelSelector=" + encoded(interest.labelSelector());
        String fields = interest.fieldSelector().isEmpty() ? "" : "&fieldSelector=" + encoded(interest.fieldSelector());
        return query + labels + fields;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
