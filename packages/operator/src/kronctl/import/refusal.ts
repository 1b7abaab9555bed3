/** Why something can't be converted, and what to do about it. */
export class Refusal {
  readonly reason: string
  readonly hint: string | null

  constructor(reason: string, hint: string | null = null) {
    this.reason = reason
    this.hint = hint
  }
}
