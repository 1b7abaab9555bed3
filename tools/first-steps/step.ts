/** A step that a document asks its reader to do. */
export interface Step {
  /** 1-based line of the document where it begins. */
  readonly line: number
  /** As it would be pasted. */
  readonly script: string
  /** It stays in the foreground: done in another terminal, until the document ends. */
  readonly stays: boolean
  /** The command is stopped as soon as it has printed the expected lines. */
  readonly briefly: boolean
  /** What it takes to do it, such as a cluster; null when nothing. */
  readonly needs: string | null
  /** What the document says is printed; null when it says nothing. */
  readonly printed: readonly string[] | null
}
