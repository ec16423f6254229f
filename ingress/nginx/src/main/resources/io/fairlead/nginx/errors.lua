-- An answer that the default backend gives instead, and what nginx tells it.
local records = require "records"

-- The last endpoint's; without one there was none that could be asked.
local code = string.match(ngx.var.upstream_status or "", "(%d+)%s*$") or "503"
local route = require("route").find()
local wanted = route and route.options or {}
local name = wanted["default-backend"]
local namespace = route and string.match(route.ingress, "^[^/]*")
local target = name and (namespace .. "/" .. name .. ":*")
local service = target and records.find("service:" .. target)
if not service or not service.targets then
    return ngx.exit(tonumber(code))
end
ngx.ctx.route = route
ngx.ctx.target = target
ngx.ctx.service = service
ngx.req.set_header("X-Code", code)
ngx.req.set_header("X-Original-URI", ngx.var.request_uri)
ngx.req.set_header("X-Namespace", namespace)
ngx.req.set_header("X-Ingress-Name", string.match(route.ingress, "[^/]*$"))
ngx.req.set_header("X-Service-Name", string.match(route.target, "/([^:]*)"))
