-- The controller speaks: lines of key, tab and JSON. With `?only` they are the keys of everything there is.
local records = require "records"

ngx.req.read_body()
local lines = ngx.req.get_body_data()
if not lines then
    local name = ngx.req.get_body_file()
    local file = name and io.open(name, "r")
    lines = file and file:read("*a") or ""
    if file then
        file:close()
    end
end
local act = ngx.var.args == "only" and records.retain or records.take
if act(lines) then
    ngx.say("taken")
else
    ngx.status = 507
    ngx.say("the shared memory is full")
end
