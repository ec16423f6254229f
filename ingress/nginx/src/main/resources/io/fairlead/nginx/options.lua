-- The options of an Ingress that are decided request by request. Each either lets the request pass, changes it, or ends
-- it. The order is that of Answers.java.
local ranges = require "ranges"
local limits = require "limits"

local options = {}

local function refuse_clients(wanted)
    local denied, allowed = wanted["denylist-source-range"], wanted["allowlist-source-range"]
    if denied or allowed then
        local address = ngx.var.binary_remote_addr
        if (denied and ranges.contain(denied, address)) or (allowed and not ranges.contain(allowed, address)) then
            return ngx.exit(403)
        end
    end
end

local function verify_client(wanted)
    if not wanted["auth-tls-secret"] then
        return
    end
    local var = ngx.var
    local mode = wanted["auth-tls-verify-client"] or "on"
    -- Who was checked for another host was not checked for this one.
    local checked = var.ssl_server_name == var.host and var.ssl_client_verify or "NONE"
    local fails = mode == "on" and checked ~= "SUCCESS"
        or mode == "optional" and checked ~= "SUCCESS" and checked ~= "NONE"
    if fails then
        if wanted["auth-tls-error-page"] then
            return ngx.redirect(wanted["auth-tls-error-page"], 302)
        end
        return ngx.exit(400)
    end
    if wanted["auth-tls-pass-certificate-to-upstream"] then
        var.fairlead_client_cert = var.ssl_client_escaped_cert
    end
end

local function redirect(wanted)
    if wanted["permanent-redirect"] then
        return ngx.redirect(wanted["permanent-redirect"], wanted["permanent-redirect-code"] or 301)
    elseif wanted["temporal-redirect"] then
        return ngx.redirect(wanted["temporal-redirect"], wanted["temporal-redirect-code"] or 302)
    elseif wanted["app-root"] and ngx.var.uri == "/" then
        return ngx.redirect(wanted["app-root"], 302)
    end
end

local function chosen(canary)
    local wanted = canary.options
    local header = wanted["canary-by-header"]
    local value = header and ngx.req.get_headers()[header]
    if type(value) == "string" then
        local exact, pattern = wanted["canary-by-header-value"], wanted["canary-by-header-pattern"]
        if exact then
            if value == exact then
                return true
            end
        elseif pattern then
            if ngx.re.find(value, pattern, "jo") then
                return true
            end
        elseif value == "always" then
            return true
        elseif value == "never" then
            return false
        end
    end
    local name = wanted["canary-by-cookie"]
    local cookie = name and ngx.var["cookie_" .. name]
    if cookie == "always" then
        return true
    elseif cookie == "never" then
        return false
    end
    local weight = wanted["canary-weight"]
    return weight and math.random(1, wanted["canary-weight-total"] or 100) <= weight
end

local function rewrite(found, wanted)
    local target = wanted["rewrite-target"]
    if not target then
        return
    end
    local uri = ngx.var.uri
    local path = target
    if found.regex then
        local groups = ngx.re.match(uri, found.regex, "ijo")
        path = string.gsub(target, "%$(%d)", function(digit)
            return groups and groups[tonumber(digit)] or ""
        end)
    end
    if wanted["x-forwarded-prefix"] then
        ngx.var.fairlead_prefix = wanted["x-forwarded-prefix"]
    end
    local query = string.find(path, "?", 1, true)
    if query then
        ngx.req.set_uri_args(string.sub(path, query + 1))
        path = string.sub(path, 1, query - 1)
    end
    ngx.req.set_uri(path == "" and "/" or path)
end

local function preflight(wanted)
    if wanted["enable-cors"] and ngx.req.get_method() == "OPTIONS" and ngx.var.http_access_control_request_method then
        return ngx.exit(204)
    end
end

local function variables(found, wanted)
    local var = ngx.var
    if wanted["enable-access-log"] == false then
        var.fairlead_unlogged = "1"
    end
    var.fairlead_host = wanted["upstream-vhost"] or var.http_host or ""
    var.fairlead_tls_name = wanted["upstream-vhost"] and string.match(wanted["upstream-vhost"], "^[^:]*") or var.host
    if wanted.users then
        var.fairlead_users = wanted.users
        var.fairlead_realm = wanted.realm
    end
    if wanted["auth-url"] then
        var.fairlead_auth = wanted["auth-url"]
        var.fairlead_auth_method = wanted["auth-method"] and wanted["auth-method"][1] or "GET"
    end
    if wanted["mirror-target"] then
        var.fairlead_mirror = string.gsub(wanted["mirror-target"], "/$", "")
    end
end

-- The target, if it is another than that of the route.
function options.apply(found, wanted, ctx)
    refuse_clients(wanted)
    verify_client(wanted)
    redirect(wanted)
    preflight(wanted)
    limits.check(found, wanted, ctx)
    variables(found, wanted)
    rewrite(found, wanted)
    for _, canary in ipairs(wanted.canaries or {}) do
        if chosen(canary) then
            return canary.target
        end
    end
end

return options
