/** The little of a file system that reading configuration needs. */
export interface FileSource {
  /** Throws an error with a `code` when it can't be told. */
  kindOf(path: string): FileKind
  /** Names of the entries of a folder, in any order. Throws as `kindOf` does. */
  list(folder: string): readonly string[]
  /** The bytes of a file, of a larger one only the first `most + 1`. Throws as `kindOf` does. */
  read(path: string, most: number): Uint8Array
}

export type FileKind = 'file' | 'folder' | 'other' | 'missing'
