#!/usr/bin/env node
// Older ones lack what it is built on, and would fail in the midst of work.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `kron-operator needs Node 22.19 or later, this is ${process.versions.node}\n`,
  )
  process.exit(4)
}

const { runKronOperator, thisMachine } = await import('../dist/start/index.js')
const { processHost } = await import('../dist/kronctl/process-host.js')

process.exit(await runKronOperator(process.argv.slice(2), processHost(), thisMachine()))
