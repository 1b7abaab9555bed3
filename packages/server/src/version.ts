import { createRequire } from 'node:module'
import { tzdataVersion } from '@kron/core'

const { version } = createRequire(import.meta.url)('../package.json') as { version: string }

/** Of the program and of its time zones: both decide what a schedule means. */
export const versions = { version, tzdata: tzdataVersion } as const
