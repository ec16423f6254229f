package io.fairlead.zone;

import io.fairlead.testkit.NameQuestion;
import java.util.List;
import java.util.Locale;

/// The words of `dns.txt`.
final class ZoneText {
    private ZoneText() {}

    static ZoneSettings settings(List<String> words) {
        ZoneSettings settings = ZoneSettings.DEFAULT;
        for (String word : words) {
            String value = word.substring(word.indexOf('=') + 1);
            settings = switch (word.replaceAll("=.*", "")) {
                case "pods" -> settings.withPods(ZoneSettings.PodMode.valueOf(value.toUpperCase(Locale.ROOT)));
                case "ttl" -> settings.withTtl(Integer.parseInt(value));
                case "zone-scoped" -> settings.withZoneScoped(true);
                case "no-empty-services" -> settings.withEmptyServices(false);
                default -> throw new IllegalArgumentException("not a setting: " + word);
            };
        }
        return settings;
    }

    static String answer(Zone zone, String name, String type) {
        Name asked = Name.of(name);
        int number = RecordType.find(type).orElseThrow();
        return switch (zone.answer(asked, number)) {
            case ZoneAnswer.Found _, ZoneAnswer.Alias _ -> records(zone.chain(asked, number));
            case ZoneAnswer.NoData _ -> "nodata";
            case ZoneAnswer.NoSuchName _ -> "nxdomain";
            case ZoneAnswer.NotOurs _ -> "not ours";
        };
    }

    private static String records(List<ResourceRecord> records) {
        return NameQuestion.sorted(records.stream()
                .map(record -> (record.type() == RecordType.CNAME ? "CNAME " : "") + RecordText.content(record))
                .toArray(String[]::new));
    }
}
