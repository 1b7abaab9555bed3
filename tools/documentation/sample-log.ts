import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostJobOf } from '../../packages/krond/src/configuration/read-configuration.js'
import { parseKrontab } from '../../packages/krond/src/krontab/index.js'
import { selfOf } from '../../packages/krond/src/process/index.js'
import type { VirtualWorld } from '../../packages/krond/testing/process/virtual-process.js'
import { MemoryMachine } from '../../packages/krond/testing/start/memory-machine.js'

const krontab = `
*/30 * * * * @policy(deadline=1m) name=stock/sync command=/srv/shop/bin/sync
0 * * * * @win(after,20m) @policy(deadline=15m) name=orders/export command=/srv/shop/bin/export
0 * * * * @win(after,10m) @avoid(hours=11) name=mail/digest command=/srv/shop/bin/digest
`
const minute = 60_000
const noAccounts = { user: () => null, group: () => null, groupsOf: () => [] }

/** The sync of half past ten takes so long that the next one is skipped. */
const world: VirtualWorld = ({ identity, nominal }) => {
  const isSlow = identity.endsWith('sync') && nominal === Date.UTC(2026, 2, 1, 10, 30)
  return { durationMs: isSlow ? 45 * minute : minute, exitCode: 0 }
}

/**
 * The log of a small host: an hour, then a restart that does not wait for what runs, and half an
 * hour more. The daemon itself writes it in virtual time, so that it is the same on every machine.
 */
export async function sampleLog(): Promise<string> {
  const state = mkdtempSync(join(tmpdir(), 'kron-documentation-'))
  try {
    const { jobs } = parseKrontab(krontab, '/etc/krond.d/shop.krontab')
    const configuration = {
      jobs: jobs.map((entry) => hostJobOf(entry, noAccounts, selfOf())),
      problems: [],
    }
    const at = '2026-03-01T09:50:00Z'
    const machine = new MemoryMachine({ at, folder: state, configuration, world })
    for (const minutes of [80, 30]) {
      const life = machine.run()
      await machine.clock.advanceBy(minutes * minute)
      machine.stop()
      machine.stop()
      machine.processes.crash()
      await machine.clock.advanceBy(minute)
      await life
    }
    const lines = machine.lines.map((line) => JSON.stringify(line)).join('\n')
    return `${lines}\n`.replaceAll(state, '/var/lib/krond')
  } finally {
    rmSync(state, { recursive: true })
  }
}
