/**
 * A page ends early once its items pass this size, by what is stored of them: lists whose items
 * may be large can't fill the memory, however many are asked for.
 */
export const largePageBytes = 1024 * 1024

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
