import { tzdataVersion } from '@kron/core'
import { kronVersion } from '@kron/runtime'

/** Of the program and of its time zones: both decide what a schedule means. */
export const versions = { version: kronVersion, tzdata: tzdataVersion } as const
