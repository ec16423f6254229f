-- The auth-url said 401: a client with a browser is sent to where it can sign in.
local route = require("route").find()
local wanted = route and route.options or {}
local signin = wanted["auth-signin"]
if not signin then
    return ngx.exit(401)
end
local param = wanted["auth-signin-redirect-param"] or "rd"
local var = ngx.var
local here = ngx.escape_uri(var.scheme .. "://" .. var.http_host .. var.request_uri)
return ngx.redirect(signin .. (string.find(signin, "?", 1, true) and "&" or "?") .. param .. "=" .. here, 302)
