/** Runs kronctl by the name that it was called by. */
export async function startKronctl(name) {
  // Older ones lack what it is built on, and would fail in the midst of work.
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 22 || (major === 22 && minor < 19)) {
    process.stderr.write(`kronctl needs Node 22.19 or later, this is ${process.versions.node}\n`)
    process.exit(4)
  }
  const { processHost, runKronctl } = await import('../dist/kronctl/index.js')
  process.exitCode = await runKronctl(process.argv.slice(2), processHost(), name)
}
