import type { FileNode } from './memory-file.js'

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
