package io.fairlead.objects;

import java.util.ArrayList;
import java.util.List;

/// Where a list is cut into the runs of objects that are compressed together.
///
/// Whether a run begins with an object is a matter of its name and its length alone. So a change touches the run that
/// it is in and hardly ever another, and a page, a namespace or a selection has most of its runs from the whole list.
final class ListCuts {
    /// The length of a run on average: a smaller one is compressed less well, a larger one is lost with each change.
    static final int USUAL = 128 * 1024;

    /// The length of a run at most, unless it is a single object.
    static final int MOST = 4 * USUAL;

    // Spreads names that differ little (Knuth: the golden ratio of 2^32).
    private static final int SPREAD = 0x9E3779B9;

    private ListCuts() {}

    static List<List<ApiObject>> runs(List<ApiObject> items) {
        List<List<ApiObject>> runs = new ArrayList<>();
        int from = 0;
        int length = 0;
        for (int i = 0; i < items.size(); i++) {
            ApiObject object = items.get(i);
            if (i > from && (begins(object) || length + object.json().length >= MOST)) {
                runs.add(items.subList(from, i));
                from = i;
                length = 0;
            }
            length += object.json().length + 1;
        }
        if (from < items.size()) {
            runs.add(items.subList(from, items.size()));
        }
        return runs;
    }

    /// One of so many that they are [#USUAL] apart: the longer an object, the more likely.
    private static boolean begins(ApiObject object) {
        long spread = Integer.toUnsignedLong(object.key().hashCode() * SPREAD);
        return spread * USUAL < (long) object.json().length << Integer.SIZE;
    }
}
