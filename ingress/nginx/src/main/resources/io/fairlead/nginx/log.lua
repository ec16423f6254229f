-- When a request is over: it is counted, and gives back what it held.
local ctx = ngx.ctx
local var = ngx.var
local route = ctx.route
if route then
    require("limits").release(ctx)
    require("choice").learn(ctx)
    require("counts").request(
        route.ingress,
        ctx.target or "",
        ngx.status,
        tonumber(var.request_time) or 0,
        tonumber(var.bytes_sent) or 0
    )
end
