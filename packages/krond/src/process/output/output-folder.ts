import { mkdirSync, readdirSync } from 'node:fs'
import { SystemError } from '@kron/core'
import { codeOf } from '../failure.js'
import type { OnLine, OutputOwner } from '../processes.js'
import type { Drainable, Flow } from './captured-stream.js'
import { LeftOutput } from './left-output.js'
import { endGuard, type GuardPorts, OutputGuard } from './output-guard.js'
import { OutputSlot, ownerKey, SlotOwners } from './output-slot.js'

/**
 * Named pipes for what jobs write, so that it outlives the daemon that reads it. Who reads when:
 *
 *   this daemon       as long as it lives;
 *   its guard         from the moment it is gone, however it went, into files beside the pipes;
 *   the next daemon   once it has ended the guard: first the files, then the pipes.
 *
 * A job has its pipe open for reading as well, so there is no moment at which it could write into
 * a broken pipe. The owner of a slot is written before anything is started with it: dying after
 * that leaves pipes that the next daemon finds under their owner, or that nobody has open, which
 * end at once. A guard that is ended between reading and writing loses what it has in its hands:
 * of a job that writes without pause at most 128 KiB. And of a job that ends in the moment between
 * the death of its daemon and the waking of the guard, what it wrote last: its pipe was open to
 * nobody else.
 */
export class OutputFolder {
  readonly #path: string
  readonly #ports: GuardPorts
  readonly #flow: Flow
  readonly #guard: OutputGuard
  readonly #free: OutputSlot[] = []
  readonly #left: { readonly owner: string; readonly output: LeftOutput }[] = []
  #owners: SlotOwners | null = null
  #slots = 0

  constructor(path: string, ports: GuardPorts & { readonly flow: Flow }) {
    this.#path = path
    this.#ports = ports
    this.#flow = ports.flow
    this.#guard = new OutputGuard(path, ports)
  }

  /** Takes over from a former daemon. What it left can be resumed until `discardRest`. */
  async open(): Promise<void> {
    try {
      mkdirSync(this.#path, { recursive: true, mode: 0o700 })
      await endGuard(this.#path, this.#ports.clock)
      this.#owners = SlotOwners.open(this.#path)
      this.#findLeft(this.#owners.read(), new Set(readdirSync(this.#path)))
      await this.#guard.start()
    } catch (cause) {
      const details = { field: 'output', value: this.#path, errno: codeOf(cause) }
      const message = `output of jobs can't go through ${this.#path}: ${codeOf(cause)}`
      throw new SystemError('KRON_SYSTEM', message, details, { cause })
    }
  }

  /** A slot for an execution, to be given back when its streams were opened. */
  take(owner: OutputOwner): OutputSlot {
    if (this.#owners === null) throw new Error('the output folder is not open')
    const slot = this.#free.pop() ?? this.#newSlot(this.#slots)
    slot.take()
    this.#owners.write(slot.number, owner)
    return slot
  }

  /** Delivers what an execution of a former daemon wrote since, and what it goes on to write. */
  resume(owner: OutputOwner, onLine: OnLine): readonly Drainable[] {
    const key = ownerKey(owner)
    const found = this.#left.filter((left) => left.owner === key && !left.output.isResumed)
    for (const { output } of found) output.resume(onLine, this.#flow)
    return found.map(({ output }) => output)
  }

  /** What nobody has resumed belongs to no job any more: it is read, so that nobody waits. */
  discardRest(): void {
    for (const { output } of this.#left.splice(0)) if (!output.isResumed) output.discard()
  }

  /** Leaves what still runs to the guard, which needs no word for that. */
  async close(): Promise<void> {
    if (this.#free.length === this.#slots) await this.#guard.dismiss()
    this.#owners?.close()
    this.#owners = null
  }

  #newSlot(number: number): OutputSlot {
    this.#slots = Math.max(this.#slots, number + 1)
    return new OutputSlot(this.#path, number, (slot) => {
      this.#owners?.write(slot.number, null)
      this.#free.push(slot)
    })
  }

  #findLeft(owners: readonly string[], files: ReadonlySet<string>): void {
    for (const [number, owner] of owners.entries()) {
      const slot = this.#newSlot(number)
      if (owner === '') {
        this.#free.push(slot)
        continue
      }
      slot.take()
      for (const stream of ['stdout', 'stderr'] as const) {
        const output = LeftOutput.find(slot, stream, files, this.#flow)
        if (output !== null) this.#left.push({ owner, output })
      }
      slot.give()
    }
  }
}
