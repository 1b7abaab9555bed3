/** S2 for one task: between the starts of two successful runs lies a Due. */
export class SuccessPeriods {
  #succeeded = false
  /** Since the start of the last successful run, and since that of the latest run. */
  #dueSinceSuccess = false
  #dueSinceStart = false
  #exempt = false
  /** The open run. */
  #run: { readonly maySucceed: boolean; readonly exempt: boolean } | null = null

  get runOpen(): boolean {
    return this.#run !== null
  }

  due(): void {
    this.#dueSinceSuccess = true
    this.#dueSinceStart = true
  }

  started(): void {
    const maySucceed = !this.#succeeded || this.#dueSinceSuccess || this.#exempt
    this.#run = { maySucceed, exempt: this.#exempt }
    this.#dueSinceStart = false
  }

  failed(): void {
    this.#run = null
  }

  /** False when it is a second success in one period. */
  succeed(): boolean {
    const run = this.#run
    // Begun before the task was removed and added again: nothing of it counts.
    if (run === null) return true
    this.#run = null
    if (run.exempt) this.#exempt = false
    this.#succeeded = true
    // Dues that fell inside of the run count for the next one.
    this.#dueSinceSuccess = this.#dueSinceStart
    return run.maySucceed
  }

  /** The next success of a run that starts from now on needs no Due. */
  exemptNext(): void {
    this.#exempt = true
  }
}
