-- Runs when the auth-url let a request pass.
local route = ngx.ctx.route
for _, name in ipairs(route and route.options and route.options["auth-response-headers"] or {}) do
    ngx.req.clear_header(name)
end
for name, value in string.gmatch(ngx.var.fairlead_auth_headers or "", "([^:\n]+):([^\n]*)") do
    ngx.req.set_header(name, value)
end
