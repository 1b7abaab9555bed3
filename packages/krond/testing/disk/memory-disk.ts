import {
  type Disk,
  type DiskEntry,
  DiskError,
  type DiskFile,
  type OpenedFile,
} from '../../src/disk/disk.js'
import {
  crashedContents,
  type FileNode,
  type FolderNode,
  happen,
  isKept,
  MemoryFile,
  type MemoryNode,
  type NameChange,
  newFolder,
} from './memory-node.js'

export interface MemoryDiskOptions {
  /** Who owns what is created (default 0). */
  readonly uid?: number
  /** For the times of files (default: always 0). */
  readonly now?: () => number
}

/** What a test may find on a disk; a file of ours without contents unless told otherwise. */
export interface Planted {
  readonly kind?: 'file' | 'link' | 'other'
  readonly mode?: number
  readonly uid?: number
  readonly bytes?: Uint8Array
}

/**
 * A disk that exists only in memory, and can lose power. It keeps apart what was written and what
 * is durable: contents become durable by `sync` of the file, names by `syncFolder`. Folders
 * themselves are durable as soon as they are made, as on the system's disk. Paths are absolute.
 */
export class MemoryDisk implements Disk {
  readonly #uid: number
  readonly #now: () => number
  readonly #folders = new Map<string, FolderNode>()
  readonly #unsynced = new Set<FileNode>()

  constructor({ uid = 0, now = () => 0 }: MemoryDiskOptions = {}) {
    this.#now = now
    this.#uid = uid
    this.#folders.set('/', newFolder(0o755, uid))
  }

