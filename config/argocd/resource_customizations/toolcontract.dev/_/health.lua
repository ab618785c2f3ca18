-- Health of ToolContract, ToolRevision, ToolSet and ProviderProfile. All of them
-- have Ready, and Stalled while only an edit can help. Conditions count only if
-- the operator has looked at the current generation.
local hs = {status = "Progressing"}

if obj.metadata.deletionTimestamp ~= nil then
  hs.message = "being deleted"
  return hs
end

if obj.status == nil or obj.status.conditions == nil or obj.status.observedGeneration ~= obj.metadata.generation then
  hs.message = "the operator has not looked at generation " .. tostring(obj.metadata.generation) .. " yet"
  return hs
end

local is = {}
for _, condition in ipairs(obj.status.conditions) do
  is[condition.type] = condition
end

if is.Ready ~= nil then
  hs.message = is.Ready.reason .. ": " .. is.Ready.message
  -- What was published before stays served while a newer version is refused.
  local published = is.Published or is.ToolsPublished
  if is.Ready.status ~= "True" and published ~= nil and published.message ~= is.Ready.message then
    hs.message = hs.message .. " (" .. published.message .. ")"
  end
end

if is.Ready ~= nil and is.Ready.status == "True" then
  hs.status = "Healthy"
elseif is.Stalled ~= nil and is.Stalled.status == "True" then
  hs.status = "Degraded"
end
return hs
