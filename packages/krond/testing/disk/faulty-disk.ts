import {
  type Disk,
  type DiskEntry,
  DiskError,
  type DiskFile,
  type OpenedFile,
} from '../../src/disk/disk.js'

export type CallKind = keyof Disk | keyof DiskFile

export interface DiskCall {
  readonly kind: CallKind
  readonly path: string
}

export type FaultCode = 'EIO' | 'ENOSPC' | 'EMFILE'

export type Fault =
  /** The call has no effect and says so. */
  | { readonly kind: 'refused'; readonly code: FaultCode }
  /** The call has its effect, and says that it failed. */
  | { readonly kind: 'done-but-failed'; readonly code: FaultCode }
  /** Half of the bytes are written, and that number is answered; other calls are not affected. */
  | { readonly kind: 'short-write' }

export interface FaultPlan {
  readonly fault: Fault
  /** Which call fails, the first is 1. */
  readonly call: number
  /** Counts only calls of this kind; all of them when left out. */
  readonly of?: CallKind
  /** Whether all later calls, of that kind if one is given, fail as well (default false). */
  readonly forever?: boolean
}

/** A disk that fails as planned, and remembers what was asked of it. */
export class FaultyDisk implements Disk {
  readonly calls: DiskCall[] = []
  readonly #disk: Disk
  readonly #plan: FaultPlan | null
  #counted = 0

  constructor(disk: Disk, plan: FaultPlan | null) {
    this.#disk = disk
    this.#plan = plan
  }

  inspect(path: string): DiskEntry | null {
    return this.#now('inspect', path, () => this.#disk.inspect(path))
  }

  list(folder: string): readonly string[] {
    return this.#now('list', folder, () => this.#disk.list(folder))
  }

  read(path: string): Uint8Array {
    return this.#now('read', path, () => this.#disk.read(path))
  }

  open(path: string, most: number): OpenedFile {
    return this.#now('open', path, () => this.#disk.open(path, most))
  }

  makeFolder(path: string, mode: number): void {
    this.#now('makeFolder', path, () => this.#disk.makeFolder(path, mode))
  }

  link(existing: string, name: string): void {
    this.#now('link', existing, () => this.#disk.link(existing, name))
  }

  remove(path: string): void {
    this.#now('remove', path, () => this.#disk.remove(path))
  }

  async create(path: string, mode: number): Promise<DiskFile> {
    const fault = this.#faultOf({ kind: 'create', path })
    throwIf('refused', fault, 'create', path)
    const file = await this.#disk.create(path, mode)
    // Nobody gets to close it otherwise.
    if (fault?.kind === 'done-but-failed') await file.close()
    throwIf('done-but-failed', fault, 'create', path)
    return new FaultyFile(file, path, (kind) => this.#faultOf({ kind, path }))
  }

  async rename(from: string, to: string): Promise<void> {
    const fault = this.#faultOf({ kind: 'rename', path: from })
    await later(fault, 'rename', from, () => this.#disk.rename(from, to))
  }

  async replace(from: string, to: string): Promise<void> {
    const fault = this.#faultOf({ kind: 'replace', path: from })
    await later(fault, 'replace', from, () => this.#disk.replace(from, to))
  }

  async syncFolder(folder: string): Promise<void> {
    const fault = this.#faultOf({ kind: 'syncFolder', path: folder })
    await later(fault, 'syncFolder', folder, () => this.#disk.syncFolder(folder))
  }

  #now<T>(kind: CallKind, path: string, call: () => T): T {
    const fault = this.#faultOf({ kind, path })
    throwIf('refused', fault, kind, path)
    const answer = call()
    throwIf('done-but-failed', fault, kind, path)
    return answer
  }

  #faultOf(call: DiskCall): Fault | null {
    this.calls.push(call)
    const plan = this.#plan
    if (plan === null || (plan.of ?? call.kind) !== call.kind) return null
    this.#counted++
    const fails = plan.forever === true ? this.#counted >= plan.call : this.#counted === plan.call
    return fails ? plan.fault : null
  }
}

class FaultyFile implements DiskFile {
  readonly #file: DiskFile
  readonly #path: string
  readonly #faultOf: (kind: keyof DiskFile) => Fault | null
  #forgotten = false

  constructor(file: DiskFile, path: string, faultOf: (kind: keyof DiskFile) => Fault | null) {
    this.#file = file
    this.#path = path
    this.#faultOf = faultOf
  }

  async write(bytes: Uint8Array): Promise<number> {
    const fault = this.#faultOf('write')
    const half = fault?.kind === 'short-write' ? Math.floor(bytes.length / 2) : bytes.length
    return later(fault, 'write', this.#path, () => this.#file.write(bytes.subarray(0, half)))
  }

  /**
   * As on Linux, the pages that a failed sync could not write are clean afterwards: the next sync
   * has nothing to do and succeeds, but what was written is not durable.
   */
  async sync(): Promise<void> {
    const fault = this.#faultOf('sync')
    if (fault?.kind === 'refused') this.#forgotten = true
    await later(fault, 'sync', this.#path, async () => {
      if (!this.#forgotten) await this.#file.sync()
    })
  }

  /** A descriptor is closed even if `close` says that it failed. */
  async close(): Promise<void> {
    const fault = this.#faultOf('close')
    await this.#file.close()
    throwIf('refused', fault, 'close', this.#path)
    throwIf('done-but-failed', fault, 'close', this.#path)
  }
}

async function later<T>(
  fault: Fault | null,
  kind: CallKind,
  path: string,
  call: () => Promise<T>,
): Promise<T> {
  throwIf('refused', fault, kind, path)
  const answer = await call()
  throwIf('done-but-failed', fault, kind, path)
  return answer
}

function throwIf(when: Fault['kind'], fault: Fault | null, kind: CallKind, path: string): void {
  if (fault?.kind !== when || fault.kind === 'short-write') return
  throw new DiskError(fault.code, kind, path)
}
