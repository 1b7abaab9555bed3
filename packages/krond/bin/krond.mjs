#!/usr/bin/env node
// Older ones lack what it is built on, and would fail in the midst of work.
if (Number.parseInt(process.versions.node, 10) < 22) {
  process.stderr.write(`krond needs Node 22.12 or later, this is ${process.versions.node}\n`)
  process.exit(4)
}

// Before anything is read: threads wait for the disk, and four would have many jobs wait as well.
process.env.UV_THREADPOOL_SIZE ??= '16'

const { runKrond } = await import('../dist/bundle/krond.js')
const { processHost } = await import('../dist/bundle/host.js')

process.exit(await runKrond(process.argv.slice(2), processHost()))
