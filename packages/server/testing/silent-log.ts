import { type Clock, createLog, type Log } from '@kron/runtime'

export const silentLog = (clock: Clock): Log =>
  createLog({ format: 'text', level: 'error', component: 'x', clock, write: () => {} })
