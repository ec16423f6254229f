-- Host and path to a route, and from there to a target.
local records = require "records"
local options = require "options"

local route = {}

local find, sub = string.find, string.sub
local last_slash = "^(.*)/[^/]*$"

local function of_host(host)
    local found = records.find("host:" .. host)
    if found then
        return found
    end
    local dot = find(host, ".", 1, true)
    return dot and records.find("host:*" .. sub(host, dot)) or records.find("host:")
end

local function longest_prefix(prefixes, uri)
    local path = uri
    if sub(path, -1) == "/" then
        path = sub(path, 1, -2)
    end
    while true do
        local number = prefixes[path]
        if number then
            return number, #path
        end
        if path == "" then
            return nil, -1
        end
        path = string.match(path, last_slash) or ""
    end
end

local function of_path(host, uri)
    local number = host.exact[uri]
    if number then
        return host.list[number]
    end
    local length
    number, length = longest_prefix(host.prefix, uri)
    local regexes = host.regex
    for i = 1, #regexes do
        local regex = regexes[i]
        if regex.length < length then
            break
        end
        if ngx.re.find(uri, regex.path, "ijo") then
            return host.list[regex.route]
        end
    end
    return number and host.list[number]
end

local function look_up(name, uri)
    local host = of_host(name)
    local found = host and (of_path(host, uri) or host.fallback)
    if not found then
        local any = records.find("host:")
        found = any and any.fallback
    end
    if found then
        found.quick = found.profile == "plain" and not found.options
        found.open = found.quick and not found.secured
        records.keep_way(name, uri, found)
    end
    return found
end

-- The route of this request; nil where there is none.
function route.find()
    records.refresh()
    local var = ngx.var
    local name, uri = var.host, var.uri
    local paths = records.ways[name]
    return paths and paths[uri] or look_up(name, uri)
end

-- Most requests: no options, no body, and endpoints. This way needs no coroutine, and the answer is the target; it is
-- empty for all other requests, which go the way below.
local function quick(kind)
    records.refresh()
    local var = ngx.var
    local found = records.quick[var.fairlead_key]
    if not found or not found[kind] or records.ending then
        return ""
    end
    local target = found.target
    local service = records.service(target)
    if not service or not service.targets then
        return ""
    end
    local ctx = ngx.ctx
    ctx.route = found
    ctx.target = target
    ctx.service = service
    var.fairlead_ingress = found.ingress
    return target
end

function route.quick()
    return quick("open")
end

-- The same where the client came by TLS already.
function route.quick_secure()
    return quick("quick")
end

local UNITS = { k = 1024, m = 1024 * 1024, g = 1024 * 1024 * 1024 }

local function bytes(size)
    local number, unit = string.match(size, "^(%d+)(%a?)$")
    return tonumber(number) * (UNITS[string.lower(unit)] or 1)
end

-- True if the length it tells is more than the route allows.
local function too_large(var, wanted)
    local length = tonumber(var.http_content_length)
    if not length or length == 0 then
        return false
    end
    local usual = records.find("settings")
    local most = bytes(wanted and wanted["proxy-body-size"] or usual and usual.body or "1m")
    return most > 0 and length > most
end

-- True if a body may come whose length is not told: nginx must measure it, and does so where the length is bounded.
local function has_untold_length(var)
    return not var.http_content_length
end

-- What holds for all counts where the Ingress says nothing.
local function is_secured(found)
    local usual = records.find("settings")
    return found.secured == "always" or not usual or usual.redirect ~= false
end

-- The target in place of one without endpoints, where the Ingress names one.
local function instead_of(found, wanted)
    local name = wanted and wanted["default-backend"]
    local target = name and (string.match(found.ingress, "^[^/]*") .. "/" .. name .. ":*")
    local service = target and records.service(target)
    return target, service and service.targets and service
end

-- Sends the request on its way, or ends it here.
local function send(found, var)
    local ctx = ngx.ctx
    ctx.route = found
    if found.secured and var.fairlead_scheme == "http" and is_secured(found) then
        return ngx.redirect("https://" .. var.host .. var.request_uri, 308)
    end
    local wanted = found.options
    local target = found.target
    if wanted then
        target = options.apply(found, wanted, ctx) or target
    end
    local service = records.service(target)
    ctx.target = target
    -- These are for the log alone.
    var.fairlead_ingress = found.ingress
    var.fairlead_service = target
    if not service or service.nowhere then
        target, service = instead_of(found, wanted)
        if not service then
            return ngx.exit(503)
        end
        ctx.target = target
        var.fairlead_service = target
    end
    ctx.service = service
    if service.external then
        var.fairlead_external = service.external
        var.fairlead_tls_name = service.name
    end
end

-- In the location that every request enters: what it asks for may need another.
function route.take_plain()
    local found = route.find()
    if not found then
        return ngx.exit(404)
    end
    local var = ngx.var
    if records.ending then
        return ngx.exec("@fairlead_last")
    elseif found.profile ~= "plain" then
        return ngx.exec("@" .. found.profile)
    end
    if var.fairlead_body ~= "" then
        if has_untold_length(var) then
            return ngx.exec("@plain")
        elseif too_large(var, found.options) then
            return ngx.exit(413)
        end
    elseif found.quick then
        records.keep_quick(var.fairlead_key, found)
    end
    return send(found, var)
end

-- In the location that ends the connection with the answer.
function route.take_last()
    local found = route.find()
    return found and ngx.exec("@" .. found.profile) or ngx.exit(404)
end

-- In the location of a profile.
function route.take()
    local found = route.find()
    if not found then
        return ngx.exit(404)
    end
    local var = ngx.var
    if too_large(var, found.options) then
        return ngx.exit(413)
    end
    return send(found, var)
end

return route
