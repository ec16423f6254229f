package io.fairlead.admission;

import io.fairlead.kinds.Stamp;
import io.fairlead.objects.Admission;
import io.fairlead.objects.WatchCache;
import java.util.ArrayList;
import java.util.List;

/// All that have a say in the writes of one server, in their order.
public final class Admissions {
    private Admissions() {}

    /// `accounts` where the server can sign tokens; `quotas` are kept by their own loop, too.
    public static List<Admission> of(WatchCache cache, Stamp stamp, boolean accounts, Quotas quotas) {
        List<Admission> all = new ArrayList<>();
        if (accounts) {
            all.add(new PodAccounts(cache, stamp));
        }
        all.add(new PodTolerations());
        all.add(new PodPriorities(cache));
        all.add(new DefaultClasses(cache));
        all.add(new StorageProtection());
        all.add(new LimitRanges(cache));
        all.add(quotas); // last: what is refused for another reason is not counted
        return List.copyOf(all);
    }
}
