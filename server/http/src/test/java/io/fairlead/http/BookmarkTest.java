package io.fairlead.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.Kind;
import io.fairlead.api.LabelSelector;
import io.fairlead.api.Revision;
import io.fairlead.kinds.KindRules;
import io.fairlead.kinds.Stamp;
import io.fairlead.objects.FieldSelector;
import io.fairlead.objects.KindCache;
import io.fairlead.objects.Selection;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class BookmarkTest {
    @Test
    void a_watch_in_which_nothing_happens_is_marked_once_a_minute() throws Exception {
        // A clock that is a minute further each time the server looks: no wait is ever needed.
        AtomicLong minutes = new AtomicLong();
        Instant start = Instant.parse("2026-01-01T00:00:00Z");
        Stamp stamp = new Stamp(() -> start.plus(Duration.ofMinutes(minutes.getAndIncrement())), new SecureRandom());
        KindCache cache = new KindCache(Kind.POD, () -> new Revision(7));
        Selection all =
                new Selection("", LabelSelector.EVERYTHING, FieldSelector.parse("", KindRules.metadataFields()));
        WatchOptions options =
                new WatchOptions(all, WatchOptions.Start.CHANGES, new Revision(7), true, Duration.ofMinutes(30));
        KindRules rules = () -> Kind.POD;
        EventFormat format = new EventFormat(
                new EventFormat.Form(Representation.OBJECT, ""), rules, KindFace.plain(Kind.POD), stamp);
        List<String> told = new ArrayList<>();

        new WatchStream(cache, options, format, stamp)
                .writeTo(bytes -> told.add(new String(bytes, StandardCharsets.UTF_8)));

        assertThat(told)
                .hasSizeGreaterThan(3)
                .allSatisfy(line ->
                        assertThat(line).contains("\"type\":\"BOOKMARK\"").contains("\"resourceVersion\":\"7\""));
    }
}
