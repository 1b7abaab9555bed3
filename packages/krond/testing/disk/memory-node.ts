import { DiskError, type DiskFile } from '../../src/disk/disk.js'

export interface FileNode {
  readonly kind: 'file'
  mode: number
  readonly uid: number
  /** Never changed in place, so that `durable` can be the same array. */
  bytes: Uint8Array
  durable: Uint8Array
  modifiedAt: number
}

/** An open file of a MemoryDisk. */
export class MemoryFile implements DiskFile {
  readonly #node: FileNode
  readonly #unsynced: Set<FileNode>
  readonly #now: () => number
  #position = 0
  #isOpen = true

  constructor(node: FileNode, unsynced: Set<FileNode>, now: () => number) {
    this.#now = now
    this.#node = node
    this.#unsynced = unsynced
  }

  async write(bytes: Uint8Array): Promise<number> {
    this.#checkOpen('write')
    const old = this.#node.bytes
    const end = this.#position + bytes.length
    const all = new Uint8Array(Math.max(old.length, end))
    all.set(old)
    all.set(bytes, this.#position)
    this.#position = end
    this.#node.bytes = all
    this.#node.modifiedAt = this.#now()
    this.#unsynced.add(this.#node)
    return bytes.length
  }

  async sync(): Promise<void> {
    this.#checkOpen('sync')
    this.#node.durable = this.#node.bytes
    this.#unsynced.delete(this.#node)
  }

  async close(): Promise<void> {
    this.#checkOpen('close')
    this.#isOpen = false
  }

  #checkOpen(operation: string): void {
    if (!this.#isOpen) throw new DiskError('EBADF', operation, 'a closed file')
  }
}

/** What a file holds after power was lost before its contents were synced. */
export function crashedContents({ bytes, durable }: FileNode, random: () => number): Uint8Array {
  const fate = random()
  if (fate < 0.4) return durable
  if (fate >= 0.6) return bytes
  const safe = isPrefix(durable, bytes) ? durable.length : 0
  return bytes.slice(0, safe + Math.floor(random() * (bytes.length - safe)))
}

function isPrefix(prefix: Uint8Array, bytes: Uint8Array): boolean {
  return prefix.length <= bytes.length && prefix.every((byte, index) => bytes[index] === byte)
}

export type MemoryNode = FileNode | FolderNode | StrangeNode

export interface FolderNode {
  readonly kind: 'folder'
  readonly mode: number
  readonly uid: number
  entries: Map<string, MemoryNode>
  readonly durable: Map<string, MemoryNode>
  /** What was done to `entries` and not yet to `durable`, in order. */
  pending: NameChange[]
}

/** Something that is neither read nor written. */
export interface StrangeNode {
  readonly kind: 'link' | 'other'
  readonly mode: number
  readonly uid: number
}

/**
 * One atomic change: `name` becomes `node`, or nothing, and with a rename `gone` disappears, or
 * becomes `left` when two names are exchanged.
 */
export interface NameChange {
  readonly name: string
  readonly node: MemoryNode | null
  readonly gone: string | null
  readonly left?: MemoryNode
}

export function newFolder(mode: number, uid: number): FolderNode {
  return { kind: 'folder', mode, uid, entries: new Map(), durable: new Map(), pending: [] }
}

export function happen(names: Map<string, MemoryNode>, change: NameChange): void {
  const { name, node, gone, left } = change
  if (node === null) names.delete(name)
  else names.set(name, node)
  // After a crash that lost the creation, another file may have the old name.
  if (gone === null || names.get(gone) !== node) return
  if (left === undefined) names.delete(gone)
  else names.set(gone, left)
}

export function isKept(random: () => number): boolean {
  return random() >= 0.5
}
