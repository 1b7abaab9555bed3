/** One page of a list, in the order of its cursor. */
export interface PageRequest {
  readonly limit: number
  /** The cursor of the last item that was seen. */
  readonly after: string | null
}

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Where the next page begins, or null after the last one. */
  readonly next: string | null
}
