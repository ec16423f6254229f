-- The controller speaks: lines of key, tab and JSON. With `?all` they are everything there is.
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
if records.take(lines, ngx.var.args == "all") then
    ngx.say("taken")
else
    ngx.status = 507
    ngx.say("the shared memory is full")
end
