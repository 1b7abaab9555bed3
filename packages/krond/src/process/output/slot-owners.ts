import { hash } from 'node:crypto'
import { closeSync, constants, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { OutputOwner } from '../processes.js'

const fileName = 'owners'
const recordBytes = 96

/**
 * Which execution has which slot, a line of fixed length for each: the next daemon has to know. One
 * write at a place, and no sync: a line has to outlive this process, and neither it nor the job
 * outlives the machine.
 */
export class SlotOwners {
  readonly #descriptor: number

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  static open(folder: string): SlotOwners {
    const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW
    return new SlotOwners(openSync(join(folder, fileName), flags, 0o600))
  }

  /** The keys of owners by slot, as the one before has left them. */
  read(): string[] {
    const lines = readFileSync(this.#descriptor, 'latin1').split('\n')
    return lines.slice(0, -1).map((line) => line.trim())
  }

  /** null: nobody has it, so that neither a guard nor the next daemon looks at it. */
  write(slot: number, owner: OutputOwner | null): void {
    const key = owner === null ? '' : ownerKey(owner)
    const line = `${key.padEnd(recordBytes - 1)}\n`
    writeSync(this.#descriptor, line, slot * recordBytes, 'latin1')
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}

export function ownerKey({ identity, nominal }: OutputOwner): string {
  return `${hash('sha256', identity, 'hex')} ${nominal}`
}