  /**
   * The machine loses power. Each change of a name that was not synced is lost or kept, in the
   * order in which they were made; contents that were not synced are lost, torn (a prefix of what
   * was not synced remains) or kept. With `() => 0` everything is lost that can be, with
   * `() => 0.999` everything is kept.
   */
  crash(random: () => number): void {
    for (const folder of this.#folders.values()) {
      for (const change of folder.pending) if (isKept(random)) happen(folder.durable, change)
      folder.pending = []
      folder.entries = new Map(folder.durable)
    }
    for (const file of this.#unsynced) file.bytes = file.durable = crashedContents(file, random)
    this.#unsynced.clear()
  }

  /**
   * Puts something there, durable at once, whatever was there before. The time of a file that it
   * replaces stays: damage does not change it either.
   */
  plant(path: string, planted: Planted = {}): void {
    const { kind = 'file', mode = 0o600, uid = this.#uid, bytes = new Uint8Array() } = planted
    const { folder, name } = this.#place('plant', path)
    const before = folder.entries.get(name)
    const modifiedAt = before?.kind === 'file' ? before.modifiedAt : this.#now()
    const node: MemoryNode =
      kind === 'file' ? { kind, mode, uid, bytes, durable: bytes, modifiedAt } : { kind, mode, uid }
    for (const names of [folder.entries, folder.durable]) names.set(name, node)
  }

  inspect(path: string): DiskEntry | null {
    const node = this.#folders.get(path) ?? this.#node(path)
    if (node === undefined) return null
    const { kind, mode, uid } = node
    const { size, modifiedAt } =
      node.kind === 'file'
        ? { size: node.bytes.length, modifiedAt: node.modifiedAt }
        : { size: 0, modifiedAt: 0 }
    return { kind, mode, uid, size, modifiedAt }
  }

  list(folder: string): readonly string[] {
    return [...this.#folder('list', folder).entries.keys()]
  }

  read(path: string): Uint8Array {
    const node = this.#folders.get(path) ?? this.#node(path)
    return this.#fileOrThrow('read', path, node).bytes.slice()
  }

  open(path: string, most: number): OpenedFile {
    const bytes = this.read(path).subarray(0, most)
    return { entry: this.inspect(path)!, bytes }
  }

  makeFolder(path: string, mode: number): void {
    if (this.#folders.has(path)) return
    const parent = parentOf(path)
    this.makeFolder(parent, mode)
    const { folder, name } = this.#place('makeFolder', path)
    if (folder.entries.has(name)) throw new DiskError('EEXIST', 'makeFolder', path)
    const made = newFolder(mode, this.#uid)
    for (const names of [folder.entries, folder.durable]) names.set(name, made)
    this.#folders.set(path, made)
  }

  link(existing: string, name: string): void {
    const node = this.#fileOrThrow('link', existing, this.#node(existing))
    const target = this.#place('link', name)
    if (target.folder.entries.has(target.name)) throw new DiskError('EEXIST', 'link', name)
    change(target.folder, { name: target.name, node, gone: null })
  }

  remove(path: string): void {
    const { folder, name } = this.#place('remove', path)
    const node = folder.entries.get(name)
    if (node === undefined) throw new DiskError('ENOENT', 'remove', path)
    if (node.kind === 'folder') throw new DiskError('EISDIR', 'remove', path)
    change(folder, { name, node: null, gone: null })
  }

  async create(path: string, mode: number): Promise<DiskFile> {
    const { folder, name } = this.#place('create', path)
    const found = folder.entries.get(name)
    if (found === undefined || isNamedElsewhere(folder, found, name)) {
      const none = new Uint8Array()
      const node: FileNode = {
        kind: 'file',
        mode,
        uid: this.#uid,
        bytes: none,
        durable: none,
        modifiedAt: this.#now(),
      }
      change(folder, { name, node, gone: null })
      return new MemoryFile(node, this.#unsynced, this.#now)
    }
    const node = this.#fileOrThrow('create', path, found)
    node.mode = mode
    node.bytes = new Uint8Array()
    this.#unsynced.add(node)
    return new MemoryFile(node, this.#unsynced, this.#now)
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#place('rename', from)
    const target = this.#place('rename', to)
    const node = source.folder.entries.get(source.name)
    if (node === undefined) throw new DiskError('ENOENT', 'rename', from)
    const replaced = target.folder.entries.get(target.name)
    if (node.kind === 'folder' || replaced?.kind === 'folder') {
      throw new DiskError('EISDIR', 'rename', to)
    }
    // Two names of one file stay two names: so says POSIX.
    if (replaced === node) return
    if (source.folder === target.folder) {
      change(target.folder, { name: target.name, node, gone: source.name })
      return
    }
    change(target.folder, { name: target.name, node, gone: null })
    change(source.folder, { name: source.name, node: null, gone: null })
  }

  async replace(from: string, to: string): Promise<void> {
    const source = this.#place('replace', from)
    const target = this.#place('replace', to)
    const node = source.folder.entries.get(source.name)
    const left = target.folder.entries.get(target.name)
    const isExchange = source.folder === target.folder && node?.kind === 'file'
    if (!isExchange || left?.kind !== 'file' || left === node) return this.rename(from, to)
    change(target.folder, { name: target.name, node, gone: source.name, left })
  }

  async syncFolder(path: string): Promise<void> {
    const folder = this.#folder('syncFolder', path)
    for (const pending of folder.pending) happen(folder.durable, pending)
    folder.pending = []
  }

  #folder(operation: string, path: string): FolderNode {
    const folder = this.#folders.get(path)
    if (folder !== undefined) return folder
    throw new DiskError(this.#node(path) === undefined ? 'ENOENT' : 'ENOTDIR', operation, path)
  }

  #place(operation: string, path: string): { folder: FolderNode; name: string } {
    return { folder: this.#folder(operation, parentOf(path)), name: nameOf(path) }
  }

  #node(path: string): MemoryNode | undefined {
    return this.#folders.get(parentOf(path))?.entries.get(nameOf(path))
  }

  #fileOrThrow(operation: string, path: string, node: MemoryNode | undefined): FileNode {
    if (node?.kind === 'file') return node
    throw new DiskError(node === undefined ? 'ENOENT' : notAFile[node.kind], operation, path)
  }
}

function isNamedElsewhere(folder: FolderNode, node: MemoryNode, name: string): boolean {
  for (const [other, named] of folder.entries) if (named === node && other !== name) return true
  return false
}

const notAFile = { folder: 'EISDIR', link: 'ELOOP', other: 'EINVAL' }

function change(folder: FolderNode, pending: NameChange): void {
  happen(folder.entries, pending)
  folder.pending.push(pending)
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/'
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
