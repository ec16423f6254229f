package io.fairlead.kernel;

/// The error numbers of Linux that this program meets.
public final class Errno {
    public static final int EPERM = 1;
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EBUSY = 16;
    public static final int EEXIST = 17;
    /// Also what a path that leads out of its folder gives.
    public static final int EXDEV = 18;
    public static final int ENODEV = 19;
    public static final int EINVAL = 22;
    public static final int ENFILE = 23;
    public static final int EMFILE = 24;
    public static final int EPIPE = 32;
    public static final int ERESTART = 85;
    public static final int EMSGSIZE = 90;
    public static final int EPROTONOSUPPORT = 93;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRNOTAVAIL = 99;
    public static final int ENETUNREACH = 101;
    public static final int ECONNRESET = 104;
    public static final int ENOBUFS = 105;
    public static final int ETIMEDOUT = 110;
    public static final int ECONNREFUSED = 111;
    public static final int EHOSTUNREACH = 113;
    public static final int EINPROGRESS = 115;

    private Errno() {}

    static String text(int errno) {
        String name = switch (errno) {
            case EPERM -> "EPERM, operation not permitted";
            case ENOENT -> "ENOENT, no such thing";
            case ESRCH -> "ESRCH, no such process or route";
            case EINTR -> "EINTR, interrupted";
            case EAGAIN -> "EAGAIN, nothing there yet";
            case EACCES -> "EACCES, permission denied";
            case EBUSY -> "EBUSY, in use";
            case EEXIST -> "EEXIST, exists already";
            case EIO -> "EIO, input or output failed";
            case EXDEV -> "EXDEV, leads out of its folder";
            case ENODEV -> "ENODEV, no such device";
            case EINVAL -> "EINVAL, invalid argument";
            case ENFILE -> "ENFILE, table is full";
            case EMFILE -> "EMFILE, too many open files";
            case EPIPE -> "EPIPE, the other side reads no more";
            case ERESTART -> "ERESTART, another program changed the rules";
            case EMSGSIZE -> "EMSGSIZE, message too long";
            case EPROTONOSUPPORT -> "EPROTONOSUPPORT, no such protocol";
            case EOPNOTSUPP -> "EOPNOTSUPP, not supported by this kernel";
            case EADDRNOTAVAIL -> "EADDRNOTAVAIL, no such address";
            case ENETUNREACH -> "ENETUNREACH, network is unreachable";
            case ECONNRESET -> "ECONNRESET, the other side broke it off";
            case ENOBUFS -> "ENOBUFS, buffer overflow";
            case ETIMEDOUT -> "ETIMEDOUT, no answer";
            case ECONNREFUSED -> "ECONNREFUSED, no program listens";
            case EHOSTUNREACH -> "EHOSTUNREACH, no way to the host";
            case EINPROGRESS -> "EINPROGRESS, under way";
            default -> "error";
        };
        return "%s (%d)".formatted(name, errno);
    }
}
