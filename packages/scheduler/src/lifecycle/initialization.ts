/** A call of `initialize` that has not ended. */
export class Initialization {
  /** A stop was called meanwhile: nothing may start after it. */
  isStopWanted = false
  readonly over: Promise<void>
  /** It has ended, however that was. */
  end!: () => void

  constructor() {
    this.over = new Promise((resolve) => {
      this.end = resolve
    })
  }
}
