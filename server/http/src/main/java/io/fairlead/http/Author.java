package io.fairlead.http;

import io.fairlead.api.Kind;
import io.fairlead.api.Problem;
import io.fairlead.merge.FieldOwner;
import io.fairlead.merge.FieldOwner.Operation;
import java.util.regex.Pattern;

/// Who writes, as `managedFields` will tell it, and whether the write is done or only tried (K26).
record Author(String name, Operation operation, String subresource, boolean dryRun) {
    /// The server itself.
    static final Author SERVER = new Author("fairlead", Operation.UPDATE, "", false);

    private static final int LONGEST_NAME = 128;
    private static final Pattern END_OF_WORD = Pattern.compile("[/ ]");

    /// The author of a request: as it says itself, or else the first word of what its program calls itself.
    static Author of(ApiRequest request, ApiPath path) {
        String given = request.query("fieldManager");
        if (given.length() > LONGEST_NAME) {
            throw ApiException.invalidOption(
                    request.options(),
                    Problem.invalid("fieldManager", given, "may not be more than %d bytes".formatted(LONGEST_NAME)));
        }
        String name = given.isEmpty() ? program(request.headers().getOrDefault("user-agent", "")) : given;
        return new Author(name, Operation.UPDATE, path.subresource(), request.isDryRun());
    }

    Author tryingOnly() {
        return new Author(name, operation, subresource, true);
    }

    Author applying() {
        return new Author(name, Operation.APPLY, subresource, dryRun);
    }

    FieldOwner owner(Kind kind) {
        return new FieldOwner(name, operation, kind.apiVersion(), subresource);
    }

    boolean applies() {
        return operation == Operation.APPLY;
    }

    private static String program(String agent) {
        String word = END_OF_WORD.split(agent, 2)[0];
        return word.isEmpty() ? "unknown" : word.substring(0, Math.min(word.length(), LONGEST_NAME));
    }
}
