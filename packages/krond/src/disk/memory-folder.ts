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

/** One atomic change: `name` becomes `node`, or nothing, and with a rename `gone` disappears. */
export interface NameChange {
  readonly name: string
  readonly node: MemoryNode | null
  readonly gone: string | null
}

export function newFolder(mode: number, uid: number): FolderNode {
  return { kind: 'folder', mode, uid, entries: new Map(), durable: new Map(), pending: [] }
}

export function happen(names: Map<string, MemoryNode>, { name, node, gone }: NameChange): void {
  if (node === null) names.delete(name)
  else names.set(name, node)
  // After a crash that lost the creation, another file may have the old name.
  if (gone !== null && names.get(gone) === node) names.delete(gone)
}

export function isKept(random: () => number): boolean {
  return random() >= 0.5
}
