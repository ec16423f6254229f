-- When a request is over: it is counted, and gives back what it held.
local limits = require "limits"
local choice = require "choice"
local counts = require "counts"

local over = {}

local now, started = ngx.now, ngx.req.start_time

function over.log()
    local ctx = ngx.ctx
    local route = ctx.route
    if not route then
        return
    end
    local wanted = route.options
    if wanted then
        limits.release(ctx)
        choice.learn(ctx, wanted)
    end
    counts.request(route.ingress, ctx.target or "", ngx.status, now() - started(), ngx.var.bytes_sent)
end

return over
