/**
 * `kron-operator` on a clock that runs fast, and that may kill itself at a request. Arguments: a
 * JSON text of `FastOptions`, then those of `kron-operator`.
 */

import { writeSync } from 'node:fs'
import { processHost } from '../../dist/kronctl/host.js'
import { runKronOperator, systemPorts } from '../../dist/start/index.js'
import { passingKubeApi } from '../../testing/kube-api/passing-kube-api.ts'
import { type Death, deadlyPassage } from '../crash/death.ts'
import { fastClock, type Pace } from './fast-clock.ts'

export interface FastOptions extends Pace {
  readonly death?: Death | undefined
}

const [text, ...args] = process.argv.slice(2)
const options = JSON.parse(text!) as FastOptions
const ports = systemPorts()

const code = await runKronOperator(args, processHost(), () => ({
  ...ports,
  clock: fastClock(options),
  elapsed: () => performance.now() * options.factor,
  outlet: { write: writeLine, onDropped() {} },
  connect: async (settings, observe) => {
    const connection = await ports.connect(settings, observe)
    if (options.death === undefined) return connection
    return { ...connection, api: passingKubeApi(connection.api, deadlyPassage(options.death)) }
  },
}))
process.exit(code)

/** At once and whole: what was logged before a death must be there, however slow the reader is. */
function writeLine(line: string): void {
  const bytes = Buffer.from(`${line}\n`)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(1, bytes, written)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}
