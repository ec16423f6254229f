package io.fairlead.objects;

import io.fairlead.api.Json;
import io.fairlead.api.NamespacedName;
import io.fairlead.api.ParseException;
import io.fairlead.api.Revision;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// Where a list was broken off, so that its next page can be asked for: after which object, and of which state.
///
/// Without a revision it goes on in the newest state, whatever the pages before showed (K11).
public record ContinueToken(NamespacedName after, Optional<Revision> revision) {
    private static final String VERSION = "fairlead/v1";

    public static ContinueToken parse(String text) {
        try {
            JsonNode json = Json.parse(Base64.getUrlDecoder().decode(text));
            long revision = json.path("rv").longValue(-1);
            if (Json.text(json, "v").equals(VERSION) && revision >= -1) {
                return new ContinueToken(
                        new NamespacedName(Json.text(json, "namespace"), Json.text(json, "name")),
                        revision < 0 ? Optional.empty() : Optional.of(new Revision(revision)));
            }
        } catch (IllegalArgumentException | ParseException e) {
            // Not one that we gave: told below.
        }
        throw StatusException.badRequest("continue key is not valid: it is none that this server gave");
    }

    /// The same place in the newest state.
    public ContinueToken inNewest() {
        return new ContinueToken(after, Optional.empty());
    }

    @Override
    public String toString() {
        JsonNode json = Json.object()
                .put("v", VERSION)
                .put("rv", revision.map(Revision::value).orElse(-1L))
                .put("namespace", after.namespace())
                .put("name", after.name());
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Json.bytes(json));
    }
}
