// Gives every task of a recorded trace its processor time instead of the clock's, and moves what is inside it accordingly:
// node processor-time.mjs TRACE. scripts/lighthouse uses it.

import { readFileSync, writeFileSync } from "node:fs";

// Events of one thread nest, so all inside a task shrink by the same factor.
export function toProcessorTime(events) {
  const threads = new Map();
  for (const event of events.filter(({ ts }) => ts !== undefined)) {
    const key = `${event.pid}:${event.tid}`;
    if (!threads.has(key)) threads.set(key, []);
    threads.get(key).push(event);
  }
  for (const list of threads.values()) {
    list.sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
    let task = null;
    for (const event of list) {
      const isInside = task !== null && event.ts < task.end;
      if (!isInside && event.ph === "X" && event.name === "RunTask" && event.tdur !== undefined && event.dur > 0) {
        task = { start: event.ts, end: event.ts + event.dur, factor: Math.min(1, Math.max(event.tdur, 1) / event.dur) };
        event.dur *= task.factor;
      } else if (isInside) {
        event.ts = task.start + (event.ts - task.start) * task.factor;
        if (event.dur !== undefined) event.dur *= task.factor;
      }
    }
  }
}

if (process.argv[2]) {
  const trace = JSON.parse(readFileSync(process.argv[2], "utf8"));
  toProcessorTime(trace.traceEvents);
  writeFileSync(process.argv[2], JSON.stringify(trace));
}
