/**
 * Says in words that this Node is too old, and ends the process. Older ones lack what programs are
 * built on, and would fail in the midst of work. Imports nothing, and is no TypeScript, so that any
 * Node can read it, before a build as well.
 *
 * @param {string} program
 * @param {{ readonly node: string }} engines
 */
export function needNode(program, engines) {
  const needed = neededNode(engines)
  if (!isOlderNode(process.versions.node, needed)) return
  process.stderr.write(
    `${program} needs Node ${needed} or later, and this is Node ${process.versions.node} ` +
      `(${process.execPath})\n`,
  )
  process.exit(4)
}

/**
 * `22.19` of `>=22.19`.
 *
 * @param {{ readonly node: string }} engines
 */
export const neededNode = (engines) => /\d+(?:\.\d+)*/.exec(engines.node)?.[0] ?? '0'

/**
 * @param {string} version
 * @param {string} needed
 */
export function isOlderNode(version, needed) {
  const parts = version.replace('v', '').split('.').map(Number)
  for (const [index, least] of needed.split('.').map(Number).entries()) {
    const part = parts[index] ?? 0
    if (part !== least) return part < least
  }
  return false
}
