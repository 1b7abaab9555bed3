#!/usr/bin/env node
// Older ones lack what it is built on, and would fail in the midst of work.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 12)) {
  process.stderr.write(`kron needs Node 22.12 or later, this is ${process.versions.node}\n`)
  process.exit(4)
}

const { processHost, runKron } = await import('../dist/cli/index.js')

process.exitCode = await runKron(process.argv.slice(2), processHost())
