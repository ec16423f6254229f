package io.fairlead.routes;

import java.util.List;

/// Where one nginx lives: its folder, its ports, and what the machine gives it.
///
/// @param folder holds its configuration, its sockets and the Lua; a path without quotes
/// @param user whom its workers run as; empty for whom it was started as
/// @param modules the folder of its modules
/// @param resolvers the servers that are asked for names outside
/// @param lua whether its modules have Lua
/// @param httpPort the port of plain HTTP; 0 for one that is not opened
public record NginxLayout(
        String folder, String user, String modules, boolean lua, List<String> resolvers, int httpPort, int httpsPort) {
    public NginxLayout {
        resolvers = List.copyOf(resolvers);
    }

    String file(String name) {
        return folder + "/" + name;
    }

    /// The socket on which nginx is fed.
    public String controlSocket() {
        return file("control.sock");
    }
}
