import { processHost as commonHost } from '@kron/command'
import { descriptorOutlet } from '@kron/runtime'
import type { Host } from './host.js'
import { interruption } from './interruption.js'
import { userFiles } from './user-files.js'

/** The process that runs this program. */
export const processHost = (): Host => ({
  ...commonHost(),
  ...userFiles,
  logOutlet: () => descriptorOutlet(2, 'kron'),
  interrupted: interruption(process),
})
