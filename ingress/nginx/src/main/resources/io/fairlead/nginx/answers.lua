-- Headers of answers: the affinity cookie, who may read it from elsewhere, and those of a ConfigMap.
local records = require "records"

local answers = {}

local function cookie(ctx, wanted)
    if not ctx.cookie then
        return
    end
    local parts = {
        (wanted["session-cookie-name"] or "INGRESSCOOKIE") .. "=" .. ctx.cookie,
        "Path=" .. (wanted["session-cookie-path"] or "/"),
    }
    if wanted["session-cookie-domain"] then
        parts[#parts + 1] = "Domain=" .. wanted["session-cookie-domain"]
    end
    if wanted["session-cookie-expires"] then
        parts[#parts + 1] = "Expires=" .. ngx.cookie_time(ngx.time() + wanted["session-cookie-expires"])
    end
    if wanted["session-cookie-max-age"] then
        parts[#parts + 1] = "Max-Age=" .. wanted["session-cookie-max-age"]
    end
    local secure = wanted["session-cookie-secure"]
    if secure or (secure == nil and ngx.var.scheme == "https") then
        parts[#parts + 1] = "Secure"
    end
    parts[#parts + 1] = "HttpOnly"
    if wanted["session-cookie-samesite"] then
        parts[#parts + 1] = "SameSite=" .. wanted["session-cookie-samesite"]
    end
    local line = table.concat(parts, "; ")
    local given = ngx.header["Set-Cookie"]
    if type(given) == "table" then
        given[#given + 1] = line
        ngx.header["Set-Cookie"] = given
    else
        ngx.header["Set-Cookie"] = given and { given, line } or line
    end
end

local function allowed(origins, origin)
    for _, one in ipairs(origins) do
        if one == "*" then
            return "*"
        elseif one == origin then
            return origin
        end
        local before, after = string.match(one, "^(.-://)%*(%..+)$")
        if before and string.sub(origin, 1, #before) == before and string.sub(origin, -#after) == after then
            local label = string.sub(origin, #before + 1, -#after - 1)
            if string.find(label, "^[%w-]+$") then
                return origin
            end
        end
    end
end

local function cors(wanted)
    if not wanted["enable-cors"] then
        return
    end
    local origin = ngx.var.http_origin
    local answer = origin and allowed(wanted["cors-allow-origin"] or { "*" }, origin)
    if not answer then
        return
    end
    local header = ngx.header
    header["Access-Control-Allow-Origin"] = answer
    if answer ~= "*" then
        header["Vary"] = "Origin"
    end
    if wanted["cors-allow-credentials"] ~= false then
        header["Access-Control-Allow-Credentials"] = "true"
    end
    if wanted["cors-expose-headers"] then
        header["Access-Control-Expose-Headers"] = table.concat(wanted["cors-expose-headers"], ",")
    end
    if ngx.req.get_method() == "OPTIONS" then
        header["Access-Control-Allow-Methods"] =
            table.concat(wanted["cors-allow-methods"] or { "GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS" }, ", ")
        header["Access-Control-Allow-Headers"] = wanted["cors-allow-headers"]
                and table.concat(wanted["cors-allow-headers"], ",")
            or "DNT,Keep-Alive,User-Agent,X-Requested-With,If-Modified-Since,Cache-Control,Content-Type,Range,Authorization"
        header["Access-Control-Max-Age"] = wanted["cors-max-age"] or 1728000
    end
end

function answers.headers()
    local route = ngx.ctx.route
    local wanted = route and route.options
    if not wanted then
        return
    end
    cookie(ngx.ctx, wanted)
    cors(wanted)
    for name, value in pairs(wanted.headers or {}) do
        ngx.header[name] = value
    end
end

return answers
