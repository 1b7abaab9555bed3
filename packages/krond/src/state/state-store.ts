import { PersistenceError } from '@kron/core'
import { type Clock, Semaphore } from '@kron/runtime'
import { type Disk, type DiskEntry, type DiskFile, errnoOf, type OpenedFile } from '../disk/disk.js'
import { decodeState } from './decode-state.js'
import { encodeState } from './encode-state.js'
import type { JobState } from './job-state.js'
import { presumedThrough } from './legible-period.js'
import { type Migrations, migrations } from './migrations.js'
import { SharedSync } from './shared-sync.js'
import { attempt, diskFailure, refusal, type StateOperation } from './state-failure.js'
import { largestStateBytes } from './state-fields.js'
import {
  checkStateFile,
  corruptName,
  prepareStateFolder,
  stateFileName,
  temporaryName,
} from './state-folder.js'

/*
 * A save, step by step, and what the next daemon finds after a death at that point. "Power"
 * means that the machine dies, otherwise only the process does.
 *
 *   1. create <file>.tmp     The old state. A temporary file that is there is overwritten.
 *   2. write all bytes       The same; the temporary file may be torn, nobody reads it.
 *   3. sync the file         The same.
 *   4. close it              The same.
 *   5. rename to <file>      The new state. Power: old or new, each of them whole, since its bytes
 *                            were durable before it got the name. Where the file system can, the
 *                            old file gets the temporary name, and is what step 1 of the next
 *                            save overwrites.
 *   6. sync the folder       The new state, whatever dies.
 *
 * Step 1 overwrites a file that was the state once. It must be so no longer even if power is lost
 * then, so before the first save of a life the folder is synced: the one before may have died
 * between 5 and 6. All later saves of a job begin after the one before has ended with 6.
 *
 * `save` resolves after 6. A caller that acts only then (releases an execution) may rely on it that
 * the state is found again; one that dies before has not acted, so the old state is right as well.
 *
 * After a failure of any step nothing is known about what the disk holds, but that it is old or
 * new. The store then refuses all later saves: a repeated sync can succeed without having written
 * anything, and a later state may build on one that was lost. Only a new process, which reads what
 * is really there, may go on.
 *
 * A corrupt file gets a second name and stays where it is until the state that replaces it is
 * renamed over it:
 *
 *   1. link to <file>.corrupt.<time>   The corrupt file is found again, and gets one more link.
 *   2. the caller saves a replacement  Until its rename as above; afterwards the replacement. The
 *                                      sync of the folder makes link and rename durable; power
 *                                      before that can lose the link, but brings back no less
 *                                      than the corrupt file.
 *
 * At no point is there no file. Were the file moved away first, a death before the replacement
 * would look as if the job had never run, and its current period would be executed again.
 */

export interface StateStoreOptions {
  readonly disk: Disk
  readonly folder: string
  /** The user of this process, who must own everything. */
  readonly uid: number
  /** For the names of corrupt files. */
  readonly clock: Clock
  readonly migrations?: Migrations
}

export type LoadedState =
  /** There is no state of this job. */
  | { readonly kind: 'new' }
  | { readonly kind: 'found'; readonly state: JobState }
  /**
   * There was one that can't be read; the caller must save a replacement before it acts. All that
   * was current until `handledThrough` may have been handled.
   */
  | {
      readonly kind: 'lost'
      readonly movedTo: string
      readonly reason: string
      readonly handledThrough: number
    }

/** More would not be faster, and thousands of jobs due at once would run out of descriptors. */
const maxOpenFiles = 32
const maxCorruptNames = 1000

/** The state files of one folder. The lock of the folder must be held before `open`. */
export class StateStore {
  readonly #options: StateStoreOptions
  readonly #names = new Set<string>()
  /** The latest save of each file that has one under way; these promises never reject. */
  readonly #latest = new Map<string, Promise<void>>()
  readonly #turns = new Semaphore(maxOpenFiles)
  readonly #folderSync: SharedSync
  /** That the folder is as durable as it looks. */
  #settled: Promise<void> | null = null
  #failure: PersistenceError | null = null

  constructor(options: StateStoreOptions) {
    const { disk, folder } = options
    this.#options = options
    this.#folderSync = new SharedSync(() => disk.syncFolder(folder))
  }

  /** Makes or checks the folder, and looks which jobs have a state. */
  open(): void {
    const { disk, folder, uid } = this.#options
    prepareStateFolder(disk, folder, uid)
    this.#names.clear()
    for (const name of attempt('list', folder, () => disk.list(folder))) this.#names.add(name)
  }

