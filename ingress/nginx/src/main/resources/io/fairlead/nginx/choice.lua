-- Which endpoint gets a request: in turn, by a key, by a cookie, or the quicker of two.
local balancer = require "ngx.balancer"
local records = require "records"

local choice = {}

local turns = {}
local pace = {}
local DECAY = 10

local function in_turn(ctx, count)
    local key = ctx.target
    local turn = (turns[key] or math.random(1, count)) + 1
    if turn > count then
        turn = 1
    end
    turns[key] = turn
    return turn
end

-- Of all endpoints the one with the highest mark for this key: when one goes, only its own keys move.
local function by_key(targets, key)
    local best, highest = 1, -1
    for i = 1, #targets do
        local target = targets[i]
        local mark = ngx.crc32_long(key .. target[1] .. ":" .. target[2])
        if mark > highest then
            best, highest = i, mark
        end
    end
    return best
end

local function value_of(expression)
    return (string.gsub(expression, "%$([a-z0-9_]+)", function(name)
        return ngx.var[name] or ""
    end))
end

local function name_of(target)
    return ngx.md5(target[1] .. ":" .. target[2])
end

local function by_cookie(ctx, wanted, targets)
    local given = ngx.var["cookie_" .. (wanted["session-cookie-name"] or "INGRESSCOOKIE")]
    if given then
        for i = 1, #targets do
            if name_of(targets[i]) == given then
                return i
            end
        end
    end
    local chosen = in_turn(ctx, #targets)
    ctx.cookie = name_of(targets[chosen])
    return chosen
end

local function score(target)
    local known = pace[target[1] .. ":" .. target[2]]
    return known and known.average * math.exp(-(ngx.now() - known.at) / DECAY) or 0
end

local function quicker(targets)
    local count = #targets
    if count == 1 then
        return 1
    end
    local one = math.random(1, count)
    local other = one % count + 1
    return score(targets[one]) <= score(targets[other]) and one or other
end

local function first(ctx, wanted, targets)
    if wanted then
        if wanted.affinity then
            return by_cookie(ctx, wanted, targets)
        elseif wanted["upstream-hash-by"] then
            return by_key(targets, value_of(wanted["upstream-hash-by"]))
        elseif wanted["load-balance"] == "ewma" then
            return quicker(targets)
        end
    end
    return in_turn(ctx, #targets)
end

function choice.make()
    local ctx = ngx.ctx
    local targets = ctx.service.targets
    local wanted = ctx.route.options
    local count = #targets
    local chosen = ctx.chosen
    if chosen then
        chosen = chosen % count + 1
        if ctx.cookie or (wanted and wanted["session-cookie-change-on-failure"]) then
            ctx.cookie = name_of(targets[chosen])
        end
    else
        chosen = first(ctx, wanted, targets)
        local tries = wanted and wanted["proxy-next-upstream-tries"] or 3
        if tries == 0 or tries > count then
            tries = count
        end
        if tries > 1 then
            balancer.set_more_tries(tries - 1)
        end
    end
    ctx.chosen = chosen
    if wanted and (wanted["proxy-connect-timeout"] or wanted["proxy-read-timeout"] or wanted["proxy-send-timeout"]) then
        local usual = records.find("settings") or {}
        balancer.set_timeouts(
            wanted["proxy-connect-timeout"] or usual.connect,
            wanted["proxy-send-timeout"] or usual.send,
            wanted["proxy-read-timeout"] or usual.read
        )
    end
    local target = targets[chosen]
    local done, fault = balancer.set_current_peer(target[1], target[2])
    if not done then
        ngx.log(ngx.ERR, "no endpoint: ", fault)
        return ngx.exit(502)
    end
end

-- Remembers how quick an endpoint was.
function choice.learn(ctx, wanted)
    if not (wanted["load-balance"] == "ewma" and ctx.chosen) then
        return
    end
    local target = ctx.service.targets[ctx.chosen]
    local seconds = tonumber(ngx.var.upstream_response_time)
    if target and seconds then
        local key = target[1] .. ":" .. target[2]
        local now = ngx.now()
        local known = pace[key] or { average = 0, at = now }
        local weight = math.exp(-(now - known.at) / DECAY)
        pace[key] = { average = known.average * weight + seconds * (1 - weight) + seconds * 0.1, at = now }
    end
end

return choice
