package io.fairlead.api;

import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// A number of pods, or a part of all in percent.
public record Share(int number, boolean percent) {
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,6}%");

    public static Share of(JsonNode json, Share otherwise) {
        if (json.isString() && PERCENT.matcher(json.stringValue()).matches()) {
            String text = json.stringValue();
            return new Share(Integer.parseInt(text.substring(0, text.length() - 1)), true);
        }
        return json.isIntegralNumber() && json.canConvertToInt() ? new Share(json.intValue(), false) : otherwise;
    }

    public int roundedUp(int all) {
        return percent ? (int) (((long) number * all + 99) / 100) : number;
    }

    public int roundedDown(int all) {
        return percent ? (int) ((long) number * all / 100) : number;
    }
}
