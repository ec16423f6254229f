package io.fairlead.zone;

import java.util.Arrays;

/// How an answer says what became of its question.
public enum ResponseCode {
    NOERROR(0),
    FORMERR(1),
    SERVFAIL(2),
    NXDOMAIN(3),
    NOTIMP(4),
    REFUSED(5),
    /// Its upper bits are in the OPT record.
    BADVERS(16);

    private final int code;

    ResponseCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /// The name of the code of a header.
    public static String text(int code) {
        return Arrays.stream(values())
                .filter(one -> one.code == code)
                .map(Enum::name)
                .findFirst()
                .orElse("RCODE" + code);
    }
}
