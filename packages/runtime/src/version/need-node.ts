/**
 * Says in words that this Node is too old, and ends the process. Older ones lack what programs are
 * built on, and would fail in the midst of work. Imports nothing, so that they can read it.
 */
export function needNode(program: string, engines: { readonly node: string }): void {
  const wanted = /\d+(?:\.\d+)*/.exec(engines.node)?.[0] ?? '0'
  if (!isOlder(process.versions.node, wanted)) return
  process.stderr.write(
    `${program} needs Node ${wanted} or later, and this is Node ${process.versions.node} ` +
      `(${process.execPath})\n`,
  )
  process.exit(4)
}

function isOlder(version: string, wanted: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [index, least] of wanted.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
}
