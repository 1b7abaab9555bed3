import { hash } from 'node:crypto'
import type { OutputOwner } from '../processes.js'

export type StreamName = 'stdout' | 'stderr'

const pipeEnding = '.pipe'
const spoolEnding = '.spool'

/** What the names of all outputs of an execution begin with. */
export function ownerPrefix({ identity, nominal }: OutputOwner): string {
  return `${hash('sha256', identity, 'hex')}.${nominal}.`
}

/** `serial` tells two attempts at one execution from each other. */
export function outputName(owner: OutputOwner, serial: string, stream: StreamName): string {
  return `${ownerPrefix(owner)}${serial}.${stream}`
}

export const pipeName = (name: string): string => `${name}${pipeEnding}`
export const spoolName = (name: string): string => `${name}${spoolEnding}`

/** The output that a file of the folder is part of; null when it is none. */
export function outputOfFile(
  file: string,
): { name: string; prefix: string; stream: StreamName } | null {
  const match = /^(([0-9a-f]{64}\.-?\d+\.)[^.]+\.(stdout|stderr))\.(?:pipe|spool)$/.exec(file)
  if (match === null) return null
  return { name: match[1]!, prefix: match[2]!, stream: match[3] as StreamName }
}
