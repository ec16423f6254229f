-- The answer of an auth-url: those of its headers that the Service is to see are kept for the request itself.
local route = require("route").find()
local wanted = route and route.options and route.options["auth-response-headers"]
local kept = {}
for _, name in ipairs(wanted or {}) do
    local value = ngx.header[name]
    if type(value) == "string" then
        kept[#kept + 1] = name .. ":" .. value
    end
end
ngx.var.fairlead_auth_headers = table.concat(kept, "\n")
