import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { decodeZone } from '../../packages/core/dist/zone/decode.js'
import { type ZoneChange, type ZoneHistory, zoneChanges } from './changes.ts'
import { encodeModule } from './encode.ts'
import { readSource } from './source.ts'

const help = `Compiles the installed moment-timezone data into the time zone database of @kron/core,
and shows which zones change from when on.

  npm run tzdata:update             install the newest release, show the changes, write
  node tools/tzdata/update.ts --check   show only, exit with 1 when the module is out of date
`

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
})
const target = new URL('../../packages/core/src/zone/generated/tzdata.ts', import.meta.url)

if (values.help) process.stdout.write(help)
else {
  const before = readFileSync(target, 'utf8')
  const after = encodeModule(readSource())
  const changes = zoneChanges(historiesOf(before), historiesOf(after))
  console.log(`tzdata ${versionOf(before)} -> ${versionOf(after)}, ${changes.length} zones change`)
  for (const change of changes) console.log(`  ${described(change)}`)
  if (!values.check) writeFileSync(target, after)
  else if (before !== after) process.exitCode = 1
}

function described({ name, kind, from }: ZoneChange): string {
  if (from === undefined) return `${name} ${kind}`
  const when = Number.isFinite(from) ? new Date(from * 1000).toISOString().slice(0, 19) : 'ever'
  return `${name} from ${when}${Number.isFinite(from) ? 'Z' : ''}`
}

function versionOf(module: string): string {
  return constantOf(module, 'tzdataVersion')
}

function historiesOf(module: string): Map<string, ZoneHistory> {
  const zones = constantOf(module, 'zoneLines').split('\n')
  const histories = new Map(
    zones.map((line) => [line.slice(0, line.indexOf('|')), decodeZone(line) as ZoneHistory]),
  )
  for (const link of constantOf(module, 'linkLines').split('\n')) {
    const [alias, name] = link.split('|') as [string, string]
    histories.set(alias, histories.get(name)!)
  }
  return histories
}

function constantOf(module: string, name: string): string {
  const match = new RegExp(`^export const ${name} = (".*")$`, 'm').exec(module)
  if (match === null) throw new Error(`the generated module has no ${name}`)
  return JSON.parse(match[1]!) as string
}
