-- How much one client may ask: requests by a bucket that leaks, and requests at a time.
local ranges = require "ranges"

local limits = {}

local shared = ngx.shared.fairlead_limits

-- Workers may count a request of the same moment twice over: the bucket is read and written in two steps.
local function over(key, rate, burst)
    local now = ngx.now()
    local level, last = 0, now
    local before = shared:get(key)
    if before then
        local l, t = string.match(before, "^(%S+) (%S+)$")
        level, last = tonumber(l), tonumber(t)
    end
    level = math.max(0, level - (now - last) * rate)
    if level + 1 > burst then
        return true
    end
    shared:set(key, (level + 1) .. " " .. now, 120)
    return false
end

function limits.check(found, wanted, ctx)
    local rps, rpm, connections = wanted["limit-rps"], wanted["limit-rpm"], wanted["limit-connections"]
    if not (rps or rpm or connections) then
        return
    end
    local client = ngx.var.binary_remote_addr
    if wanted["limit-allowlist"] and ranges.contain(wanted["limit-allowlist"], client) then
        return
    end
    local key = found.ingress .. " " .. client
    local burst = wanted["limit-burst-multiplier"] or 5
    if (rps and over("s" .. key, rps, rps * burst)) or (rpm and over("m" .. key, rpm / 60, rpm * burst)) then
        return ngx.exit(503)
    end
    if connections then
        local held = "c" .. key
        if shared:incr(held, 1, 0) > connections then
            shared:incr(held, -1)
            return ngx.exit(503)
        end
        ctx.held = held
    end
end

function limits.release(ctx)
    if ctx.held then
        shared:incr(ctx.held, -1)
        ctx.held = nil
    end
end

return limits
