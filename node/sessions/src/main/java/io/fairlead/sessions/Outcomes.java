package io.fairlead.sessions;

import io.fairlead.api.Json;
import tools.jackson.databind.node.ObjectNode;

/// How a command ended, as the Status that clients read from the error stream.
final class Outcomes {
    private Outcomes() {}

    static byte[] exit(int code) {
        if (code == 0) {
            ObjectNode status = Json.object();
            status.putObject("metadata");
            return Json.bytes(status.put("status", "Success"));
        }
        ObjectNode status =
                failure("NonZeroExitCode", "command terminated with non-zero exit code: exit status " + code);
        status.putObject("details")
                .putArray("causes")
                .addObject()
                .put("reason", "ExitCode")
                .put("message", Integer.toString(code));
        return Json.bytes(status);
    }

    static byte[] failed(String message) {
        return Json.bytes(failure("InternalError", message).put("code", 500));
    }

    private static ObjectNode failure(String reason, String message) {
        ObjectNode status = Json.object();
        status.putObject("metadata");
        return status.put("status", "Failure").put("message", message).put("reason", reason);
    }
}
