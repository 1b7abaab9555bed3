import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { isOlderNode } from '../../packages/command/need-node.mjs'

/** What vitest and the programs need; older ones that read this must get as far as the message. */
const needed = '22.19'

/** The message for a Node that is too old for the checkout; null for one that is not. */
export function refusalOf(version) {
  if (!isOlderNode(version, needed)) return null
  return `This checkout is built and tested with Node ${needed} or newer, and this is ${version}.
On Linux and Windows \`npm ci\` brings a newer Node for the scripts of package.json (npm start, npm test);
if npm left it out (--omit=optional), run \`npm ci\` again without that. Elsewhere install a newer Node.`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const refusal = refusalOf(process.version)
  if (refusal !== null) {
    process.stderr.write(`${refusal}\n`)
    process.exitCode = 1
  }
}
