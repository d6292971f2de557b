-- The requests of the benchmark for wrk: each with a number of its own, so with a prize or player of its own.
-- Arguments: path, API key, body template with {n} for the number, first number, how many numbers, threads.

local threads_seen = 0

function setup(thread)
  thread:set("thread_index", threads_seen)
  threads_seen = threads_seen + 1
end

function init(args)
  path = args[1]
  headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer " .. args[2] }
  parts = {}
  for part in (args[3] .. "{n}"):gmatch("(.-){n}") do parts[#parts + 1] = part end
  local per_thread = math.floor(tonumber(args[5]) / tonumber(args[6]))
  next_number = tonumber(args[4]) + thread_index * per_thread
  last_number = next_number + per_thread - 1
end

function request()
  -- Beyond its range a thread would use another's numbers; an impossible one is refused and makes the run invalid.
  local number = next_number <= last_number and string.format("%032x", next_number) or "none"
  next_number = next_number + 1
  return wrk.format("POST", path, headers, table.concat(parts, number))
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.timeout + errors.status
  io.write(string.format('RESULT {"acknowledged":%d,"failed":%d,"seconds":%.3f,"p50Ms":%.3f,"p99Ms":%.3f}\n',
    summary.requests - errors.status, failed, summary.duration / 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