  load(identity: string): LoadedState {
    const name = stateFileName(identity)
    // Most jobs of a fresh host have no file: the listing of `open` spares a call for each.
    if (!this.#names.has(name)) return { kind: 'new' }
    const { uid, migrations: table = migrations } = this.#options
    const file = this.#pathOf(name)
    const opened = this.#open(file)
    if (opened === null) return { kind: 'new' }
    const { entry, bytes } = opened
    checkStateFile(file, entry, uid)
    const decoded = decodeState(bytes, { file, identity, migrations: table })
    if (decoded.kind === 'corrupt') return this.#lost(name, decoded.reason, entry, bytes)
    return { kind: 'found', state: decoded.state }
  }

  /** null when there is no file; anything but a regular file of ours is refused. */
  #open(file: string): OpenedFile | null {
    const { disk, uid } = this.#options
    try {
      // One byte more shows that a file is too large, and its version may still be legible.
      return disk.open(file, largestStateBytes + 1)
    } catch (error) {
      const entry = attempt('inspect', file, () => disk.inspect(file))
      if (entry === null) return null
      checkStateFile(file, entry, uid)
      throw diskFailure('read', file, error)
    }
  }

  /**
   * Resolves when the state is durable. Saves of one job happen in the order of the calls, those
   * of different jobs beside each other.
   */
  save(state: JobState): Promise<void> {
    const name = stateFileName(state.identity)
    const before = this.#latest.get(name)
    const saved = this.#saveAfter(before, name, state)
    const ended: Promise<void> = saved.then(
      () => this.#forget(name, ended),
      () => this.#forget(name, ended),
    )
    this.#latest.set(name, ended)
    return saved
  }

  /** Resolves when no save is under way. */
  async idle(): Promise<void> {
    while (this.#latest.size > 0) await Promise.all(this.#latest.values())
  }

  async #saveAfter(
    before: Promise<void> | undefined,
    name: string,
    state: JobState,
  ): Promise<void> {
    if (before !== undefined) await before
    const { folder } = this.#options
    this.#settled ??= this.#step('sync folder', folder, () => this.#folderSync.request())
    await this.#settled
    await this.#turns.run(() => this.#replace(name, state))
    await this.#step('sync folder', folder, () => this.#folderSync.request())
  }

  async #replace(name: string, state: JobState): Promise<void> {
    const { disk } = this.#options
    const path = this.#pathOf(name)
    if (this.#failure !== null) throw refusal(this.#failure, path)
    const temporary = this.#pathOf(temporaryName(name))
    const bytes = await this.#step('encode', path, async () => encodeState(state))
    const file = await this.#step('create', temporary, () => disk.create(temporary, 0o600))
    await this.#fill(file, temporary, bytes)
    await this.#step('rename', temporary, () => disk.replace(temporary, path))
    this.#names.add(name)
  }

  async #fill(file: DiskFile, path: string, bytes: Uint8Array): Promise<void> {
    try {
      let left = bytes
      while (left.length > 0) {
        const written = await this.#step('write', path, () => file.write(left))
        if (written === 0) throw this.#failed(diskFailure('write', path, 'nothing was written'))
        left = left.subarray(written)
      }
      await this.#step('sync', path, () => file.sync())
    } catch (failure) {
      // What has failed is the step before; the descriptor is given up either way.
      await file.close().catch(() => undefined)
      throw failure
    }
    await this.#step('close', path, () => file.close())
  }

  async #step<T>(operation: StateOperation, path: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call()
    } catch (error) {
      const isOurs = error instanceof PersistenceError
      throw this.#failed(isOurs ? error : diskFailure(operation, path, error))
    }
  }

  #failed(failure: PersistenceError): PersistenceError {
    this.#failure ??= failure
    return failure
  }

  #forget(name: string, ended: Promise<void>): void {
    if (this.#latest.get(name) === ended) this.#latest.delete(name)
  }

  #lost(
    name: string,
    reason: string,
    { modifiedAt }: DiskEntry,
    bytes: Uint8Array | null,
  ): LoadedState {
    const { disk, clock } = this.#options
    const file = this.#pathOf(name)
    const now = clock.now()
    const known = Math.max(now.getTime(), modifiedAt)
    const evidence = [bytes, this.#savedBefore(name)].filter((file) => file !== null)
    const handledThrough = presumedThrough(known, evidence)
    for (let count = 0; ; count++) {
      const second = corruptName(name, now, count)
      const movedTo = this.#pathOf(second)
      try {
        disk.link(file, movedTo)
        this.#names.add(second)
        return { kind: 'lost', movedTo, reason, handledThrough }
      } catch (error) {
        const isTaken = errnoOf(error) === 'EEXIST' && count < maxCorruptNames
        if (!isTaken) throw diskFailure('link', file, error)
      }
    }
  }

  /** The file of the save before still has its name for the next one, or is not there. */
  #savedBefore(name: string): Uint8Array | null {
    try {
      return this.#options.disk.open(this.#pathOf(temporaryName(name)), largestStateBytes).bytes
    } catch {
      return null
    }
  }

  #pathOf(name: string): string {
    return `${this.#options.folder}/${name}`
  }
}
